//! What is played at a table, as data, and the messages of a hand as a bot works with them.
//!
//! What a newer server adds is ignored, never guessed at.

use crate::cards::{self, Card};
use crate::error::{Broken, Error};
use crate::v1;

pub use v1::{AnteKind, BettingStructure, DiscardPoint, DiscardVisibility, EventKind, Reason, Stakes, WagerKind};

/// A game as data (GAME-3): cards dealt and discarded by each player, when, and what becomes of discards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Game {
    /// Hole cards dealt to each player.
    pub hole_cards: usize,
    /// Cards that each live player discards.
    pub discards: usize,
    /// When they are discarded; unspecified in a game without discards.
    pub discard_point: DiscardPoint,
    /// What becomes of them.
    pub discard_visibility: DiscardVisibility,
}

const fn game(hole_cards: usize, discards: usize, discard_point: DiscardPoint) -> Game {
    Game { hole_cards, discards, discard_point, discard_visibility: DiscardVisibility::Hidden }
}

const HOLDEM: Game = game(2, 0, DiscardPoint::Unspecified);
const IRISH: Game = game(4, 2, DiscardPoint::AfterFlopBetting);
const IRISH_BEFORE_FLOP_BETTING: Game = game(4, 2, DiscardPoint::BeforeFlopBetting);

/// The games of the published rule sets, by full name.
const PUBLISHED: &[(&str, Game)] = &[
    ("irish/full-tilt@1", IRISH),
    ("irish/french-limit@1", IRISH_BEFORE_FLOP_BETTING),
    ("irish/french-minimum@1", IRISH_BEFORE_FLOP_BETTING),
    ("holdem/online-limit@1", HOLDEM),
    ("irish/tda@1", IRISH),
    ("holdem/tda@1", HOLDEM),
];

/// What a table plays, as far as a seat needs it.
#[derive(Clone, Debug, PartialEq)]
pub struct TableRules {
    /// The rule set's name and version, such as `irish/full-tilt@1`.
    pub rule_set: String,
    /// The game.
    pub game: Game,
    /// No-limit, pot-limit or fixed-limit.
    pub structure: BettingStructure,
    /// Blinds, antes and bets, in chips.
    pub stakes: Stakes,
}

impl TableRules {
    /// Reads a table's configuration; fails for a published rule set or a game that this version does not have.
    pub fn of(config: &v1::TableConfig) -> Result<Self, Error> {
        let (rule_set, game) = match &config.rules {
            Some(v1::table_config::Rules::RuleSet(own)) => (format!("{}@{}", own.name, own.version), game_of(own)?),
            Some(v1::table_config::Rules::RuleSetName(name)) => {
                let known = PUBLISHED.iter().find(|(published, _)| published == name);
                let (_, game) = known
                    .ok_or_else(|| Error::UnknownRules(format!("this version does not know rule set {name:?}")))?;
                (name.clone(), *game)
            }
            Some(v1::table_config::Rules::KozelRuleSet(own)) => {
                return Err(Error::UnknownRules(format!("this version does not play Kozel, as {:?} is", own.name)));
            }
            None => return Err(Error::UnknownRules("the table does not say what it plays".to_owned())),
        };
        let structure = BettingStructure::try_from(config.structure)
            .map_err(|_| Error::UnknownRules(format!("betting structure {} is not known", config.structure)))?;
        Ok(Self { rule_set, game, structure, stakes: config.stakes.unwrap_or_default() })
    }
}

fn game_of(rule_set: &v1::RuleSet) -> Result<Game, Error> {
    let unknown = || Error::UnknownRules(format!("this version does not know the game of {:?}", rule_set.name));
    let message = rule_set.game.as_ref().ok_or_else(unknown)?;
    let visibility = DiscardVisibility::try_from(message.discard_visibility).map_err(|_| unknown())?;
    Ok(Game {
        hole_cards: usize::try_from(message.hole_cards).map_err(|_| unknown())?,
        discards: usize::try_from(message.discards).map_err(|_| unknown())?,
        discard_point: DiscardPoint::try_from(message.discard_point).map_err(|_| unknown())?,
        discard_visibility: match visibility {
            DiscardVisibility::Unspecified => DiscardVisibility::Hidden,
            named => named,
        },
    })
}

/// One thing that happened in a hand, as a view shows it: cards that one may not see are [`cards::UNKNOWN`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// What.
    pub kind: EventKind,
    /// The rule that decided it.
    pub rule: String,
    /// Whose; 0 is the table.
    pub seat: i32,
    /// Chips that moved.
    pub amount: i64,
    /// The seat's street total after a post, call or wager.
    pub to: i64,
    /// Cards dealt, discarded or shown.
    pub cards: Vec<Card>,
    /// Which pot, from the main pot 0.
    pub pot: i32,
    /// Whether it took the seat's last chip.
    pub all_in: bool,
    /// Whether the referee did it in the seat's place (TIME-2, DISC-8).
    pub automatic: bool,
}

impl Event {
    /// Reads an event; `None` for a kind that this version does not know.
    pub fn of(message: &v1::Event) -> Result<Option<Self>, Broken> {
        let kind = match EventKind::try_from(message.kind) {
            Ok(EventKind::Unspecified) | Err(_) => return Ok(None),
            Ok(kind) => kind,
        };
        Ok(Some(Self {
            kind,
            rule: message.rule.clone(),
            seat: message.seat,
            amount: message.amount,
            to: message.street_total,
            cards: cards::parse_cards(&message.cards)?,
            pot: message.pot,
            all_in: message.all_in,
            automatic: message.automatic,
        }))
    }
}

/// Everything that a seat may do at its open decision. Wagers are street totals ("raise to"), never increments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegalOptions {
    /// The seat.
    pub seat: i32,
    /// The decision's id.
    pub decision_id: i32,
    /// Folding is legal.
    pub fold: bool,
    /// Checking is legal.
    pub check: bool,
    /// What calling adds; 0 means that there is nothing to call.
    pub call: i64,
    /// Whether a wager is a bet or a raise.
    pub wager: WagerKind,
    /// The lowest street total of a wager.
    pub min_to: i64,
    /// The highest street total of a wager; 0 when none is legal.
    pub max_to: i64,
    /// Street totals between them are legal in steps of this, at least 1.
    pub step: i64,
    /// How many cards are owed to the discard; then nothing else is legal.
    pub discard: usize,
    /// The hole cards to choose from, in the order in which they were dealt.
    pub held: Vec<Card>,
}

impl LegalOptions {
    /// Reads legal options.
    pub fn of(message: &v1::LegalOptions) -> Result<Self, Broken> {
        Ok(Self {
            seat: message.seat,
            decision_id: message.decision_id,
            fold: message.can_fold,
            check: message.can_check,
            call: message.amount_to_call,
            wager: if message.wager() == WagerKind::Raise { WagerKind::Raise } else { WagerKind::Bet },
            min_to: message.min_raise_to,
            max_to: message.max_raise_to,
            step: message.raise_step.max(1),
            discard: usize::try_from(message.cards_to_discard).unwrap_or(0),
            held: cards::parse_cards(&message.held_cards)?,
        })
    }
}

/// The ruling that refused an answer. A refusal changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Why; `None` for a reason that this version does not know.
    pub reason: Option<Reason>,
    /// The rule that decided.
    pub rule: String,
    /// The same in a sentence.
    pub message: String,
    /// What the seat may do instead, if it has a decision.
    pub legal: Option<LegalOptions>,
}

impl Refusal {
    /// Reads a ruling that refuses.
    pub fn of(message: &v1::Ruling) -> Result<Self, Broken> {
        let reason = Reason::try_from(message.reason).ok().filter(|&reason| reason != Reason::Unspecified);
        Ok(Self {
            reason,
            rule: message.rule.clone(),
            message: message.message.clone(),
            legal: message.legal.as_ref().map(LegalOptions::of).transpose()?,
        })
    }
}

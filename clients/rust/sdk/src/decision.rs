//! What a bot is asked and what it may answer.

use crate::cards::{self, Card, cards_text};
use crate::error::Broken;
use crate::rules::{Event, Game, LegalOptions, Refusal, TableRules, WagerKind};
use crate::v1;

/// A player of the hand as everybody sees him; amounts in chips.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerView {
    /// The seat.
    pub seat: i32,
    /// Who sits there.
    pub name: String,
    /// Chips, what is in the middle not included.
    pub stack: i64,
    /// What he has in on this street.
    pub bet: i64,
    /// What he has in altogether, dead money not counted.
    pub put_in: i64,
    /// Whether he has not folded.
    pub live: bool,
    /// Whether he is live without chips.
    pub all_in: bool,
    /// Whether his discard is known to be made.
    pub discarded: bool,
    /// The cards that he has shown.
    pub shown: Vec<Card>,
}

/// What a seat wants to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Give up the hand.
    Fold,
    /// Pass with nothing owed.
    Check,
    /// Match the level, with all chips if they are fewer.
    Call,
    /// Open the betting of a street, to this street total.
    Bet(i64),
    /// Lift the level to this street total.
    Raise(i64),
    /// Give up these hole cards for good.
    Discard(Vec<Card>),
    /// Turn up one's hand after the hand is over (SHOW-2).
    Show,
}

impl Action {
    /// The contract's message.
    pub fn message(&self) -> v1::Action {
        use v1::action::Action as Message;
        let action = match self {
            Action::Fold => Message::Fold(v1::Fold {}),
            Action::Check => Message::Check(v1::Check {}),
            Action::Call => Message::Call(v1::Call {}),
            Action::Bet(raise_to) => Message::Bet(v1::Bet { raise_to: *raise_to }),
            Action::Raise(raise_to) => Message::Raise(v1::Raise { raise_to: *raise_to }),
            Action::Discard(named) => {
                Message::Discard(v1::Discard { cards: named.iter().map(|&card| cards::card_text(card)).collect() })
            }
            Action::Show => Message::Show(v1::Show {}),
        };
        v1::Action { action: Some(action) }
    }
}

/// One open decision of one seat, with all that the seat may know. Amounts in chips, cards as small integers.
///
/// Methods that name an action (`call`, `raise_to`) propose it whether it is legal or not; those with `or` in their
/// names, `bet_pot` and `discard_last` propose only what is legal. Where a discard is owed these discard the cards dealt
/// last.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The table.
    pub table_id: String,
    /// The match's name in the derivation of the deals; chosen by the host, else the table's id.
    pub match_name: String,
    /// The hand's id.
    pub hand_id: String,
    /// The hand's number, from 1.
    pub hand_number: i64,
    /// This seat.
    pub seat: i32,
    /// What is played: rule set, game, structure, stakes.
    pub rules: TableRules,
    /// The button's seat, which may be empty.
    pub button_seat: i32,
    /// Who posts the small blind; 0 means nobody.
    pub small_blind_seat: i32,
    /// Who posts the big blind.
    pub big_blind_seat: i32,
    /// 0 pre-flop, 1 flop, 2 turn, 3 river.
    pub street: usize,
    /// Players clockwise from the left of the button, so that the one who acts last after the flop comes last.
    pub players: Vec<PlayerView>,
    /// The cards still held, in the order in which they were dealt.
    pub hole: Vec<Card>,
    /// The cards already given up.
    pub discarded: Vec<Card>,
    /// All that counts for everybody, discards that joined it last.
    pub board: Vec<Card>,
    /// The discards among the board (GAME-3).
    pub joined: Vec<Card>,
    /// Every chip in the middle.
    pub pot: i64,
    /// The street total to match.
    pub level: i64,
    /// Everything that is legal.
    pub legal: LegalOptions,
    /// What was left of the time when the decision was put together, bank included; `None` without a clock.
    pub remaining_ms: Option<i64>,
    /// The hand so far as this seat sees it.
    pub events: Vec<Event>,
    /// The ruling on this seat's last answer to this same decision, when that was refused.
    pub refusal: Option<Refusal>,
}

const STREET_NAMES: [&str; 4] = ["pre-flop", "flop", "turn", "river"];

impl Decision {
    /// The game as data: hole cards, discards, when, and what becomes of them.
    pub fn game(&self) -> &Game {
        &self.rules.game
    }

    /// How many cards are to be discarded now; 0 in a betting round.
    pub fn must_discard(&self) -> usize {
        self.legal.discard
    }

    /// What calling adds; 0 when there is nothing to call.
    pub fn to_call(&self) -> i64 {
        self.legal.call
    }

    /// `pre-flop`, `flop`, `turn` or `river`.
    pub fn street_name(&self) -> &'static str {
        STREET_NAMES.get(self.street).copied().unwrap_or("river")
    }

    /// The big blind, in chips.
    pub fn big_blind(&self) -> i64 {
        self.rules.stakes.big_blind
    }

    /// This seat's player; `None` only for a seat that was not dealt in.
    pub fn me(&self) -> Option<&PlayerView> {
        self.players.iter().find(|player| player.seat == self.seat)
    }

    /// This seat's chips, what is in the middle not included.
    pub fn stack(&self) -> i64 {
        self.me().map_or(0, |player| player.stack)
    }

    /// The other live players, clockwise from the left of the button.
    pub fn opponents(&self) -> impl Iterator<Item = &PlayerView> {
        self.players.iter().filter(|player| player.live && player.seat != self.seat)
    }

    /// Whether no other player with chips acts after this seat on the rounds after the flop.
    pub fn acts_last(&self) -> bool {
        let last = self.players.iter().rfind(|player| player.live && !player.all_in);
        last.is_some_and(|player| player.seat == self.seat)
    }

    /// The cards still held, such as `Ah Kd`.
    pub fn hole_text(&self) -> String {
        cards_text(&self.hole)
    }

    /// The board, such as `5h 7d 9h`.
    pub fn board_text(&self) -> String {
        cards_text(&self.board)
    }

    /// Proposes to fold.
    pub fn fold(&self) -> Action {
        Action::Fold
    }

    /// Proposes to check.
    pub fn check(&self) -> Action {
        Action::Check
    }

    /// Proposes to call, with all chips if they are fewer.
    pub fn call(&self) -> Action {
        Action::Call
    }

    /// Proposes to lift the level to this street total: a bet where there is none yet, else a raise (BET-2).
    pub fn raise_to(&self, total: i64) -> Action {
        if self.level == 0 { Action::Bet(total) } else { Action::Raise(total) }
    }

    /// Proposes to discard these cards.
    pub fn discard(&self, named: &[Card]) -> Action {
        Action::Discard(named.to_vec())
    }

    /// Proposes to discard cards given as text such as `9h 9c`; fails for what is no card.
    pub fn discard_text(&self, named: &str) -> Result<Action, Broken> {
        Ok(Action::Discard(cards::parse_row(named)?))
    }

    /// Checks if nothing is owed, else folds.
    pub fn check_or_fold(&self) -> Action {
        match self.legal {
            LegalOptions { discard: 1.., .. } => self.discard_last(),
            LegalOptions { check: true, .. } => Action::Check,
            _ => Action::Fold,
        }
    }

    /// Checks if nothing is owed, else calls.
    pub fn check_or_call(&self) -> Action {
        match self.legal {
            LegalOptions { discard: 1.., .. } => self.discard_last(),
            LegalOptions { check: true, .. } => Action::Check,
            _ => Action::Call,
        }
    }

    /// Lifts the level to the legal street total nearest below `total`, or to the lowest one.
    ///
    /// Checks or calls where no wager is legal.
    pub fn bet_or_raise(&self, total: i64) -> Action {
        let legal = &self.legal;
        if legal.max_to == 0 {
            return self.check_or_call();
        }
        if total >= legal.max_to {
            return self.wager(legal.max_to);
        }
        let steps = total.saturating_sub(legal.min_to).max(0) / legal.step;
        self.wager(legal.min_to + steps * legal.step)
    }

    /// Bets or raises by so many percent of the pot as it is after calling, as near as is legal.
    pub fn bet_pot(&self, percent: i64) -> Action {
        let pot = i128::from(self.pot) + i128::from(self.legal.call);
        let total = i128::from(self.level) + (pot * i128::from(percent)).div_euclid(100);
        self.bet_or_raise(i64::try_from(total).unwrap_or(if total < 0 { i64::MIN } else { i64::MAX }))
    }

    /// Puts in as much as the betting structure allows; checks or calls where no wager is legal.
    pub fn all_in_or_call(&self) -> Action {
        self.bet_or_raise(self.legal.max_to)
    }

    /// Discards the cards dealt last, which is what the referee does for a seat out of time (DISC-8).
    pub fn discard_last(&self) -> Action {
        let held = &self.legal.held;
        Action::Discard(held[held.len().saturating_sub(self.legal.discard)..].to_vec())
    }

    fn wager(&self, total: i64) -> Action {
        if self.legal.wager == WagerKind::Raise { Action::Raise(total) } else { Action::Bet(total) }
    }

    /// The proposal that carries an action as this seat's answer to this decision (BET-9).
    pub(crate) fn proposal(&self, action: &Action) -> v1::Proposal {
        v1::Proposal {
            hand_id: self.hand_id.clone(),
            decision_id: self.legal.decision_id,
            seat: self.seat,
            action: Some(action.message()),
        }
    }
}

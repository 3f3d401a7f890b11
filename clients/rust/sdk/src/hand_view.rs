//! A hand as one seat sees it: a fold over that seat's view of the events, hidden cards and all.

use std::collections::{BTreeMap, BTreeSet};

use crate::cards::{Card, UNKNOWN};
use crate::decision::{Decision, PlayerView};
use crate::error::Broken;
use crate::rules::{DiscardVisibility, Event, EventKind, LegalOptions, Refusal, TableRules, WagerKind};
use crate::v1;

/// The most chips that all stacks of a hand may have, which keeps every sum far from an overflow.
const MAX_CHIPS: i64 = 1 << 53;

/// One player's part of the hand.
#[derive(Clone, Debug)]
struct Player {
    seat: i32,
    name: String,
    starting_stack: i64,
    stack: i64,
    bet: i64,
    total: i64,
    live: bool,
    hole: Vec<Card>,
    kept: Vec<Card>,
    discarded: Vec<Card>,
    shown: Vec<Card>,
}

/// Folds a seat's events and makes its decisions.
#[derive(Clone, Debug)]
pub struct HandView {
    /// The table.
    pub table_id: String,
    /// The match's name.
    pub match_name: String,
    /// The hand's number, from 1.
    pub number: i64,
    /// The hand's id.
    pub hand_id: String,
    /// What is played.
    pub rules: TableRules,
    /// The seat whose cards the events tell; 0 before they are dealt.
    pub seat: i32,
    /// The events so far.
    pub events: Vec<Event>,
    button_seat: i32,
    small_blind_seat: i32,
    big_blind_seat: i32,
    players: Vec<Player>,
    dead: i64,
    board: Vec<Card>,
    joined: Vec<Card>,
    street: usize,
    level: i64,
    discards_done: bool,
    have_discarded: BTreeSet<i32>,
    over: bool,
}

impl HandView {
    /// Starts before the first event; fails when no hand can begin so.
    pub fn begin(
        rules: TableRules,
        number: i64,
        began: &v1::HandBegan,
        table_id: &str,
        match_name: &str,
        names: &BTreeMap<i32, String>,
    ) -> Result<Self, Broken> {
        let seats: BTreeSet<i32> = began.players.iter().map(|player| player.seat).collect();
        let chips = began.players.iter().try_fold(0i64, |sum, player| {
            (player.stack > 0).then(|| sum.checked_add(player.stack)).flatten().filter(|&sum| sum <= MAX_CHIPS)
        });
        if seats.len() != began.players.len() || seats.len() < 2 || seats.first().is_some_and(|&seat| seat < 1) {
            return Err(Broken(format!("hand {number} begins with players that cannot be")));
        }
        if chips.is_none() || !(0..=MAX_CHIPS).contains(&rules.stakes.big_blind) {
            return Err(Broken(format!("hand {number} begins with chips that cannot be")));
        }
        let name_of = |player: &v1::PlayerSetup| {
            if player.name.is_empty() {
                names.get(&player.seat).cloned().unwrap_or_default()
            } else {
                player.name.clone()
            }
        };
        let players = began.players.iter().map(|player| Player {
            seat: player.seat,
            name: name_of(player),
            starting_stack: player.stack,
            stack: player.stack,
            bet: 0,
            total: 0,
            live: true,
            hole: Vec::new(),
            kept: Vec::new(),
            discarded: Vec::new(),
            shown: Vec::new(),
        });
        Ok(Self {
            table_id: table_id.to_owned(),
            match_name: match_name.to_owned(),
            number,
            hand_id: began.hand_id.clone(),
            seat: 0,
            events: Vec::new(),
            button_seat: began.button_seat,
            small_blind_seat: began.small_blind_seat,
            big_blind_seat: began.big_blind_seat,
            players: players.collect(),
            dead: 0,
            board: Vec::new(),
            joined: Vec::new(),
            street: 0,
            level: rules.stakes.big_blind,
            discards_done: rules.game.discards == 0,
            have_discarded: BTreeSet::new(),
            over: false,
            rules,
        })
    }

    /// Takes the next event of the view. Facts only: the referee has decided what was legal.
    pub fn fold(&mut self, event: Event) -> Result<(), Broken> {
        if event.amount < 0 || event.to < 0 || event.amount > MAX_CHIPS || event.to > MAX_CHIPS {
            return Err(Broken(format!("hand {}: an event of {} chips to {}", self.number, event.amount, event.to)));
        }
        if event.seat == 0 {
            self.fold_table_event(&event);
        } else {
            self.fold_seat_event(&event)?;
        }
        self.events.push(event);
        Ok(())
    }

    fn fold_table_event(&mut self, event: &Event) {
        match event.kind {
            EventKind::BoardDealt => {
                self.board.extend(&event.cards);
                self.street += 1;
                self.level = 0;
                for player in &mut self.players {
                    player.bet = 0;
                }
            }
            EventKind::DiscardsClosed => self.discards_done = true,
            EventKind::HandEnded => self.over = true,
            _ => {}
        }
    }

    fn fold_seat_event(&mut self, event: &Event) -> Result<(), Broken> {
        let number = self.number;
        let player = self
            .players
            .iter_mut()
            .find(|player| player.seat == event.seat)
            .ok_or_else(|| Broken(format!("hand {number}: seat {} was not dealt in", event.seat)))?;
        match event.kind {
            EventKind::HoleDealt => {
                player.hole.clone_from(&event.cards);
                player.kept.clone_from(&event.cards);
                if !event.cards.contains(&UNKNOWN) {
                    self.seat = event.seat;
                }
            }
            EventKind::AntePosted => {
                player.stack -= event.amount;
                player.total += event.amount;
            }
            EventKind::DeadPosted => {
                player.stack -= event.amount;
                self.dead += event.amount;
            }
            EventKind::BlindPosted | EventKind::Called | EventKind::Bet | EventKind::Raised => {
                player.stack -= event.amount;
                player.bet += event.amount;
                player.total += event.amount;
                if matches!(event.kind, EventKind::Bet | EventKind::Raised) {
                    self.level = event.to;
                }
            }
            EventKind::BetReturned => {
                player.stack += event.amount;
                player.bet -= event.amount;
                player.total -= event.amount;
            }
            EventKind::Folded | EventKind::LateFoldShown => player.live = false,
            EventKind::Discarded => {
                player.kept = without(&player.hole, &event.cards).ok_or_else(|| {
                    Broken(format!("hand {number}: seat {} discards cards that it does not hold", event.seat))
                })?;
                player.discarded.clone_from(&event.cards);
                self.have_discarded.insert(event.seat);
            }
            EventKind::DiscardShown if self.rules.game.discard_visibility == DiscardVisibility::JoinsBoard => {
                self.joined.extend(&event.cards);
            }
            EventKind::HandShown => player.shown.clone_from(&event.cards),
            EventKind::PotAwarded => player.stack += event.amount,
            _ => {}
        }
        Ok(())
    }

    /// Whether everything is settled.
    pub fn over(&self) -> bool {
        self.over
    }

    /// The board, discards that joined it last.
    pub fn board(&self) -> Vec<Card> {
        [self.board.as_slice(), &self.joined].concat()
    }

    /// Every chip in the middle, until pots are awarded.
    pub fn pot(&self) -> i64 {
        self.players.iter().map(|player| player.total).sum::<i64>() + self.dead
    }

    /// The cards that the seat still holds.
    pub fn hole(&self) -> &[Card] {
        self.player(self.seat).map_or(&[], |player| &player.kept)
    }

    /// A seat's chips now; `None` for a seat that was not dealt in.
    pub fn stack_of(&self, seat: i32) -> Option<i64> {
        self.player(seat).map(|player| player.stack)
    }

    /// What a seat has won or lost in this hand so far, in chips; `None` for a seat that was not dealt in.
    pub fn net_of(&self, seat: i32) -> Option<i64> {
        self.player(seat).map(|player| player.stack - player.starting_stack)
    }

    /// The seats dealt in, clockwise from the left of the button.
    pub fn seats(&self) -> Vec<i32> {
        self.players.iter().map(|player| player.seat).collect()
    }

    /// The players dealt in, clockwise from the left of the button.
    pub fn players(&self) -> Vec<PlayerView> {
        let everybody_has = self.discards_done && self.rules.game.discards > 0;
        let view = |player: &Player| PlayerView {
            seat: player.seat,
            name: player.name.clone(),
            stack: player.stack,
            bet: player.bet,
            put_in: player.total,
            live: player.live,
            all_in: player.live && player.stack == 0,
            discarded: self.have_discarded.contains(&player.seat) || (everybody_has && player.live),
            shown: player.shown.clone(),
        };
        self.players.iter().map(view).collect()
    }

    /// The open decision of the seat that the options are for.
    pub fn decision(
        &self,
        mut legal: LegalOptions,
        remaining_ms: Option<i64>,
        refusal: Option<Refusal>,
    ) -> Result<Decision, Broken> {
        let player = self.player(legal.seat).ok_or_else(|| {
            Broken(format!("hand {}: seat {} is asked and was not dealt in", self.number, legal.seat))
        })?;
        if legal.max_to == 0 {
            (legal.wager, legal.step) = (WagerKind::Bet, 1);
        }
        Ok(Decision {
            table_id: self.table_id.clone(),
            match_name: self.match_name.clone(),
            hand_id: self.hand_id.clone(),
            hand_number: self.number,
            seat: legal.seat,
            rules: self.rules.clone(),
            button_seat: self.button_seat,
            small_blind_seat: self.small_blind_seat,
            big_blind_seat: self.big_blind_seat,
            street: self.street,
            players: self.players(),
            hole: player.kept.clone(),
            discarded: player.discarded.clone(),
            board: self.board(),
            joined: self.joined.clone(),
            pot: self.pot(),
            level: self.level,
            legal,
            remaining_ms,
            events: self.events.clone(),
            refusal,
        })
    }

    fn player(&self, seat: i32) -> Option<&Player> {
        self.players.iter().find(|player| player.seat == seat)
    }
}

/// The cards kept; a discard that is not among the known cards was one of the unknown ones. `None` where there is none.
fn without(hole: &[Card], discards: &[Card]) -> Option<Vec<Card>> {
    let mut kept = hole.to_vec();
    for card in discards {
        let place =
            kept.iter().position(|held| held == card).or_else(|| kept.iter().position(|&held| held == UNKNOWN))?;
        kept.remove(place);
    }
    Some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(kind: EventKind, seat: i32, amount: i64, to: i64) -> Event {
        let (rule, cards) = (String::new(), Vec::new());
        Event { kind, rule, seat, amount, to, cards, pot: 0, all_in: false, automatic: false }
    }

    fn heads_up(stacks: [i64; 2]) -> Result<HandView, Broken> {
        let config = v1::TableConfig {
            rules: Some(v1::table_config::Rules::RuleSetName("irish/full-tilt@1".into())),
            structure: v1::BettingStructure::NoLimit.into(),
            stakes: Some(v1::Stakes { small_blind: 5, big_blind: 10, ..v1::Stakes::default() }),
            ..v1::TableConfig::default()
        };
        let player = |(seat, stack): (i32, i64)| v1::PlayerSetup { seat, stack, ..v1::PlayerSetup::default() };
        let began = v1::HandBegan { players: (1..).zip(stacks).map(player).collect(), ..v1::HandBegan::default() };
        HandView::begin(TableRules::of(&config).expect("rules"), 1, &began, "t", "m", &BTreeMap::new())
    }

    #[test]
    fn an_uncalled_bet_goes_back_to_where_it_came_from() {
        let mut view = heads_up([1000, 60]).expect("a hand");
        for event in [
            event(EventKind::BlindPosted, 1, 10, 10),
            event(EventKind::DeadPosted, 1, 5, 0),
            event(EventKind::BlindPosted, 2, 5, 5),
            event(EventKind::Raised, 1, 90, 100),
            event(EventKind::Called, 2, 55, 60),
            event(EventKind::BetReturned, 1, 40, 0),
        ] {
            view.fold(event).expect("an event");
        }
        let seen: Vec<_> = view.players().iter().map(|player| (player.stack, player.bet, player.put_in)).collect();
        assert_eq!(seen, [(935, 60, 60), (0, 60, 60)]);
        assert_eq!((view.pot(), view.net_of(1), view.net_of(2)), (125, Some(-65), Some(-60)));
        assert!(view.players()[1].all_in);
    }

    #[test]
    fn a_hand_that_cannot_be_is_refused() {
        for stacks in [[0, 60], [-1, 60], [MAX_CHIPS, 1], [i64::MAX, i64::MAX]] {
            assert!(heads_up(stacks).is_err(), "{stacks:?}");
        }
    }

    #[test]
    fn a_discard_of_cards_that_one_may_not_see_is_one_of_the_unknown() {
        assert_eq!(without(&[50, UNKNOWN, UNKNOWN], &[UNKNOWN, 50]), Some(vec![UNKNOWN]));
        assert_eq!(without(&[50, UNKNOWN], &[3]), Some(vec![50]));
        assert_eq!(without(&[50, 51], &[3]), None);
    }
}

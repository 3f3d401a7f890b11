//! A player's own check of the deals: from what the referee published before, when the seeds are shown at the end.

use std::collections::BTreeMap;

use super::{DealError, FairDecks, MatchSeeds, SeatSeed, wrong};
use crate::cards::{Card, DECK_SIZE, UNKNOWN, cards_text};
use crate::hand_view::HandView;
use crate::rules::EventKind;
use crate::v1;

/// How many hands of a match are kept for the check: the newest.
const MAX_HANDS: usize = 20_000;
const BOARD_CARDS: usize = 5;

/// What a seat saw of a hand's cards, and what was published before it.
struct Dealt {
    deck_root: Vec<u8>,
    hole_cards: usize,
    seats: Vec<i32>,
    holes: Vec<(i32, Vec<Card>)>,
    board: Vec<Card>,
}

/// What one seat of a table was shown of its deals.
#[derive(Default)]
pub(crate) struct DealCheck {
    /// Counts the hands whose decks were found to be those that the seeds make.
    pub checked: u64,
    /// Says what was wrong first, empty when nothing was.
    pub fault: String,
    own_seed: Vec<u8>,
    opened: Option<v1::TableOpened>,
    closed: Option<v1::CommitmentsClosed>,
    root: Option<(i64, Vec<u8>)>,
    hands: BTreeMap<i64, Dealt>,
}

impl DealCheck {
    /// Nothing seen yet; `own_seed` is the seat's own, empty for none.
    pub fn new(own_seed: &[u8]) -> Self {
        Self { own_seed: own_seed.to_vec(), ..Self::default() }
    }

    /// Keeps the referee's commitment.
    pub fn opened(&mut self, opened: &v1::TableOpened) {
        self.opened = Some(opened.clone());
    }

    /// Keeps everybody's commitments.
    pub fn closed(&mut self, closed: &v1::CommitmentsClosed) {
        self.closed = Some(closed.clone());
    }

    /// Keeps what commits to the deck of the hand that begins; without a root the host gave the cards.
    pub fn began(&mut self, number: i64, deck_root: &[u8]) {
        self.root = (!deck_root.is_empty()).then(|| (number, deck_root.to_vec()));
    }

    /// Keeps the cards that were seen of a hand that is over.
    pub fn over(&mut self, view: &HandView) {
        let Some((_, deck_root)) = self.root.as_ref().filter(|(number, _)| *number == view.number) else {
            return;
        };
        let dealt = |kind: EventKind| view.events.iter().filter(move |event| event.kind == kind);
        let holes = dealt(EventKind::HoleDealt).filter(|event| !event.cards.contains(&UNKNOWN));
        let dealt = Dealt {
            deck_root: deck_root.clone(),
            hole_cards: view.rules.game.hole_cards,
            seats: view.seats(),
            holes: holes.map(|event| (event.seat, event.cards.clone())).collect(),
            board: dealt(EventKind::BoardDealt).flat_map(|event| event.cards.clone()).collect(),
        };
        self.hands.insert(view.number, dealt);
        if self.hands.len() > MAX_HANDS {
            self.hands.pop_first();
        }
    }

    /// Checks all hands by the seeds that are shown now; without what was published before nothing is checked.
    pub fn ended(&mut self, shown: &v1::MatchSeeds) {
        if let Err(DealError(fault)) = self.check(shown) {
            self.fault = fault;
        }
    }

    fn check(&mut self, shown: &v1::MatchSeeds) -> Result<(), DealError> {
        let (Some(opened), Some(closed)) = (&self.opened, &self.closed) else {
            return Ok(());
        };
        if shown.seats.is_empty() {
            return if self.hands.is_empty() { Ok(()) } else { wrong("hands were dealt, and the seeds are not shown") };
        }
        let seeds = self.checked_seeds(opened, closed, shown)?;
        let decks = FairDecks::new(&seeds.match_name, &seeds.match_seed()?, DECK_SIZE)?;
        for (number, dealt) in &self.hands {
            check_hand(&decks, *number, dealt)?;
            self.checked += 1;
        }
        Ok(())
    }

    fn checked_seeds(
        &self,
        opened: &v1::TableOpened,
        closed: &v1::CommitmentsClosed,
        shown: &v1::MatchSeeds,
    ) -> Result<MatchSeeds, DealError> {
        let one = |one: &v1::SeatSeed| SeatSeed {
            seat: one.seat,
            commitment: one.commitment.clone(),
            seed: one.seed.clone(),
        };
        let seeds = MatchSeeds {
            match_name: shown.match_name.clone(),
            referee_seed: shown.referee_seed.clone(),
            seats: shown.seats.iter().map(one).collect(),
        };
        if shown.match_name != opened.match_name {
            return wrong(format!("the seeds are those of match {}, not {}", shown.match_name, opened.match_name));
        }
        seeds.check(&opened.deal_commitment)?;
        if !seeds.seats.iter().map(|one| one.seat).eq(closed.seats.iter().copied()) {
            return wrong("the match has other seats than when the commitments were closed");
        }
        let published = |seat: i32| {
            closed.commitments.iter().rfind(|one| one.seat == seat).map_or(&[] as &[u8], |one| &one.commitment)
        };
        for one in &seeds.seats {
            if one.commitment != published(one.seat) {
                return wrong(format!(
                    "seat {} was committed to another seed when the commitments were closed",
                    one.seat
                ));
            }
        }
        let is_own = |one: &SeatSeed| one.seed == self.own_seed && !published(one.seat).is_empty();
        if !self.own_seed.is_empty() && !seeds.seats.iter().any(is_own) {
            return wrong("the own seed is not among those that were used");
        }
        Ok(seeds)
    }
}

fn check_hand(decks: &FairDecks, number: i64, dealt: &Dealt) -> Result<(), DealError> {
    let hand = u64::try_from(number).map_err(|_| DealError(format!("hand {number} has no deck")))?;
    let committed = decks.committed(0, hand, 0)?;
    if committed.root.as_slice() != dealt.deck_root {
        return wrong(format!("hand {number}: the deck is not the one that was committed to before it"));
    }
    let deck: Vec<Card> = committed.deck.iter().map(|&item| item as Card).collect();
    let (players, all_holes) = (dealt.seats.len(), dealt.seats.len() * dealt.hole_cards);
    if all_holes + BOARD_CARDS > deck.len() {
        return wrong(format!("hand {number}: more cards were dealt than a deck has"));
    }
    for (seat, cards) in &dealt.holes {
        let index = dealt.seats.iter().position(|dealt_in| dealt_in == seat).unwrap_or(0);
        // One card at a time, clockwise (DEAL-1).
        let right: Vec<Card> = deck[index..all_holes].iter().step_by(players).copied().collect();
        if *cards != right {
            let (was, right) = (cards_text(cards), cards_text(&right));
            return wrong(format!("hand {number}: seat {seat} was dealt {was}, not {right}"));
        }
    }
    let board = &deck[all_holes..all_holes + BOARD_CARDS];
    let right = &board[..dealt.board.len().min(BOARD_CARDS)];
    if dealt.board != right {
        let (was, right) = (cards_text(&dealt.board), cards_text(right));
        return wrong(format!("hand {number}: the board was {was}, not {right}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deals::{commit_referee, commit_seat};
    use crate::rules::{Event, TableRules};

    const MATCH: &str = "match";
    const OWN_SEED: [u8; 32] = [2; 32];

    /// Seats 1, 2 and 4 of a match; seat 2 is the own one, seat 4 gave nothing.
    fn seeds() -> v1::MatchSeeds {
        let referee_commitment = commit_referee(MATCH, &[9; 32]).expect("a commitment");
        let seat = |seat: i32, seed: &[u8]| v1::SeatSeed {
            seat,
            commitment: commit_seat(MATCH, seat, seed, &referee_commitment).map(Vec::from).unwrap_or_default(),
            seed: seed.to_vec(),
        };
        let seats = vec![seat(1, &[1; 32]), seat(2, &OWN_SEED), seat(4, &[])];
        v1::MatchSeeds { match_name: MATCH.into(), referee_seed: vec![9; 32], seats }
    }

    fn decks() -> FairDecks {
        let one = |one: &v1::SeatSeed| SeatSeed {
            seat: one.seat,
            commitment: one.commitment.clone(),
            seed: one.seed.clone(),
        };
        let shown = seeds();
        let seats = shown.seats.iter().map(one).collect();
        let seeds = MatchSeeds { match_name: shown.match_name, referee_seed: shown.referee_seed, seats };
        FairDecks::new(MATCH, &seeds.match_seed().expect("a seed"), DECK_SIZE).expect("decks")
    }

    fn event(kind: EventKind, seat: i32, cards: &[Card]) -> Event {
        let (rule, cards) = (String::new(), cards.to_vec());
        Event { kind, rule, seat, amount: 0, to: 0, cards, pot: 0, all_in: false, automatic: false }
    }

    /// Two hands that seat 2 saw to the river; `swap` exchanges two places of the deck of the second hand.
    fn check_with(swap: Option<(usize, usize)>, change: impl FnOnce(&mut v1::MatchSeeds)) -> DealCheck {
        let (mut check, shown) = (DealCheck::new(&OWN_SEED), seeds());
        let deal_commitment = commit_referee(MATCH, &[9; 32]).expect("a commitment").to_vec();
        check.opened(&v1::TableOpened { match_name: MATCH.into(), deal_commitment, ..v1::TableOpened::default() });
        let commitment = |one: &v1::SeatSeed| v1::SeedCommitted { seat: one.seat, commitment: one.commitment.clone() };
        check.closed(&v1::CommitmentsClosed {
            seats: shown.seats.iter().map(|one| one.seat).collect(),
            commitments: shown.seats.iter().filter(|one| !one.seed.is_empty()).map(commitment).collect(),
            reveal_until_unix_ms: 0,
        });
        for number in [1, 2] {
            let committed = decks().committed(0, number as u64, 0).expect("a deck");
            let mut deck: Vec<Card> = committed.deck.iter().map(|&item| item as Card).collect();
            if let Some((one, other)) = swap.filter(|_| number == 2) {
                deck.swap(one, other);
            }
            check.began(number, &committed.root);
            check.over(&seen(number, &deck));
        }
        let mut shown = shown;
        change(&mut shown);
        check.ended(&shown);
        check
    }

    fn seen(number: i64, deck: &[Card]) -> HandView {
        let config = v1::TableConfig {
            rules: Some(v1::table_config::Rules::RuleSetName("irish/full-tilt@1".into())),
            structure: v1::BettingStructure::NoLimit.into(),
            ..v1::TableConfig::default()
        };
        let player = |seat: i32| v1::PlayerSetup { seat, stack: 100, ..v1::PlayerSetup::default() };
        let began = v1::HandBegan { players: [1, 2, 4].map(player).to_vec(), ..v1::HandBegan::default() };
        let rules = TableRules::of(&config).expect("rules");
        let mut view = HandView::begin(rules, number, &began, "t", MATCH, &BTreeMap::new()).expect("a hand");
        let own: Vec<Card> = deck[1..12].iter().step_by(3).copied().collect();
        let events = [
            event(EventKind::HoleDealt, 1, &[UNKNOWN; 4]),
            event(EventKind::HoleDealt, 2, &own),
            event(EventKind::HoleDealt, 4, &[UNKNOWN; 4]),
            event(EventKind::BoardDealt, 0, &deck[12..15]),
            event(EventKind::BoardDealt, 0, &deck[15..16]),
            event(EventKind::BoardDealt, 0, &deck[16..17]),
        ];
        for event in events {
            view.fold(event).expect("an event");
        }
        view
    }

    #[test]
    fn hands_that_follow_from_the_seeds_are_found_to_be_so() {
        let check = check_with(None, |_| {});
        assert_eq!((check.checked, check.fault.as_str()), (2, ""));
    }

    #[test]
    fn one_swapped_card_is_found() {
        for (swap, what) in [((12, 40), "hand 2: the board was"), ((4, 40), "hand 2: seat 2 was dealt")] {
            let check = check_with(Some(swap), |_| {});
            assert_eq!(check.checked, 1);
            assert!(check.fault.starts_with(what), "{}", check.fault);
        }
        // What was exchanged among cards that nobody was shown is not seen, and is what the root is for.
        assert_eq!(check_with(Some((0, 40)), |_| {}).checked, 2);
    }

    #[test]
    fn seeds_that_are_not_the_committed_ones_are_found() {
        type Change = fn(&mut v1::MatchSeeds);
        let cases: [(Change, &str); 7] = [
            (|seeds| seeds.referee_seed[0] ^= 1, "the referee's seed is not the committed one"),
            (|seeds| seeds.seats[0].seed[0] ^= 1, "seat 1's seed is not the committed one"),
            (|seeds| seeds.seats[0].seed.clear(), "hand 1: the deck is not the one that was committed to before it"),
            (|seeds| seeds.seats[1].seed.clear(), "the own seed is not among those that were used"),
            (|seeds| seeds.seats[2].commitment = vec![3; 32], "seat 4 was committed to another seed"),
            (|seeds| drop(seeds.seats.pop()), "the match has other seats"),
            (|seeds| seeds.seats.clear(), "hands were dealt, and the seeds are not shown"),
        ];
        for (change, fault) in cases {
            let check = check_with(None, change);
            assert_eq!(check.checked, 0, "{fault}");
            assert!(check.fault.starts_with(fault), "{} for {fault}", check.fault);
        }
    }
}

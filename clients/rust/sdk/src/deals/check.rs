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

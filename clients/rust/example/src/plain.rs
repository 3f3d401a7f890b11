//! The strategy `plain`: deterministic, and the same in the example bots of all languages.

use referee_client::cards::{Card, rank, suit};
use referee_client::{Action, Decision};

const ACE: i8 = 12;
const TEN: i8 = 8;

/// Answers a decision.
pub fn decide(decision: &Decision) -> Action {
    if decision.must_discard() > 0 {
        return decision.discard(&to_discard(&decision.legal.held, decision.must_discard(), &decision.board));
    }
    if decision.board.is_empty() { before_the_flop(decision) } else { after_the_flop(decision) }
}

fn before_the_flop(decision: &Decision) -> Action {
    let big_blind = decision.big_blind();
    if is_good(&decision.hole) {
        if decision.level <= big_blind {
            return decision.bet_or_raise(3 * big_blind);
        }
        return decision.check_or_call();
    }
    if decision.to_call() <= 2 * big_blind { decision.check_or_call() } else { decision.check_or_fold() }
}

fn after_the_flop(decision: &Decision) -> Action {
    let (to_call, pot) = (decision.to_call(), decision.pot);
    match matches(&decision.hole, &decision.board) {
        2.. if decision.level == 0 => decision.bet_pot(75),
        2.. => decision.check_or_call(),
        1 if 2 * to_call <= pot => decision.check_or_call(),
        0 if draws_to_a_flush(&decision.hole, &decision.board) && 4 * to_call <= pot => decision.check_or_call(),
        _ => decision.check_or_fold(),
    }
}

/// Two cards of one rank from the ten up, or an ace with another card of its suit.
fn is_good(hole: &[Card]) -> bool {
    pairs(hole).any(|(one, other)| {
        (rank(one) == rank(other) && rank(one) >= TEN)
            || (suit(one) == suit(other) && (rank(one) == ACE || rank(other) == ACE))
    })
}

/// How many hole cards are paired with the board, and one more for a pair in the hole.
fn matches(hole: &[Card], board: &[Card]) -> usize {
    let on_the_board = hole.iter().filter(|&&card| is_on(board, card)).count();
    on_the_board + usize::from(pairs(hole).any(|(one, other)| rank(one) == rank(other)))
}

fn draws_to_a_flush(hole: &[Card], board: &[Card]) -> bool {
    let of = |cards: &[Card], wanted: i8| cards.iter().filter(|&&card| suit(card) == wanted).count();
    board.len() < 5 && (0..4).any(|wanted| of(hole, wanted) > 0 && of(hole, wanted) + of(board, wanted) >= 4)
}

/// The cards to give up: those outside the choice of kept cards that scores highest, the first of equals.
fn to_discard(held: &[Card], count: usize, board: &[Card]) -> Vec<Card> {
    let mut best: Option<(i32, Vec<usize>)> = None;
    for kept in combinations(held.len(), held.len().saturating_sub(count)) {
        let cards: Vec<Card> = kept.iter().map(|&place| held[place]).collect();
        let score = score(&cards, board);
        if best.as_ref().is_none_or(|(highest, _)| score > *highest) {
            best = Some((score, kept));
        }
    }
    let kept = best.map(|(_, kept)| kept).unwrap_or_default();
    (0..held.len()).filter(|place| !kept.contains(place)).map(|place| held[place]).collect()
}

fn score(kept: &[Card], board: &[Card]) -> i32 {
    let ranks: i32 = kept.iter().map(|&card| i32::from(rank(card))).sum();
    let paired = pairs(kept).filter(|(one, other)| rank(*one) == rank(*other));
    let paired: i32 = paired.map(|(card, _)| 60 + i32::from(rank(card))).sum();
    let matched = kept.iter().filter(|&&card| is_on(board, card));
    let matched: i32 = matched.map(|&card| 40 + i32::from(rank(card))).sum();
    let is_suited = kept.windows(2).all(|two| suit(two[0]) == suit(two[1]));
    let helps = kept.first().is_some_and(|&first| board.iter().filter(|&&card| suit(card) == suit(first)).count() >= 2);
    ranks + paired + matched + if is_suited && helps { 50 } else { 0 }
}

fn is_on(board: &[Card], card: Card) -> bool {
    board.iter().any(|&other| rank(other) == rank(card))
}

fn pairs(cards: &[Card]) -> impl Iterator<Item = (Card, Card)> {
    (1..cards.len()).flat_map(move |right| (0..right).map(move |left| (cards[left], cards[right])))
}

/// Every choice of `count` places out of `places`, in lexicographic order.
fn combinations(places: usize, count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for last in count..=places {
        for mut some in combinations(last - 1, count - 1) {
            some.push(last - 1);
            all.push(some);
        }
    }
    all.sort();
    all
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use referee_client::cards::{parse_cards, parse_row};
    use referee_client::{LegalOptions, v1};
    use serde_json::Value;

    use super::*;
    use crate::testing::decision_of;

    #[test]
    fn combinations_come_in_lexicographic_order() {
        let expected = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
        assert_eq!(combinations(4, 2), expected.map(|two| two.to_vec()));
        assert_eq!(combinations(5, 3).len(), 10);
        assert_eq!(combinations(2, 0), [Vec::<usize>::new()]);
    }

    #[test]
    fn the_best_cards_are_kept_and_the_first_of_equals() {
        let cards = |text: &str| parse_row(text).expect("cards");
        assert_eq!(to_discard(&cards("Ah 9c 9d Kh"), 2, &cards("2c 3d 4s")), cards("Ah Kh"));
        assert_eq!(to_discard(&cards("Ah 2h 9d Kc"), 2, &cards("5h 7h 4s")), cards("9d Kc"));
        assert_eq!(to_discard(&cards("9c 9d 9h 9s"), 2, &[]), cards("9h 9s"));
    }

    /// What the example bots of all languages answer; a missing file fails.
    #[test]
    fn every_answer_is_that_of_the_other_languages() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/strategy.json");
        let file: Value = serde_json::from_str(&fs::read_to_string(path).expect("strategy.json")).expect("JSON");
        let cases = file["cases"].as_array().expect("cases");
        assert!(!cases.is_empty());
        for case in cases {
            assert_eq!(decide(&decision_in(case)), answer_in(&case["answer"]), "{case}");
        }
    }

    fn number(value: &Value) -> i64 {
        value.as_i64().expect("a number")
    }

    fn cards_in(value: &Value) -> Vec<Card> {
        let texts: Vec<&str> =
            value.as_array().expect("cards").iter().map(|one| one.as_str().expect("a card")).collect();
        parse_cards(&texts).expect("cards")
    }

    fn decision_in(case: &Value) -> Decision {
        let legal = &case["legal"];
        let wager = if legal["wager"] == "RAISE" { v1::WagerKind::Raise } else { v1::WagerKind::Bet };
        let mut decision = decision_of(LegalOptions {
            seat: 1,
            decision_id: 1,
            fold: legal["can_fold"] == true,
            check: legal["can_check"] == true,
            call: number(&legal["amount_to_call"]),
            wager,
            min_to: number(&legal["min_raise_to"]),
            max_to: number(&legal["max_raise_to"]),
            step: number(&legal["raise_step"]).max(1),
            discard: number(&legal["cards_to_discard"]) as usize,
            held: cards_in(&legal["held_cards"]),
        });
        decision.rules.stakes.big_blind = number(&case["big_blind"]);
        (decision.hole, decision.board) = (cards_in(&case["hole"]), cards_in(&case["board"]));
        (decision.pot, decision.level) = (number(&case["pot"]), number(&case["level"]));
        decision
    }

    fn answer_in(answer: &Value) -> Action {
        match answer["action"].as_str().expect("an action") {
            "fold" => Action::Fold,
            "check" => Action::Check,
            "call" => Action::Call,
            "bet" => Action::Bet(number(&answer["to"])),
            "raise" => Action::Raise(number(&answer["to"])),
            "discard" => Action::Discard(cards_in(&answer["cards"])),
            other => panic!("{other} is no action"),
        }
    }
}

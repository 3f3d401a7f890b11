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
    if decision.street == 0 { before_the_flop(decision) } else { after_the_flop(decision) }
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
    use super::*;

    #[test]
    fn combinations_come_in_lexicographic_order() {
        let expected = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
        assert_eq!(combinations(4, 2), expected.map(|two| two.to_vec()));
        assert_eq!(combinations(5, 3).len(), 10);
    }

    #[test]
    fn a_pair_is_kept_and_the_first_of_equals() {
        let cards = |text: &str| -> Vec<Card> {
            text.split(' ').map(|card| referee_client::cards::parse_card(card).expect("a card")).collect()
        };
        assert_eq!(to_discard(&cards("Ah 9c 9d Kh"), 2, &cards("2c 3d 4s")), cards("Ah Kh"));
        assert_eq!(to_discard(&cards("Ah 2h 9d Kc"), 2, &cards("5h 7h 4s")), cards("9d Kc"));
        assert_eq!(to_discard(&cards("9c 9d 9h 9s"), 2, &[]), cards("9h 9s"));
    }
}

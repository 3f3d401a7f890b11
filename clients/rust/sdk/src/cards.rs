//! Cards as small integers, `4 * rank + suit`, and as text such as `Ah`.

use crate::error::Broken;

/// A card: `4 * rank + suit` with ranks 0 (deuce) to 12 (ace) and suits 0 to 3 (clubs, diamonds, hearts, spades), or
/// [`UNKNOWN`].
pub type Card = i8;

/// A card that one may not see, written `??`.
pub const UNKNOWN: Card = -1;

/// How many cards a deck has.
pub const DECK_SIZE: usize = 52;

const RANKS: &[u8; 13] = b"23456789TJQKA";
const SUITS: &[u8; 4] = b"cdhs";

/// The rank, 0 for a deuce to 12 for an ace; -1 for a card that is not known.
pub fn rank(card: Card) -> i8 {
    if card < 0 { -1 } else { card / 4 }
}

/// The suit, 0 to 3 for clubs, diamonds, hearts, spades; -1 for a card that is not known.
pub fn suit(card: Card) -> i8 {
    if card < 0 { -1 } else { card % 4 }
}

/// The text of a card, such as `Ah`; `??` for one that is not known.
pub fn card_text(card: Card) -> String {
    match usize::try_from(card) {
        Ok(known) if known < DECK_SIZE => [RANKS[known / 4], SUITS[known % 4]].map(char::from).iter().collect(),
        _ => "??".to_owned(),
    }
}

/// The texts of cards with spaces between them.
pub fn cards_text(cards: &[Card]) -> String {
    cards.iter().map(|&card| card_text(card)).collect::<Vec<_>>().join(" ")
}

/// Reads a card such as `Ah`, or `??`; fails for any other text.
pub fn parse_card(text: &str) -> Result<Card, Broken> {
    if text == "??" {
        return Ok(UNKNOWN);
    }
    let found = match text.as_bytes() {
        [rank, suit] => RANKS.iter().position(|r| r == rank).zip(SUITS.iter().position(|s| s == suit)),
        _ => None,
    };
    let (rank, suit) = found.ok_or_else(|| Broken(format!("{text:?} is no card")))?;
    Ok((4 * rank + suit) as Card)
}

/// Reads several cards, each a text of its own.
pub fn parse_cards<T: AsRef<str>>(texts: &[T]) -> Result<Vec<Card>, Broken> {
    texts.iter().map(|text| parse_card(text.as_ref())).collect()
}

/// Reads cards in a row, with or without spaces between them, such as `Ah Kd` or `AhKd`.
pub fn parse_row(text: &str) -> Result<Vec<Card>, Broken> {
    let mut row = Vec::new();
    for word in text.split_whitespace() {
        let letters: Vec<char> = word.chars().collect();
        for card in letters.chunks(2) {
            row.push(parse_card(&card.iter().collect::<String>())?);
        }
    }
    Ok(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_has_one_text_and_is_read_back() {
        for card in 0..DECK_SIZE as Card {
            assert_eq!(parse_card(&card_text(card)), Ok(card));
        }
        assert_eq!([0, 51, UNKNOWN].map(card_text), ["2c", "As", "??"]);
        assert_eq!((rank(51), suit(51), rank(UNKNOWN), suit(UNKNOWN)), (12, 3, -1, -1));
    }

    #[test]
    fn what_is_no_card_is_refused() {
        for text in ["", "A", "Ahh", "1h", "AH", "ah", "10h", "? ", "é"] {
            assert!(parse_card(text).is_err(), "{text}");
        }
    }
}

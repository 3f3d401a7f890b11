package referee

import (
	"fmt"
	"strings"
)

// Card is a card as a small integer (GAME-5): 4 * rank + suit. Rank 0 is the deuce and 12 the ace; suits are clubs,
// diamonds, hearts and spades.
type Card int8

// Unknown is a card that was dealt but that the seat may not see; it is written ??.
const Unknown Card = -1

const (
	rankLetters = "23456789TJQKA"
	suitLetters = "cdhs"
	deckSize    = 52
	boardCards  = 5
)

// Rank returns 0 for a deuce up to 12 for an ace; -1 for an unknown card.
func (c Card) Rank() int {
	if c < 0 {
		return -1
	}
	return int(c) / 4
}

// Suit returns 0 for clubs, 1 for diamonds, 2 for hearts, 3 for spades; -1 for an unknown card.
func (c Card) Suit() int {
	if c < 0 {
		return -1
	}
	return int(c) % 4
}

// String writes a card as ParseCard reads it, such as Ah or Td.
func (c Card) String() string {
	if c < 0 || c >= deckSize {
		return "??"
	}
	return string([]byte{rankLetters[c/4], suitLetters[c%4]})
}

// ParseCard reads one card such as Ah or Td; ?? is an unknown card. There is one spelling for each card.
func ParseCard(text string) (Card, error) {
	if text == "??" {
		return Unknown, nil
	}
	if len(text) == 2 {
		rank, suit := strings.IndexByte(rankLetters, text[0]), strings.IndexByte(suitLetters, text[1])
		if rank >= 0 && suit >= 0 {
			return Card(4*rank + suit), nil
		}
	}
	return Unknown, fmt.Errorf("%q is not a card; expected a rank of %s and a suit of %s, such as Ah or Td",
		text, rankLetters, suitLetters)
}

// ParseCards reads cards written one after another, with or without spaces: AhKd or Ah Kd.
func ParseCards(text string) ([]Card, error) {
	packed := strings.ReplaceAll(text, " ", "")
	if len(packed)%2 != 0 {
		return nil, fmt.Errorf("%q is not a row of cards; expected two characters for each card", text)
	}
	cards := make([]Card, 0, len(packed)/2)
	for at := 0; at < len(packed); at += 2 {
		card, err := ParseCard(packed[at : at+2])
		if err != nil {
			return nil, err
		}
		cards = append(cards, card)
	}
	return cards, nil
}

// CardsText writes cards in the order given, with spaces between them.
func CardsText(cards []Card) string {
	return strings.Join(cardTexts(cards), " ")
}

func cardTexts(cards []Card) []string {
	texts := make([]string, len(cards))
	for at, card := range cards {
		texts[at] = card.String()
	}
	return texts
}

func cardsOf(texts []string) ([]Card, error) {
	cards := make([]Card, len(texts))
	for at, text := range texts {
		card, err := ParseCard(text)
		if err != nil {
			return nil, err
		}
		cards[at] = card
	}
	return cards, nil
}

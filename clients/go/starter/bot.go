// A bot for the Irish poker referee. Change decide; nothing else is needed.
package main

import (
	"slices"

	"irish.example/referee"
	"irish.example/referee/botmain"
)

func main() {
	botmain.Main(referee.Simple(decide))
}

// decide answers one decision. Cards have Rank, 0 for a deuce up to 12 for an ace, and Suit.
func decide(decision *referee.Decision) referee.Proposal {
	if decision.MustDiscard() > 0 {
		return decision.Discard(lowest(decision.Legal.Held, decision.MustDiscard())...)
	}
	matches := 0
	for _, card := range decision.Hole {
		for _, other := range decision.Board {
			if card.Rank() == other.Rank() {
				matches++
			}
		}
	}
	switch {
	case matches >= 2:
		return decision.BetPot(75)
	case matches == 1, decision.ToCall() <= decision.BigBlind():
		return decision.CheckOrCall()
	}
	return decision.CheckOrFold()
}

// lowest returns so many of the lowest cards.
func lowest(cards []referee.Card, count int) []referee.Card {
	sorted := slices.Clone(cards)
	slices.Sort(sorted)
	return sorted[:count]
}

package main

import (
	"strings"

	"irish.example/referee"
)

// conformance does what the name of the match wishes, conformance.WISH or conformance.WISH.N, so that a scripted referee
// knows what it will hear. At any other match it plays plainly.
func conformance(decision *referee.Decision) referee.Proposal {
	name, isWish := strings.CutPrefix(decision.MatchName, "conformance.")
	if !isWish {
		return plain(decision)
	}
	wish, _, _ := strings.Cut(name, ".")
	if decision.MustDiscard() > 0 {
		return decision.Discard(firstCards(decision, wish)...)
	}
	switch wish {
	case "check-or-call", "wrong-discard":
		return decision.CheckOrCall()
	case "check-or-fold":
		return decision.CheckOrFold()
	case "min-raise":
		return decision.BetOrRaise(decision.Legal.MinTo)
	case "max-raise":
		return decision.BetOrRaise(decision.Legal.MaxTo)
	case "all-in":
		return decision.AllInOrCall()
	case "bet-pot":
		return decision.BetPot(100)
	case "refused-first":
		if decision.Refusal == nil {
			return decision.RaiseTo(decision.Stack() + decision.Level + 1)
		}
		return decision.CheckOrCall()
	}
	return plain(decision)
}

// firstCards are as many of the first cards as are to be discarded, or, where the wish is to be refused first, others.
func firstCards(decision *referee.Decision, wish string) []referee.Card {
	count := decision.MustDiscard()
	if wish == "wrong-discard" && decision.Refusal == nil {
		if count > 1 {
			count--
		} else {
			count++
		}
	}
	return decision.Legal.Held[:min(count, len(decision.Legal.Held))]
}

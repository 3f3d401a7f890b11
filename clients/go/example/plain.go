package main

import (
	"slices"

	"irish.example/referee"
)

const (
	rankOfTen = 8
	rankOfAce = 12
)

// plain is the strategy that the example bots of all languages play; clients/vectors/strategy.json fixes its answers.
func plain(decision *referee.Decision) referee.Proposal {
	switch {
	case decision.MustDiscard() > 0:
		return decision.Discard(worst(decision.Legal.Held, decision.MustDiscard(), decision.Board)...)
	case len(decision.Board) == 0:
		return beforeTheFlop(decision)
	}
	return afterTheFlop(decision)
}

func beforeTheFlop(decision *referee.Decision) referee.Proposal {
	switch {
	case isGood(decision.Hole):
		if decision.Level <= decision.BigBlind() {
			return decision.BetOrRaise(3 * decision.BigBlind())
		}
		return decision.CheckOrCall()
	case decision.ToCall() <= 2*decision.BigBlind():
		return decision.CheckOrCall()
	}
	return decision.CheckOrFold()
}

// isGood says whether two hole cards are a pair of tens or better, or an ace has another card of its suit.
func isGood(hole []referee.Card) bool {
	return anyTwo(hole, func(one, other referee.Card) bool {
		isPair := one.Rank() == other.Rank() && one.Rank() >= rankOfTen
		hasSuitedAce := one.Suit() == other.Suit() && max(one.Rank(), other.Rank()) == rankOfAce
		return isPair || hasSuitedAce
	})
}

func afterTheFlop(decision *referee.Decision) referee.Proposal {
	matches := 0
	for _, card := range decision.Hole {
		if hasRank(decision.Board, card.Rank()) {
			matches++
		}
	}
	if anyTwo(decision.Hole, func(one, other referee.Card) bool { return one.Rank() == other.Rank() }) {
		matches++
	}
	switch {
	case matches >= 2 && decision.Level == 0:
		return decision.BetPot(75)
	case matches >= 2,
		matches == 1 && 2*decision.ToCall() <= decision.Pot,
		matches == 0 && drawsToAFlush(decision.Hole, decision.Board) && 4*decision.ToCall() <= decision.Pot:
		return decision.CheckOrCall()
	}
	return decision.CheckOrFold()
}

func drawsToAFlush(hole, board []referee.Card) bool {
	if len(board) >= 5 {
		return false
	}
	for _, card := range hole {
		if countSuit(hole, card.Suit())+countSuit(board, card.Suit()) >= 4 {
			return true
		}
	}
	return false
}

// worst returns the cards that are not among those that score best when kept.
func worst(held []referee.Card, discards int, board []referee.Card) []referee.Card {
	var best []int
	bestScore := -1
	for kept := range combinations(len(held), len(held)-discards) {
		if score := scoreOf(held, kept, board); score > bestScore {
			best, bestScore = slices.Clone(kept), score
		}
	}
	var rest []referee.Card
	for at, card := range held {
		if !slices.Contains(best, at) {
			rest = append(rest, card)
		}
	}
	return rest
}

func scoreOf(held []referee.Card, kept []int, board []referee.Card) int {
	score, suit, isOfOneSuit := 0, held[kept[0]].Suit(), true
	for turn, at := range kept {
		card := held[at]
		score += card.Rank()
		if hasRank(board, card.Rank()) {
			score += 40 + card.Rank()
		}
		for _, earlier := range kept[:turn] {
			if held[earlier].Rank() == card.Rank() {
				score += 60 + card.Rank()
			}
		}
		isOfOneSuit = isOfOneSuit && card.Suit() == suit
	}
	if isOfOneSuit && countSuit(board, suit) >= 2 {
		score += 50
	}
	return score
}

// combinations yields the ways to choose so many of the positions 0 to all - 1, in lexicographic order.
func combinations(all, chosen int) func(func([]int) bool) {
	return func(yield func([]int) bool) {
		positions := make([]int, chosen)
		for at := range positions {
			positions[at] = at
		}
		for yield(positions) {
			at := chosen - 1
			for at >= 0 && positions[at] == all-chosen+at {
				at--
			}
			if at < 0 {
				return
			}
			positions[at]++
			for next := at + 1; next < chosen; next++ {
				positions[next] = positions[next-1] + 1
			}
		}
	}
}

func anyTwo(cards []referee.Card, fits func(one, other referee.Card) bool) bool {
	for at, card := range cards {
		for _, other := range cards[at+1:] {
			if fits(card, other) {
				return true
			}
		}
	}
	return false
}

func hasRank(cards []referee.Card, rank int) bool {
	return slices.ContainsFunc(cards, func(card referee.Card) bool { return card.Rank() == rank })
}

func countSuit(cards []referee.Card, suit int) int {
	count := 0
	for _, card := range cards {
		if card.Suit() == suit {
			count++
		}
	}
	return count
}

package main

import (
	"fmt"
	"slices"
	"testing"

	"irish.example/referee"
	"irish.example/referee/internal/vectors"
)

func parse(t *testing.T, texts []string) []referee.Card {
	t.Helper()
	var cards []referee.Card
	for _, text := range texts {
		card, err := referee.ParseCard(text)
		if err != nil {
			t.Fatal(err)
		}
		cards = append(cards, card)
	}
	return cards
}

func TestStrategyVectors(t *testing.T) {
	var file struct {
		Cases []struct {
			Table       string
			BigBlind    int64 `json:"big_blind"`
			Hole, Board []string
			Pot, Level  int64
			Legal       struct {
				Seat           int
				CanFold        bool  `json:"can_fold"`
				CanCheck       bool  `json:"can_check"`
				AmountToCall   int64 `json:"amount_to_call"`
				Wager          string
				MinRaiseTo     int64    `json:"min_raise_to"`
				MaxRaiseTo     int64    `json:"max_raise_to"`
				RaiseStep      int64    `json:"raise_step"`
				CardsToDiscard int      `json:"cards_to_discard"`
				HeldCards      []string `json:"held_cards"`
			}
			Answer struct {
				Action string
				To     int64
				Cards  []string
			}
		}
	}
	vectors.Load(t, "strategy.json", &file)
	kinds := map[string]referee.ActionKind{
		"fold": referee.Fold, "check": referee.Check, "call": referee.Call, "bet": referee.Bet, "raise": referee.Raise,
		"discard": referee.Discard,
	}
	answers := map[string]int{}
	for at, one := range file.Cases {
		legal := referee.LegalOptions{
			Seat: one.Legal.Seat, Fold: one.Legal.CanFold, Check: one.Legal.CanCheck, Call: one.Legal.AmountToCall,
			Wager: referee.Bet, MinTo: one.Legal.MinRaiseTo, MaxTo: one.Legal.MaxRaiseTo,
			Step: max(one.Legal.RaiseStep, 1), Discard: one.Legal.CardsToDiscard, Held: parse(t, one.Legal.HeldCards),
		}
		if one.Legal.Wager == "RAISE" {
			legal.Wager = referee.Raise
		}
		decision := &referee.Decision{
			Seat: legal.Seat, Stakes: referee.Stakes{BigBlind: one.BigBlind}, Hole: parse(t, one.Hole),
			Board: parse(t, one.Board), Pot: one.Pot, Level: one.Level, Legal: legal,
		}
		got := plain(decision)
		want := one.Answer
		if got.Kind != kinds[want.Action] || got.To != want.To || !slices.Equal(got.Cards, parse(t, want.Cards)) {
			t.Errorf("case %d, %s: got %v; want %v", at, one.Table, got, want)
		}
		answers[want.Action]++
	}
	for action := range kinds {
		if answers[action] == 0 {
			t.Errorf("no vector answers with %s", action)
		}
	}
}

func TestWishes(t *testing.T) {
	betting := &referee.Decision{
		Seat: 1, Level: 20, Pot: 30, Players: []referee.Player{{Seat: 1, Stack: 500}}, Board: parse(t, []string{"2c"}),
		Legal: referee.LegalOptions{Seat: 1, Fold: true, Call: 20, Wager: referee.Raise, MinTo: 40, MaxTo: 500, Step: 1},
	}
	capped := *betting
	capped.Legal.MinTo, capped.Legal.MaxTo = 0, 0
	refused := *betting
	refused.Refusal = &referee.Ruling{}
	held := parse(t, []string{"Ah", "Kd", "2c", "3s"})
	discarding := &referee.Decision{Seat: 1, Legal: referee.LegalOptions{Discard: 2, Held: held}}
	discardingOne := &referee.Decision{Seat: 1, Legal: referee.LegalOptions{Discard: 1, Held: held[:3]}}
	discardingAgain := *discarding
	discardingAgain.Refusal = &referee.Ruling{}
	for _, one := range []struct {
		name     string
		decision *referee.Decision
		want     referee.Proposal
	}{
		{"conformance.check-or-call", betting, betting.Call()},
		{"conformance.check-or-fold.7", betting, betting.Fold()},
		{"conformance.min-raise", betting, betting.RaiseTo(40)},
		{"conformance.min-raise", &capped, capped.Call()},
		{"conformance.max-raise", betting, betting.RaiseTo(500)},
		{"conformance.max-raise.2", &capped, capped.Call()},
		{"conformance.all-in", betting, betting.RaiseTo(500)},
		{"conformance.bet-pot", betting, betting.RaiseTo(70)},
		{"conformance.refused-first", betting, betting.RaiseTo(521)},
		{"conformance.refused-first", &refused, refused.Call()},
		{"conformance.refused-first", discarding, discarding.Discard(held[:2]...)},
		{"conformance.wrong-discard", betting, betting.Call()},
		{"conformance.wrong-discard", discarding, discarding.Discard(held[:1]...)},
		{"conformance.wrong-discard", discardingOne, discardingOne.Discard(held[:2]...)},
		{"conformance.wrong-discard", &discardingAgain, discardingAgain.Discard(held[:2]...)},
		{"conformance.check-or-call", discarding, discarding.Discard(held[:2]...)},
		{"conformance.a wish of tomorrow", betting, plain(betting)},
		{"another match", discarding, plain(discarding)},
	} {
		decision := *one.decision
		decision.MatchName = one.name
		if got := conformance(&decision); fmt.Sprint(got) != fmt.Sprint(one.want) {
			t.Errorf("%s: got %v; want %v", one.name, got, one.want)
		}
	}
}

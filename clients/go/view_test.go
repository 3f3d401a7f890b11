package referee

import "testing"

// dealt is a hand of three players, each with three cards of which one is discarded while nobody is told who has.
func dealt(t *testing.T) *HandView {
	t.Helper()
	rules := &tableRules{
		ruleSet: RuleSet{Game: Game{3, 1, AfterFlopBetting, Hidden}, HideDiscardProgress: true},
		limit:   NoLimit,
		stakes:  Stakes{SmallBlind: 5, BigBlind: 10, ChipUnit: 1},
	}
	setup := &handSetup{
		tableRules: rules, handID: "hand", seats: []int{1, 2, 3}, stacks: []int64{100, 100, 10},
		buttonSeat: 3, smallBlindSeat: 1, bigBlindSeat: 2,
	}
	view := newHandView(setup, 1, "table", "match", nil)
	hidden := []Card{Unknown, Unknown, Unknown}
	fold(t, view,
		Event{Kind: AntePosted, Seat: 1, Amount: 1},
		Event{Kind: DeadPosted, Seat: 2, Amount: 2},
		Event{Kind: BlindPosted, Seat: 1, Amount: 5, To: 5},
		Event{Kind: BlindPosted, Seat: 2, Amount: 10, To: 10},
		Event{Kind: HoleDealt, Seat: 1, Cards: []Card{0, 1, 2}},
		Event{Kind: HoleDealt, Seat: 2, Cards: hidden},
		Event{Kind: HoleDealt, Seat: 3, Cards: hidden},
		Event{Kind: Called, Seat: 3, Amount: 10, To: 10, AllIn: true},
	)
	return view
}

func fold(t *testing.T, view *HandView, events ...Event) {
	t.Helper()
	for _, event := range events {
		if err := view.fold(event); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTheFoldCountsEveryKindOfChips(t *testing.T) {
	view := dealt(t)
	same(t, "seat", view.Seat, 1)
	same(t, "pot", view.Pot(), 28)
	players := view.Players()
	same(t, "stack after ante and blind", players[0].Stack, 94)
	same(t, "bet, without the ante", players[0].Bet, 5)
	same(t, "put in, with the ante", players[0].PutIn, 6)
	same(t, "dead money is in nobody's total", players[1].PutIn, 10)
	same(t, "stack after dead money", players[1].Stack, 88)
	same(t, "all-in", players[2].AllIn, true)
	same(t, "level", view.level, 10)
	fold(t, view, Event{Kind: BetReturned, Seat: 2, Amount: 4}, Event{Kind: PotAwarded, Seat: 3, Amount: 20})
	same(t, "pot after a return", view.Pot(), 24)
	same(t, "won", view.Net(3), 10)
	same(t, "who was not dealt in", view.Net(9), 0)
}

func TestAFoldThatWasHiddenIsSeenWhenItIsShown(t *testing.T) {
	view := dealt(t)
	fold(t, view, Event{Kind: BoardDealt, Cards: []Card{10, 11, 12}}, Event{Kind: DiscardsOpened})
	same(t, "level of a new street", view.level, 0)
	same(t, "bets of a new street", view.Players()[1].Bet, 0)
	fold(t, view, Event{Kind: Discarded, Seat: 1, Cards: []Card{1}})
	same(t, "kept", CardsText(view.Hole()), "2c 2h")
	same(t, "another's discard is not known", view.Players()[1].Discarded, false)
	same(t, "another's fold is not known", view.Players()[1].Live, true)
	fold(t, view, Event{Kind: LateFoldShown, Seat: 2}, Event{Kind: DiscardsClosed})
	same(t, "who folded by DISC-8", view.Players()[1].Live, false)
	same(t, "who is left has discarded", view.Players()[2].Discarded, true)
	same(t, "who folded has not", view.Players()[1].Discarded, false)
}

func TestAnOwnFoldThatIsShownLaterIsNotFoldedTwice(t *testing.T) {
	view := dealt(t)
	fold(t, view, Event{Kind: DiscardsOpened}, Event{Kind: Folded, Seat: 1, Rule: "DISC-8"})
	same(t, "live", view.Players()[0].Live, false)
	fold(t, view, Event{Kind: LateFoldShown, Seat: 1}, Event{Kind: HandEnded})
	same(t, "live", view.Players()[0].Live, false)
	same(t, "over", view.Over(), true)
}

func TestABotThatChangesItsDecisionDoesNotChangeTheHand(t *testing.T) {
	view := dealt(t)
	options := LegalOptions{Seat: 1, Held: []Card{0, 1, 2}}
	decision, err := view.decision(options, false, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	decision.Hole[0], decision.Legal.Held[0], decision.Players[0].Stack = 9, 9, 0
	decision.Events[4].Cards[0] = 9
	same(t, "hole", CardsText(view.Hole()), "2c 2d 2h")
	same(t, "options", options.Held[0], 0)
	same(t, "stack", view.Players()[0].Stack, 94)
}

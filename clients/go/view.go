package referee

import (
	"fmt"
	"slices"
)

// HandView is a hand as one seat sees it: a fold over that seat's view of the events, hidden cards and all.
type HandView struct {
	// Number is the hand's number at its table, from 1.
	Number  int64
	TableID string
	// Seat is the seat whose cards the events tell; 0 before they are dealt.
	Seat   int
	Events []Event

	setup     *handSetup
	matchName string
	names     map[int]string
	players   []playerState
	dead      int64
	board     []Card
	joined    []Card
	street    int
	level     int64
	// discardsDone says that there is no discard round, or that it is closed.
	discardsDone bool
	over         bool
}

// playerState is what the fold keeps of a player.
type playerState struct {
	stack, bet, total     int64
	live                  bool
	hole, kept, discarded []Card
	hasDiscarded          bool
	shown                 []Card
}

func newHandView(setup *handSetup, number int64, tableID, matchName string, names map[int]string) *HandView {
	view := &HandView{
		Number:       number,
		TableID:      tableID,
		setup:        setup,
		matchName:    matchName,
		names:        names,
		players:      make([]playerState, len(setup.seats)),
		level:        setup.stakes.BigBlind,
		discardsDone: setup.ruleSet.Game.Discards == 0,
	}
	for place := range view.players {
		view.players[place].stack = setup.stacks[place]
		view.players[place].live = true
	}
	return view
}

// HandID returns the id that proposals name.
func (v *HandView) HandID() string { return v.setup.handID }

// Over says whether everything is settled.
func (v *HandView) Over() bool { return v.over }

// Board returns what counts for everybody, discards that joined it last.
func (v *HandView) Board() []Card { return slices.Concat(v.board, v.joined) }

// Pot returns every chip in the middle, until pots are awarded.
func (v *HandView) Pot() int64 {
	pot := v.dead
	for place := range v.players {
		pot += v.players[place].total
	}
	return pot
}

// Hole returns the cards that the seat still holds.
func (v *HandView) Hole() []Card {
	if place := v.place(v.Seat); place >= 0 {
		return slices.Clone(v.players[place].kept)
	}
	return nil
}

// Net returns what a seat has won or lost in this hand so far, in chips; 0 for a seat that was not dealt in.
func (v *HandView) Net(seat int) int64 {
	if place := v.place(seat); place >= 0 {
		return v.players[place].stack - v.setup.stacks[place]
	}
	return 0
}

// Players returns the players dealt in, clockwise from the left of the button.
func (v *HandView) Players() []Player {
	everybodyHas := v.discardsDone && v.setup.ruleSet.Game.Discards > 0
	players := make([]Player, len(v.players))
	for place := range v.players {
		state, seat := &v.players[place], v.setup.seats[place]
		players[place] = Player{
			Seat:      seat,
			Name:      v.names[seat],
			Stack:     state.stack,
			Bet:       state.bet,
			PutIn:     state.total,
			Live:      state.live,
			AllIn:     state.live && state.stack == 0,
			Discarded: state.hasDiscarded || (everybodyHas && state.live),
			Shown:     slices.Clone(state.shown),
		}
	}
	return players
}

// Show proposes to turn up one's hand after it is over (SHOW-2, SHOW-7).
func (v *HandView) Show() Proposal {
	return Proposal{Kind: Show, Seat: v.Seat, HandID: v.setup.handID}
}

// fold takes the next event of the view; an error says that the event does not fit the hand.
func (v *HandView) fold(event Event) error {
	place := v.place(event.Seat)
	if event.Seat != 0 && place < 0 {
		return fmt.Errorf("hand %d: an event of seat %d, which was not dealt in", v.Number, event.Seat)
	}
	if place < 0 && belongsToASeat(event.Kind) {
		return fmt.Errorf("hand %d: an event of kind %d that names no seat", v.Number, event.Kind)
	}
	v.Events = append(v.Events, event)
	if place >= 0 {
		return v.foldPlayer(&v.players[place], event)
	}
	switch event.Kind {
	case BoardDealt:
		v.openStreet(event.Cards)
	case DiscardsClosed:
		v.discardsDone = true
	case HandEnded:
		v.over = true
	}
	return nil
}

func belongsToASeat(kind EventKind) bool {
	switch kind {
	case RoundClosed, BoardDealt, DiscardsOpened, DiscardsClosed, RakeTaken, HandEnded:
		return false
	}
	return true
}

func (v *HandView) foldPlayer(player *playerState, event Event) error {
	switch event.Kind {
	case AntePosted:
		player.stack -= event.Amount
		player.total += event.Amount
	case DeadPosted:
		player.stack -= event.Amount
		v.dead += event.Amount
	case BlindPosted, Called:
		player.pay(event.Amount)
	case BetMade, Raised:
		player.pay(event.Amount)
		v.level = event.To
	case Folded, LateFoldShown: // the latter where the fold itself may have been hidden (DISC-3)
		player.live = false
	case BetReturned:
		player.stack += event.Amount
		player.bet -= event.Amount
		player.total -= event.Amount
	case PotAwarded:
		player.stack += event.Amount
	case HoleDealt:
		player.hole, player.kept = slices.Clone(event.Cards), slices.Clone(event.Cards)
		if !slices.Contains(event.Cards, Unknown) {
			v.Seat = event.Seat
		}
	case Discarded:
		kept, err := without(player.hole, event.Cards)
		if err != nil {
			return fmt.Errorf("hand %d: seat %d: %w", v.Number, event.Seat, err)
		}
		player.kept, player.discarded, player.hasDiscarded = kept, slices.Clone(event.Cards), true
	case DiscardShown:
		if v.setup.ruleSet.Game.Visibility == JoinsBoard {
			v.joined = append(v.joined, event.Cards...)
		}
	case HandShown:
		player.shown = slices.Clone(event.Cards)
	}
	return nil
}

func (p *playerState) pay(amount int64) {
	p.stack -= amount
	p.bet += amount
	p.total += amount
}

func (v *HandView) openStreet(cards []Card) {
	v.board = append(v.board, cards...)
	v.street++
	v.level = 0
	for place := range v.players {
		v.players[place].bet = 0
	}
}

// without returns the cards kept; a discard that is not among the known cards was one of the unknown ones.
func without(hole, discards []Card) ([]Card, error) {
	kept := slices.Clone(hole)
	for _, card := range discards {
		at := slices.Index(kept, card)
		if at < 0 {
			at = slices.Index(kept, Unknown)
		}
		if at < 0 {
			return nil, fmt.Errorf("discards %s, which was not held", card)
		}
		kept = slices.Delete(kept, at, at+1)
	}
	return kept, nil
}

// decision is the open decision of the seat that the options are for.
func (v *HandView) decision(legal LegalOptions, hasClock bool, remainingMs int64, refusal *Ruling) (*Decision, error) {
	place := v.place(legal.Seat)
	if place < 0 {
		return nil, fmt.Errorf("hand %d: a decision of seat %d, which was not dealt in", v.Number, legal.Seat)
	}
	if legal.MaxTo == 0 {
		legal.Wager, legal.Step = Bet, 1
	}
	legal.Held = slices.Clone(legal.Held)
	return &Decision{
		TableID:        v.TableID,
		MatchName:      v.matchName,
		HandID:         v.setup.handID,
		HandNumber:     v.Number,
		Seat:           legal.Seat,
		RuleSet:        v.setup.ruleSet,
		Limit:          v.setup.limit,
		Stakes:         v.setup.stakes,
		ButtonSeat:     v.setup.buttonSeat,
		SmallBlindSeat: v.setup.smallBlindSeat,
		BigBlindSeat:   v.setup.bigBlindSeat,
		Street:         v.street,
		Players:        v.Players(),
		Hole:           slices.Clone(v.players[place].kept),
		Discarded:      slices.Clone(v.players[place].discarded),
		Board:          v.Board(),
		Joined:         slices.Clone(v.joined),
		Pot:            v.Pot(),
		Level:          v.level,
		Legal:          legal,
		HasClock:       hasClock,
		RemainingMs:    remainingMs,
		Events:         slices.Clone(v.Events),
		Refusal:        refusal,
	}, nil
}

func (v *HandView) place(seat int) int {
	if seat == 0 {
		return -1
	}
	return slices.Index(v.setup.seats, seat)
}

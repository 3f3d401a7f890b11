package referee

import (
	pb "irish.example/referee/refereepb"
)

// EventKind says what happened; numbers never change meaning.
type EventKind int

// The closed list of what happens in a hand.
const (
	AntePosted     EventKind = 1
	DeadPosted     EventKind = 2
	BlindPosted    EventKind = 3
	HoleDealt      EventKind = 4
	Folded         EventKind = 5
	Checked        EventKind = 6
	Called         EventKind = 7
	BetMade        EventKind = 8
	Raised         EventKind = 9
	BetReturned    EventKind = 10
	RoundClosed    EventKind = 11
	BoardDealt     EventKind = 12
	DiscardsOpened EventKind = 13
	Discarded      EventKind = 14
	DiscardShown   EventKind = 15
	DiscardsClosed EventKind = 16
	HandShown      EventKind = 17
	HandMucked     EventKind = 18
	RakeTaken      EventKind = 19
	PotAwarded     EventKind = 20
	HandEnded      EventKind = 21
	LateFoldShown  EventKind = 22
	lastKnownEvent           = LateFoldShown
)

// Event is one thing that happened in a hand, as the seat sees it. Amounts are chips.
type Event struct {
	Kind EventKind
	// Rule decided it.
	Rule string
	// Seat is whose it is; 0 is the table.
	Seat int
	// Amount is the chips that moved.
	Amount int64
	// To is the seat's street total after a post, call or wager.
	To int64
	// Cards are those dealt, discarded or shown; Unknown where the seat may not see them.
	Cards []Card
	// Pot counts from the main pot, 0.
	Pot int
	// AllIn says that it took the seat's last chip.
	AllIn bool
	// Automatic marks what the referee did in the seat's place (TIME-2, DISC-8).
	Automatic bool
}

// eventOf reads an event; false for a kind that this version does not know.
func eventOf(message *pb.Event) (Event, bool, error) {
	kind := EventKind(message.GetKind())
	if kind < AntePosted || kind > lastKnownEvent {
		return Event{}, false, nil
	}
	cards, err := cardsOf(message.GetCards())
	if err != nil {
		return Event{}, false, err
	}
	return Event{
		Kind:      kind,
		Rule:      message.GetRule(),
		Seat:      int(message.GetSeat()),
		Amount:    message.GetAmount(),
		To:        message.GetStreetTotal(),
		Cards:     cards,
		Pot:       int(message.GetPot()),
		AllIn:     message.GetAllIn(),
		Automatic: message.GetAutomatic(),
	}, true, nil
}

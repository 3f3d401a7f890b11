package referee

import (
	"math"
	"math/bits"
)

// Player is a player of the hand as everybody sees him; amounts in chips.
type Player struct {
	Seat int
	Name string
	// Stack is what is not in the middle.
	Stack int64
	// Bet is what he has in on this street, PutIn what he has in altogether, dead money not counted.
	Bet   int64
	PutIn int64
	// Live players have not folded; AllIn ones are live without chips.
	Live  bool
	AllIn bool
	// Discarded says whether his discard is known to be made.
	Discarded bool
	// Shown are the cards that he has shown.
	Shown []Card
}

// Decision is one open decision of one seat, with all that the seat may know. Amounts in chips.
//
// Methods that name an action (Call, RaiseTo) propose it whether it is legal or not; those with Or in their names,
// BetPot and DiscardLast propose only what is legal: a size is moved into the legal range. Where a discard is owed these
// discard the cards dealt last.
type Decision struct {
	TableID    string
	MatchName  string
	HandID     string
	HandNumber int64
	Seat       int
	RuleSet    RuleSet
	Limit      Limit
	Stakes     Stakes
	ButtonSeat int
	// SmallBlindSeat is 0 when nobody posts it.
	SmallBlindSeat int
	BigBlindSeat   int
	// Street is 0 before the flop, then 1, 2, 3.
	Street int
	// Players are clockwise from the left of the button, so that who acts last after the flop comes last.
	Players []Player
	// Hole are the cards still held, in the order in which they were dealt; Discarded those given up.
	Hole      []Card
	Discarded []Card
	// Board is all that counts for everybody, Joined the discards among it (GAME-3).
	Board  []Card
	Joined []Card
	// Pot is every chip in the middle, Level the street total to match.
	Pot   int64
	Level int64
	Legal LegalOptions
	// HasClock says whether time is limited, RemainingMs what is left of it, bank included.
	HasClock    bool
	RemainingMs int64
	// Events are the hand so far as this seat sees it.
	Events []Event
	// Refusal is the ruling on this seat's last answer to this same decision, when that was refused.
	Refusal *Ruling
}

var streetNames = [...]string{"pre-flop", "flop", "turn", "river"}

// StreetName returns pre-flop, flop, turn or river.
func (d *Decision) StreetName() string { return streetNames[min(d.Street, len(streetNames)-1)] }

// MustDiscard returns how many cards are to be discarded now; 0 in a betting round.
func (d *Decision) MustDiscard() int { return d.Legal.Discard }

// ToCall returns what calling adds; 0 when there is nothing to call.
func (d *Decision) ToCall() int64 { return d.Legal.Call }

// BigBlind returns the big blind, in chips.
func (d *Decision) BigBlind() int64 { return d.Stakes.BigBlind }

// Me returns this seat's player.
func (d *Decision) Me() Player {
	for _, player := range d.Players {
		if player.Seat == d.Seat {
			return player
		}
	}
	return Player{}
}

// Stack returns this seat's chips, what is in the middle not included.
func (d *Decision) Stack() int64 { return d.Me().Stack }

// Opponents returns the other live players, clockwise from the left of the button.
func (d *Decision) Opponents() []Player {
	var opponents []Player
	for _, player := range d.Players {
		if player.Live && player.Seat != d.Seat {
			opponents = append(opponents, player)
		}
	}
	return opponents
}

// ActsLast says whether no other player with chips acts after this seat on the rounds after the flop.
func (d *Decision) ActsLast() bool {
	for at := len(d.Players) - 1; at >= 0; at-- {
		if player := d.Players[at]; player.Live && !player.AllIn {
			return player.Seat == d.Seat
		}
	}
	return false
}

func (d *Decision) handNumber() int64 { return d.HandNumber }

// Fold proposes to fold.
func (d *Decision) Fold() Proposal { return d.propose(Fold, 0, nil) }

// Check proposes to check.
func (d *Decision) Check() Proposal { return d.propose(Check, 0, nil) }

// Call proposes to call, with all chips if they are fewer.
func (d *Decision) Call() Proposal { return d.propose(Call, 0, nil) }

// RaiseTo proposes to lift the level to this street total: a bet where there is none yet, else a raise (BET-2).
func (d *Decision) RaiseTo(total int64) Proposal {
	if d.Level != 0 {
		return d.propose(Raise, total, nil)
	}
	return d.propose(Bet, total, nil)
}

// Discard proposes to discard these cards (DISC-2).
func (d *Decision) Discard(cards ...Card) Proposal {
	return d.propose(Discard, 0, append([]Card(nil), cards...))
}

// CheckOrFold checks if nothing is owed, else folds.
func (d *Decision) CheckOrFold() Proposal {
	switch {
	case d.Legal.Discard > 0:
		return d.DiscardLast()
	case d.Legal.Check:
		return d.Check()
	}
	return d.Fold()
}

// CheckOrCall checks if nothing is owed, else calls.
func (d *Decision) CheckOrCall() Proposal {
	switch {
	case d.Legal.Discard > 0:
		return d.DiscardLast()
	case d.Legal.Check:
		return d.Check()
	}
	return d.Call()
}

// BetOrRaise lifts the level to the legal street total nearest below this one, or to the lowest. It checks or calls
// where no wager is legal.
func (d *Decision) BetOrRaise(total int64) Proposal {
	legal := &d.Legal
	switch {
	case legal.MaxTo == 0:
		return d.CheckOrCall()
	case total >= legal.MaxTo:
		return d.propose(legal.Wager, legal.MaxTo, nil)
	case total <= legal.MinTo:
		return d.propose(legal.Wager, legal.MinTo, nil)
	}
	steps := (total - legal.MinTo) / legal.Step
	return d.propose(legal.Wager, legal.MinTo+steps*legal.Step, nil)
}

// BetPot bets or raises by so many percent of the pot as it is after calling, rounded down, as near as is legal.
func (d *Decision) BetPot(percent int) Proposal {
	share := percentOf(d.Pot+d.Legal.Call, percent)
	if share > math.MaxInt64-d.Level {
		return d.BetOrRaise(math.MaxInt64)
	}
	return d.BetOrRaise(d.Level + share)
}

// percentOf is amount * percent / 100, rounded down; at most the largest integer, at least 0.
func percentOf(amount int64, percent int) int64 {
	if amount <= 0 || percent <= 0 {
		return 0
	}
	high, low := bits.Mul64(uint64(amount), uint64(percent))
	if high >= 100 {
		return math.MaxInt64
	}
	share, _ := bits.Div64(high, low, 100)
	return int64(min(share, math.MaxInt64))
}

// AllInOrCall puts in as much as the betting structure allows; it checks or calls where no wager is legal.
func (d *Decision) AllInOrCall() Proposal { return d.BetOrRaise(d.Legal.MaxTo) }

// DiscardLast discards the cards dealt last, which is what the referee does for a seat out of time (DISC-8).
func (d *Decision) DiscardLast() Proposal {
	held := d.Legal.Held
	return d.Discard(held[len(held)-d.Legal.Discard:]...)
}

// completed fills in what a proposal leaves out of hand and decision (BET-9).
func (d *Decision) completed(proposal Proposal) Proposal {
	proposal.Seat = d.Seat
	if proposal.HandID == "" {
		proposal.HandID = d.HandID
	}
	if proposal.DecisionID == 0 {
		proposal.DecisionID = d.Legal.DecisionID
	}
	return proposal
}

func (d *Decision) propose(kind ActionKind, total int64, cards []Card) Proposal {
	return Proposal{Kind: kind, To: total, Cards: cards, Seat: d.Seat, HandID: d.HandID, DecisionID: d.Legal.DecisionID}
}

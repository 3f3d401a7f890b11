package referee

import (
	"strings"

	pb "irish.example/referee/refereepb"
)

// ActionKind is what a seat may propose.
type ActionKind int

// The actions. Every wager names the street total that it raises to, never an increment.
const (
	Fold    ActionKind = 1
	Check   ActionKind = 2
	Call    ActionKind = 3
	Bet     ActionKind = 4
	Raise   ActionKind = 5
	Discard ActionKind = 6
	Show    ActionKind = 8
)

// Proposal is one proposed action. The methods of Decision make them; the zero value is none.
type Proposal struct {
	Kind ActionKind
	// To is the street total of a Bet or Raise, in chips.
	To int64
	// Cards are those of a Discard.
	Cards []Card
	// Seat, HandID and DecisionID say what is answered (BET-9); what is left out is filled in.
	Seat       int
	HandID     string
	DecisionID int
}

func (p Proposal) message() *pb.Proposal {
	action := &pb.Action{}
	switch p.Kind {
	case Fold:
		action.Action = &pb.Action_Fold{Fold: &pb.Fold{}}
	case Check:
		action.Action = &pb.Action_Check{Check: &pb.Check{}}
	case Call:
		action.Action = &pb.Action_Call{Call: &pb.Call{}}
	case Bet:
		action.Action = &pb.Action_Bet{Bet: &pb.Bet{RaiseTo: p.To}}
	case Raise:
		action.Action = &pb.Action_Raise{Raise: &pb.Raise{RaiseTo: p.To}}
	case Discard:
		action.Action = &pb.Action_Discard{Discard: &pb.Discard{Cards: cardTexts(p.Cards)}}
	case Show:
		action.Action = &pb.Action_Show{Show: &pb.Show{}}
	}
	return &pb.Proposal{HandId: p.HandID, DecisionId: int32(p.DecisionID), Seat: int32(p.Seat), Action: action}
}

func (p Proposal) propose(requestID string) *pb.Propose {
	return &pb.Propose{RequestId: requestID, Proposal: p.message()}
}

// LegalOptions are everything that the seat may do at its open decision; amounts in chips.
//
// A wager goes to any street total from MinTo to MaxTo in steps of Step; both are 0 when none is legal, and equal when
// only one size is (fixed-limit, or an all-in below the minimum, SIZE-2). Wager says whether it is a Bet or a Raise.
type LegalOptions struct {
	Seat       int
	DecisionID int
	Fold       bool
	Check      bool
	// Call is what calling adds; 0 means that there is nothing to call.
	Call  int64
	Wager ActionKind
	MinTo int64
	MaxTo int64
	Step  int64
	// Discard is how many cards are owed; then nothing else is legal.
	Discard int
	// Held are the hole cards to choose from, in the order in which they were dealt.
	Held []Card
}

func optionsOf(message *pb.LegalOptions) (LegalOptions, error) {
	held, err := cardsOf(message.GetHeldCards())
	if err != nil {
		return LegalOptions{}, err
	}
	options := LegalOptions{
		Seat:       int(message.GetSeat()),
		DecisionID: int(message.GetDecisionId()),
		Fold:       message.GetCanFold(),
		Check:      message.GetCanCheck(),
		Call:       message.GetAmountToCall(),
		Wager:      Bet,
		MinTo:      message.GetMinRaiseTo(),
		MaxTo:      message.GetMaxRaiseTo(),
		Step:       max(message.GetRaiseStep(), 1),
		Discard:    min(max(int(message.GetCardsToDiscard()), 0), len(held)),
		Held:       held,
	}
	if message.GetWager() == pb.WagerKind_WAGER_KIND_RAISE {
		options.Wager = Raise
	}
	return options, nil
}

// Reason says why a proposal is refused. They stand in order of precedence, and numbers never change meaning; those of
// a newer server are kept as they are.
type Reason int

// The reasons of a refusal, as docs/errors.md lists them.
const (
	NoReason               Reason = 0
	WrongHand              Reason = 1
	HandOver               Reason = 2
	SeatNotInHand          Reason = 3
	SeatFolded             Reason = 4
	AlreadyDiscarded       Reason = 5
	SeatAllIn              Reason = 6
	OutOfTurn              Reason = 7
	StaleDecision          Reason = 8
	UnknownAction          Reason = 9
	MalformedAction        Reason = 10
	DiscardOwed            Reason = 11
	NoDiscardRound         Reason = 12
	CardCountWrong         Reason = 13
	CardRepeated           Reason = 14
	CardNotHeld            Reason = 15
	NothingToFoldTo        Reason = 16
	LastEligibleCannotFold Reason = 17
	CheckWhileOwing        Reason = 18
	NothingToCall          Reason = 19
	BetOverABet            Reason = 20
	RaiseWithoutABet       Reason = 21
	OpponentsAllIn         Reason = 22
	NoChipsToRaise         Reason = 23
	RaisesCapped           Reason = 24
	RaiseNotReopened       Reason = 25
	NotAChipMultiple       Reason = 26
	AboveStack             Reason = 27
	NotTheFixedSize        Reason = 28
	AbovePotLimit          Reason = 29
	BelowMinimum           Reason = 30
	NothingToShow          Reason = 31
	ShowTooEarly           Reason = 32
	ShowdownUndecided      Reason = 33
	lastKnownReason               = ShowdownUndecided
)

// IsKnown says whether this version knows what the reason means.
func (r Reason) IsKnown() bool { return r > NoReason && r <= lastKnownReason }

// String returns the reason as docs/errors.md names it, such as BELOW_MINIMUM.
func (r Reason) String() string {
	return strings.TrimPrefix(pb.Reason(r).String(), "REASON_")
}

// Ruling is the referee's answer to one proposal. A refusal has reason, rule and sentence, and the options that are
// legal instead; nothing has changed by it (BET-8).
type Ruling struct {
	Accepted bool
	Rule     string
	Reason   Reason
	Message  string
	// Options is nil where the seat has no decision.
	Options *LegalOptions
	Warning string
}

func rulingOf(message *pb.Ruling) (*Ruling, error) {
	ruling := &Ruling{
		Accepted: message.GetAccepted(),
		Rule:     message.GetRule(),
		Reason:   Reason(message.GetReason()),
		Message:  message.GetMessage(),
		Warning:  message.GetWarning(),
	}
	if message.GetLegal() != nil {
		options, err := optionsOf(message.GetLegal())
		if err != nil {
			return nil, err
		}
		ruling.Options = &options
	}
	return ruling, nil
}

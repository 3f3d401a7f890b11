package referee

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"maps"
	"strings"
	"time"

	pb "irish.example/referee/refereepb"
)

const (
	// forgivenGaps is how many gaps of one hand are resumed from the cursor; from then on the hand is begun anew.
	forgivenGaps = 3
	// maxGaps is how many gaps of one hand end the play: a server that never tells a hand whole cannot be followed.
	maxGaps = 10
	// patientDenials is how often a seat that was attached and now is not allowed tries again from the same cursor.
	patientDenials = 2
)

// BrokenStreamError says that the server does not keep to the contract, so that a table cannot be followed.
type BrokenStreamError struct{ Message string }

func (e *BrokenStreamError) Error() string { return e.Message }

// gapError says that something was missed: the table is to be attached again from its cursor.
type gapError struct{ message string }

func (e *gapError) Error() string { return e.message }

// Played is what a seat's play came to.
type Played struct {
	TableID string
	// Seat is 0 when it was never told.
	Seat  int
	Hands int
	// Net is what the seat won or lost in the hands that ended, in chips.
	Net int64
	// Decisions counts the decisions that were opened, Refusals the answers that were refused, Defaults the decisions
	// that were then answered for the bot.
	Decisions int
	Refusals  int
	Defaults  int
	// Resumed is how often the table was attached again.
	Resumed int
	// DealsChecked counts the hands whose cards were found to follow from the seeds that were shown at the table's end;
	// DealFault says what was wrong with them, empty when nothing was.
	DealsChecked int
	DealFault    string
	// Reason says why it ended, such as TABLE_ENDED; empty when it did not.
	Reason string
}

// An outcome is what is to be done about something that was received.
type outcome interface{ isOutcome() }

type (
	// ask: the bot is to be asked.
	ask struct{ decision *Decision }
	// send: a proposal is to be sent; nobody is asked.
	send struct{ propose *pb.Propose }
	// reveal: everybody's commitments are known, and the seat's seed is to be revealed.
	reveal struct{ seed []byte }
	// interrupted: nothing more comes now; the table is to be attached again later from its cursor.
	interrupted struct{}
)

func (ask) isOutcome()         {}
func (send) isOutcome()        {}
func (reveal) isOutcome()      {}
func (interrupted) isOutcome() {}

// place is a place in a view: hand and number of an event.
type place struct{ hand, number int64 }

func (p place) after(other place) bool {
	return p.hand > other.hand || (p.hand == other.hand && p.number > other.number)
}

// openDecision is the decision that is open. propose is an answer that the referee has not acknowledged.
type openDecision struct {
	handID    string
	legal     LegalOptions
	hasClock  bool
	until     time.Time
	refusals  int
	refusal   *Ruling
	decision  *Decision
	propose   *pb.Propose
	defaulted bool
}

func (o *openDecision) isBeingAsked() bool { return o.decision != nil && o.propose == nil }

// isAsking says whether this decision is open and the bot is yet to answer it.
func (f *follower) isAsking(decision *Decision) bool {
	return f.open != nil && f.open.decision == decision && f.open.isBeingAsked()
}

// follower follows one table as one seat: what to ask, what to send again, when it ends. No connection, no waiting here.
type follower struct {
	seat   Seat
	played Played
	// isOver says that nothing more comes.
	isOver bool
	// snapshots and events count what was received, without what is told again.
	snapshots, events int

	options     *Options
	nextRequest func() string
	cursor      *place
	deals       dealCheck
	rules       *tableRules
	matchName   string
	names       map[int]string
	view        *HandView
	open        *openDecision
	isAttached  bool
	gaps        int
	denials     int
	lastOver    int64
}

func newFollower(seat Seat, options *Options, nextRequest func() string) *follower {
	f := &follower{
		seat:        seat,
		played:      Played{TableID: seat.TableID},
		options:     options,
		nextRequest: nextRequest,
		deals:       dealCheck{seed: seat.Seed},
		names:       map[int]string{},
	}
	if seat.since != nil {
		f.cursor = &place{hand: *seat.since}
	}
	return f
}

// --- attaching ---------------------------------------------------------------------------------------------

// attach is the item that begins or resumes this table on a stream.
func (f *follower) attach() *pb.PlayRequestItem {
	f.isAttached = false
	attach := &pb.Attach{SeatToken: f.seat.Token}
	if f.cursor != nil {
		attach.Cursor = &pb.Cursor{Hand: f.cursor.hand, Number: f.cursor.number}
	}
	return &pb.PlayRequestItem{TableId: f.seat.TableID, Item: &pb.PlayRequestItem_Attach{Attach: attach}}
}

func (f *follower) detach() *pb.PlayRequestItem {
	return &pb.PlayRequestItem{TableId: f.seat.TableID, Item: &pb.PlayRequestItem_Detach{Detach: &pb.Detach{}}}
}

func (f *follower) proposing(propose *pb.Propose) *pb.PlayRequestItem {
	return &pb.PlayRequestItem{TableId: f.seat.TableID, Item: &pb.PlayRequestItem_Propose{Propose: propose}}
}

// wasNotAllowed notes that the table could not be attached, and says whether to try again. A seat that was attached
// before may find its server stopping: it tries again as it is, then from the hand under way, and then gives up.
func (f *follower) wasNotAllowed() bool {
	if f.cursor == nil {
		return false
	}
	f.denials++
	if f.denials > patientDenials {
		f.cursor = nil
	}
	return true
}

// --- what comes --------------------------------------------------------------------------------------------

// receive takes what the server says and returns what to do. A *gapError says that something was missed. Items, events
// and enum values that this version does not know are ignored.
func (f *follower) receive(item *pb.PlayResponseItem) ([]outcome, error) {
	switch what := item.GetItem().(type) {
	case *pb.PlayResponseItem_Event:
		return f.event(what.Event)
	case *pb.PlayResponseItem_Decision:
		return f.decision(what.Decision)
	case *pb.PlayResponseItem_Answered:
		return f.answered(what.Answered)
	case *pb.PlayResponseItem_Snapshot:
		return f.snapshot(what.Snapshot)
	case *pb.PlayResponseItem_End:
		return f.end(what.End.GetReason()), nil
	case *pb.PlayResponseItem_Sealed:
		f.sealed(what.Sealed)
	}
	return nil, nil
}

func (f *follower) snapshot(snapshot *pb.Snapshot) ([]outcome, error) {
	f.isAttached = true
	f.played.Resumed = f.snapshots
	f.snapshots++
	f.denials = 0
	table := snapshot.GetTable()
	if err := f.tellRules(table.GetConfig()); err != nil {
		return nil, err
	}
	if table.GetMatchName() != "" {
		f.matchName = table.GetMatchName()
	}
	for _, seat := range table.GetSeats() {
		f.names[int(seat.GetSeat())] = seat.GetName()
	}
	var outcomes []outcome
	for _, event := range snapshot.GetEvents() {
		further, err := f.event(event)
		if err != nil {
			return nil, err
		}
		outcomes = append(outcomes, further...)
	}
	return outcomes, nil
}

func (f *follower) tellRules(config *pb.TableConfig) error {
	if f.rules != nil {
		return nil
	}
	rules, err := tableRulesOf(config)
	if err != nil {
		return err
	}
	f.rules = rules
	return nil
}

func (f *follower) end(reason pb.StreamEndReason) []outcome {
	f.isAttached = false
	switch reason {
	case pb.StreamEndReason_STREAM_END_REASON_NOT_ALLOWED:
		if f.wasNotAllowed() {
			return []outcome{interrupted{}}
		}
	case pb.StreamEndReason_STREAM_END_REASON_TABLE_ENDED, pb.StreamEndReason_STREAM_END_REASON_REPLACED,
		pb.StreamEndReason_STREAM_END_REASON_DETACHED, pb.StreamEndReason_STREAM_END_REASON_FLOODING:
	case pb.StreamEndReason_STREAM_END_REASON_CURSOR_UNKNOWN:
		f.cursor = nil
		return []outcome{interrupted{}}
	default:
		return []outcome{interrupted{}}
	}
	f.over(reason)
	return nil
}

// over notes that nothing more comes.
func (f *follower) over(reason pb.StreamEndReason) {
	f.isOver = true
	f.played.Reason = strings.TrimPrefix(reason.String(), "STREAM_END_REASON_")
}

func (f *follower) sealed(sealed *pb.PieceSealed) {
	if f.options.OnSealed != nil {
		f.options.OnSealed(f.seat.TableID, SealedPiece{sealed.GetSeal(), sealed.GetIndex(), sealed.GetCheckpoint()})
	}
}

// --- events ------------------------------------------------------------------------------------------------

func (f *follower) event(seen *pb.SeenEvent) ([]outcome, error) {
	at := place{seen.GetHand(), seen.GetNumber()}
	if f.cursor != nil && !at.after(*f.cursor) {
		return nil, nil
	}
	if err := f.expect(at); err != nil {
		return nil, err
	}
	f.cursor = &at
	f.events++
	switch what := seen.GetEvent().(type) {
	case *pb.SeenEvent_HandEvent:
		return f.handEvent(at, what.HandEvent)
	case *pb.SeenEvent_HandBegan:
		return nil, f.handBegan(at.hand, what.HandBegan)
	case *pb.SeenEvent_SeatTaken:
		f.names[int(what.SeatTaken.GetSeat())] = what.SeatTaken.GetName()
	case *pb.SeenEvent_Opened:
		f.deals.opened = what.Opened
		return nil, f.tellRules(what.Opened.GetConfig())
	case *pb.SeenEvent_CommitmentsClosed:
		f.deals.closed = what.CommitmentsClosed
		if len(f.seat.Seed) > 0 {
			return []outcome{reveal{f.seat.Seed}}, nil
		}
	case *pb.SeenEvent_Ended:
		f.deals.ended(what.Ended.GetSeeds())
		f.played.DealsChecked, f.played.DealFault = f.deals.checked, f.deals.fault
	}
	return nil, nil
}

// expect makes sure that nothing lies between the cursor and the next event.
func (f *follower) expect(next place) error {
	if f.cursor == nil {
		return nil
	}
	last := *f.cursor
	handIsOver := f.view == nil || f.view.Number != last.hand || f.view.over
	if next == (place{last.hand, last.number + 1}) || (next == place{last.hand + 1, 1} && handIsOver) {
		return nil
	}
	return f.missed(false, "after event %d of hand %d came event %d of hand %d",
		last.number, last.hand, next.number, next.hand)
}

// missed is a gap, or, after too many of one hand, a broken stream.
func (f *follower) missed(beginAnew bool, format string, values ...any) error {
	what := f.seat.TableID + ": " + fmt.Sprintf(format, values...)
	f.gaps++
	if f.gaps > maxGaps {
		return &BrokenStreamError{fmt.Sprintf("%s, %d times", what, f.gaps)}
	}
	if beginAnew || f.gaps > forgivenGaps {
		f.cursor = nil
	}
	return &gapError{what}
}

func (f *follower) broken(err error) error {
	return &BrokenStreamError{fmt.Sprintf("%s: %v", f.seat.TableID, err)}
}

func (f *follower) handBegan(number int64, began *pb.HandBegan) error {
	if f.rules == nil {
		return f.broken(fmt.Errorf("a hand began before it was told what is played"))
	}
	if f.view == nil || f.view.Number != number {
		f.gaps = 0
	}
	setup, err := f.rules.setup(began)
	if err != nil {
		return err
	}
	names := maps.Clone(f.names)
	for _, player := range began.GetPlayers() {
		if player.GetName() != "" {
			names[int(player.GetSeat())] = player.GetName()
		}
	}
	f.view = newHandView(setup, number, f.seat.TableID, f.matchName, names)
	f.deals.begin(number, began.GetDeckRoot())
	return nil
}

func (f *follower) handEvent(at place, message *pb.Event) ([]outcome, error) {
	if f.view == nil || f.view.Number != at.hand {
		return nil, f.missed(true, "the beginning of hand %d was not told", at.hand)
	}
	event, isKnown, err := eventOf(message)
	if err != nil {
		return nil, f.broken(err)
	}
	if !isKnown {
		return nil, nil
	}
	if err := f.view.fold(event); err != nil {
		return nil, f.broken(err)
	}
	if f.view.Seat != 0 {
		f.played.Seat = f.view.Seat
	}
	if event.Kind != HandEnded {
		return nil, nil
	}
	return f.handOver(f.view), nil
}

func (f *follower) handOver(view *HandView) []outcome {
	if f.open != nil && f.open.handID == view.setup.handID {
		f.open = nil
	}
	if view.Number <= f.lastOver {
		return nil // a hand that is told again
	}
	f.lastOver = view.Number
	f.deals.over(view)
	if view.Seat != 0 {
		f.played.Hands++
		f.played.Net += view.Net(view.Seat)
	}
	if f.options.OnHandOver == nil {
		return nil
	}
	shows := f.options.OnHandOver(view)
	if shows == nil {
		return nil
	}
	return []outcome{send{&pb.Propose{RequestId: f.nextRequest(), Proposal: shows.message()}}}
}

// --- decisions ---------------------------------------------------------------------------------------------

func (f *follower) decision(message *pb.Decision) ([]outcome, error) {
	legal, err := optionsOf(message.GetLegal())
	if err != nil {
		return nil, f.broken(err)
	}
	hasClock := message.GetDeadlineUnixMs() != 0
	until := time.Now().Add(time.Duration(message.GetRemainingMs()) * time.Millisecond)
	known := f.open
	if known == nil || known.handID != message.GetHandId() || known.legal.DecisionID != legal.DecisionID {
		f.open = &openDecision{handID: message.GetHandId(), legal: legal, hasClock: hasClock, until: until}
		f.played.Decisions++
		return f.ask(f.open, message.GetHand())
	}
	known.legal, known.hasClock, known.until = legal, hasClock, until
	if known.propose != nil { // sent, and not acknowledged: the same again, under the same id
		return []outcome{send{known.propose}}, nil
	}
	if known.isBeingAsked() {
		return nil, nil
	}
	return f.ask(known, message.GetHand())
}

func (f *follower) ask(known *openDecision, hand int64) ([]outcome, error) {
	if f.view == nil || f.view.Number != hand || f.view.setup.handID != known.handID {
		f.open = nil
		return nil, f.missed(true, "the beginning of hand %d was not told", hand)
	}
	decision, err := f.view.decision(known.legal, known.hasClock, f.remainingMs(known), known.refusal)
	if err != nil {
		return nil, f.broken(err)
	}
	known.decision = decision
	return []outcome{ask{decision}}, nil
}

func (f *follower) remainingMs(known *openDecision) int64 {
	if !known.hasClock {
		return 0
	}
	return max(0, known.until.Sub(time.Now()).Milliseconds())
}

// answer is the proposal to send now for a decision that the bot answered. It is nil when the decision is no longer
// open, and while the table is being attached again: the decision is then repeated after the snapshot, and what was
// answered is sent once, by receive.
func (f *follower) answer(decision *Decision, proposal Proposal) *pb.Propose {
	known := f.open
	if known == nil || known.decision != decision {
		return nil
	}
	known.propose = &pb.Propose{RequestId: f.nextRequest(), Proposal: proposal.message()}
	if !f.isAttached {
		return nil
	}
	return known.propose
}

func (f *follower) answered(message *pb.Answered) ([]outcome, error) {
	known := f.open
	if known == nil || known.propose == nil || known.propose.GetRequestId() != message.GetRequestId() {
		return nil, nil
	}
	if message.GetRuling().GetAccepted() {
		f.open = nil
		return nil, nil
	}
	if message.GetRuling().GetReason() == pb.Reason_REASON_UNSPECIFIED && message.GetRuling().GetLegal() == nil {
		return nil, nil // not a ruling: the table is stopping, and asks again when it goes on
	}
	ruling, err := rulingOf(message.GetRuling())
	if err != nil {
		return nil, f.broken(err)
	}
	decision := known.decision
	f.played.Refusals++
	if f.options.OnRefused != nil {
		f.options.OnRefused(decision, ruling)
	}
	isGone := ruling.Reason.IsKnown() // a newer server's reason may mean anything
	if ruling.Options != nil {
		isGone = ruling.Options.DecisionID != known.legal.DecisionID
		known.legal = *ruling.Options
	}
	if isGone || known.defaulted {
		f.open = nil // no longer open, such as after a time-out; or nothing else is left to try
		return nil, nil
	}
	known.refusal, known.propose, known.decision = ruling, nil, nil
	known.refusals++
	if known.refusals <= f.options.MaxRefusals {
		return f.ask(known, decision.HandNumber)
	}
	return f.answerInstead(known, decision), nil
}

// answerInstead answers for a bot that was refused too often: check, else fold, else the cards dealt last.
func (f *follower) answerInstead(known *openDecision, decision *Decision) []outcome {
	known.defaulted = true
	known.decision = decision
	f.played.Defaults++
	if propose := f.answer(decision, decision.CheckOrFold()); propose != nil {
		return []outcome{send{propose}}
	}
	return nil
}

// freshRequestIDs makes request ids that no other client and no earlier run has used.
func freshRequestIDs() func() string {
	var random [8]byte
	rand.Read(random[:]) // never fails
	prefix, number := hex.EncodeToString(random[:]), 0
	return func() string {
		number++
		return fmt.Sprintf("%s-%d", prefix, number)
	}
}

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
	Seat int
	// Hands are those that ended, in Kozel rounds.
	Hands int
	// Net is what the seat won or lost in the hands that ended, in chips. In Kozel Points is its score instead, and Rating
	// what it got for the game; nil while that is not over.
	Net    int64
	Points int
	Rating *int
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
	ask struct{ question question }
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
	id        int
	hasClock  bool
	until     time.Time
	refusals  int
	question  question
	propose   *pb.Propose
	defaulted bool
}

func (o *openDecision) isBeingAsked() bool { return o.question != nil && o.propose == nil }

// isAsking says whether this decision is open and the bot is yet to answer it.
func (f *follower) isAsking(asked question) bool {
	return f.open != nil && f.open.question == asked && f.open.isBeingAsked()
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
	game        game
	matchName   string
	names       map[int]string
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
	if f.game != nil {
		return nil
	}
	game, err := gameOf(config, f.seat.TableID, f.options)
	if err != nil {
		return err
	}
	f.game = game
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
	case *pb.SeenEvent_HandEvent, *pb.SeenEvent_KozelEvent:
		return f.handEvent(at, seen)
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
		if f.game != nil {
			f.deals.ended(what.Ended.GetSeeds(), f.game.deckItems())
		}
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
	hand := f.hand()
	handIsOver := hand.number == 0 || hand.number != last.hand || hand.isOver
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
	if f.game == nil {
		return f.broken(fmt.Errorf("a hand began before it was told what is played"))
	}
	if f.hand().number != number {
		f.gaps = 0
	}
	names := maps.Clone(f.names)
	for _, player := range began.GetPlayers() {
		if player.GetName() != "" {
			names[int(player.GetSeat())] = player.GetName()
		}
	}
	return f.game.begin(number, began, names, f.matchName)
}

// hand is the hand under way, as far as one has begun.
func (f *follower) hand() handUnderWay {
	if f.game == nil {
		return handUnderWay{}
	}
	return f.game.hand()
}

func (f *follower) handEvent(at place, seen *pb.SeenEvent) ([]outcome, error) {
	if f.hand().number != at.hand {
		return nil, f.missed(true, "the beginning of hand %d was not told", at.hand)
	}
	isOver, err := f.game.fold(seen)
	if err != nil {
		return nil, f.broken(err)
	}
	hand := f.game.hand()
	if hand.seat != 0 {
		f.played.Seat = hand.seat
	}
	if !isOver {
		return nil, nil
	}
	return f.handOver(hand), nil
}

func (f *follower) handOver(hand handUnderWay) []outcome {
	if f.open != nil && f.open.handID == hand.id {
		f.open = nil
	}
	if hand.number <= f.lastOver {
		return nil // a hand that is told again
	}
	f.lastOver = hand.number
	if dealt := f.game.dealt(); dealt != nil {
		f.deals.over(dealt)
	}
	if hand.seat != 0 {
		f.played.Hands++
	}
	if proposal := f.game.over(&f.played); proposal != nil {
		return []outcome{send{proposal.propose(f.nextRequest())}}
	}
	return nil
}

// --- decisions ---------------------------------------------------------------------------------------------

func (f *follower) decision(message *pb.Decision) ([]outcome, error) {
	if f.game == nil {
		return nil, f.missed(true, "it asks before it was told what is played")
	}
	id, known := f.game.decisionID(message), f.open
	isNew := known == nil || known.handID != message.GetHandId() || known.id != id
	if err := f.game.legal(message, isNew); err != nil {
		return nil, f.broken(err)
	}
	hasClock := message.GetDeadlineUnixMs() != 0
	until := time.Now().Add(time.Duration(message.GetRemainingMs()) * time.Millisecond)
	if isNew {
		f.open = &openDecision{handID: message.GetHandId(), id: id, hasClock: hasClock, until: until}
		f.played.Decisions++
		return f.ask(f.open, message.GetHand())
	}
	known.hasClock, known.until = hasClock, until
	if known.propose != nil { // sent, and not acknowledged: the same again, under the same id
		return []outcome{send{known.propose}}, nil
	}
	if known.isBeingAsked() {
		return nil, nil
	}
	return f.ask(known, message.GetHand())
}

func (f *follower) ask(known *openDecision, hand int64) ([]outcome, error) {
	if now := f.hand(); now.number != hand || now.id != known.handID {
		f.open = nil
		return nil, f.missed(true, "the beginning of hand %d was not told", hand)
	}
	asked, err := f.game.question(known.hasClock, f.remainingMs(known))
	if err != nil {
		return nil, f.broken(err)
	}
	known.question = asked
	return []outcome{ask{asked}}, nil
}

func (f *follower) remainingMs(known *openDecision) int64 {
	if !known.hasClock {
		return 0
	}
	return max(0, time.Until(known.until).Milliseconds())
}

// answer is the proposal to send now for a decision that the bot answered. It is nil when the decision is no longer
// open, and while the table is being attached again: the decision is then repeated after the snapshot, and what was
// answered is sent once, by receive.
func (f *follower) answer(asked question, proposal answer) *pb.Propose {
	known := f.open
	if known == nil || known.question != asked {
		return nil
	}
	known.propose = proposal.propose(f.nextRequest())
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
	if f.game.accepted(message) {
		f.open = nil
		return nil, nil
	}
	refused, err := f.game.refused(message)
	if err != nil {
		return nil, f.broken(err)
	}
	if refused == nil {
		return nil, nil // not a ruling: the table is stopping, and asks again when it goes on
	}
	asked := known.question
	f.played.Refusals++
	isGone := refused.isKnown // a newer server's reason may mean anything
	if refused.newDecision != 0 {
		isGone = refused.newDecision != known.id
	}
	if isGone || known.defaulted {
		f.open = nil // no longer open, such as after a time-out; or nothing else is left to try
		return nil, nil
	}
	known.propose, known.question = nil, nil
	known.refusals++
	if known.refusals <= f.options.MaxRefusals {
		return f.ask(known, asked.handNumber())
	}
	return f.answerInstead(known, asked), nil
}

// answerInstead answers for a bot that was refused too often.
func (f *follower) answerInstead(known *openDecision, asked question) []outcome {
	known.defaulted = true
	known.question = asked
	f.played.Defaults++
	if propose := f.answer(asked, f.game.instead()); propose != nil {
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

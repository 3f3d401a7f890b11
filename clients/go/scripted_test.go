package referee

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
	"google.golang.org/protobuf/proto"

	pb "irish.example/referee/refereepb"
)

// told is what seat 1 of one table is told: heads-up hold'em, blinds 5 and 10, 500 chips each. Seat 1 is the big blind;
// seat 2 has the button and acts first before the flop.
type told struct {
	table  string
	number int64
	count  int64
	log    []*pb.SeenEvent
	// decision is the number of the last decision of seat 1 in this hand.
	asked  int32
	street int
}

func tell(table string) *told { return &told{table: table} }

func (t *told) item(what *pb.PlayResponseItem) *pb.PlayResponseItem {
	what.TableId = t.table
	return what
}

// seen is the next numbered event.
func (t *told) seen(event *pb.SeenEvent) *pb.PlayResponseItem {
	t.count++
	event.Hand, event.Number, event.TimeUnixMs = t.number, t.count, 1
	t.log = append(t.log, event)
	return t.item(&pb.PlayResponseItem{Item: &pb.PlayResponseItem_Event{Event: event}})
}

func (t *told) happened(events ...*pb.Event) []*pb.PlayResponseItem {
	var items []*pb.PlayResponseItem
	for _, event := range events {
		items = append(items, t.seen(&pb.SeenEvent{Event: &pb.SeenEvent_HandEvent{HandEvent: event}}))
	}
	return items
}

func (t *told) config() *pb.TableConfig {
	return &pb.TableConfig{
		Rules:         &pb.TableConfig_RuleSetName{RuleSetName: "holdem/tda@1"},
		Structure:     pb.BettingStructure_BETTING_STRUCTURE_NO_LIMIT,
		Stakes:        &pb.Stakes{SmallBlind: 5, BigBlind: 10},
		Seats:         2,
		StartingStack: 500,
	}
}

func (t *told) snapshot(events ...*pb.SeenEvent) *pb.PlayResponseItem {
	table := &pb.TableState{
		TableId:   t.table,
		Config:    t.config(),
		Hand:      t.number,
		MatchName: "match of " + t.table,
		Seats:     []*pb.SeatState{{Seat: 1, Name: "player 1"}, {Seat: 2, Name: "player 2"}},
	}
	snapshot := &pb.Snapshot{Table: table, Events: events}
	return t.item(&pb.PlayResponseItem{Item: &pb.PlayResponseItem_Snapshot{Snapshot: snapshot}})
}

func (t *told) handID() string { return fmt.Sprintf("%s-%d", t.table, t.number) }

// begin is the beginning of the next hand: 5 numbered events.
func (t *told) begin() []*pb.PlayResponseItem {
	t.number++
	t.count, t.asked, t.street = 0, 0, 0
	began := &pb.HandBegan{
		HandId:         t.handID(),
		Players:        []*pb.PlayerSetup{{Seat: 1, Stack: 500}, {Seat: 2, Stack: 500}},
		ButtonSeat:     2,
		SmallBlindSeat: 2,
		BigBlindSeat:   1,
	}
	items := []*pb.PlayResponseItem{t.seen(&pb.SeenEvent{Event: &pb.SeenEvent_HandBegan{HandBegan: began}})}
	return append(items, t.happened(
		&pb.Event{Kind: pb.EventKind_EVENT_KIND_BLIND_POSTED, Seat: 2, Amount: 5, StreetTotal: 5},
		&pb.Event{Kind: pb.EventKind_EVENT_KIND_BLIND_POSTED, Seat: 1, Amount: 10, StreetTotal: 10},
		&pb.Event{Kind: pb.EventKind_EVENT_KIND_HOLE_DEALT, Seat: 1, Cards: []string{"Ah", "Kd"}},
		&pb.Event{Kind: pb.EventKind_EVENT_KIND_HOLE_DEALT, Seat: 2, Cards: []string{"??", "??"}},
	)...)
}

// buttonCalls is seat 2's call of the big blind, to 20 in the middle.
func (t *told) buttonCalls() []*pb.PlayResponseItem {
	return t.happened(&pb.Event{Kind: pb.EventKind_EVENT_KIND_CALLED, Seat: 2, Amount: 5, StreetTotal: 10})
}

// buttonFolds ends the hand: seat 1 wins the blinds.
func (t *told) buttonFolds() []*pb.PlayResponseItem {
	return t.happened(
		&pb.Event{Kind: pb.EventKind_EVENT_KIND_FOLDED, Seat: 2},
		&pb.Event{Kind: pb.EventKind_EVENT_KIND_ROUND_CLOSED},
		&pb.Event{Kind: pb.EventKind_EVENT_KIND_BET_RETURNED, Seat: 1, Amount: 5},
		&pb.Event{Kind: pb.EventKind_EVENT_KIND_POT_AWARDED, Seat: 1, Amount: 10},
		&pb.Event{Kind: pb.EventKind_EVENT_KIND_HAND_ENDED},
	)
}

// legal is what seat 1 may do where nothing is owed: check, or lift the level.
func (t *told) legal() *pb.LegalOptions {
	options := &pb.LegalOptions{
		Seat: 1, DecisionId: t.asked, CanCheck: true, Wager: pb.WagerKind_WAGER_KIND_BET,
		MinRaiseTo: 10, MaxRaiseTo: 490, RaiseStep: 1,
	}
	if t.street == 0 {
		options.Wager, options.MinRaiseTo, options.MaxRaiseTo = pb.WagerKind_WAGER_KIND_RAISE, 20, 500
	}
	return options
}

// asks opens the next decision of seat 1, repeats tells the open one again.
func (t *told) asks() *pb.PlayResponseItem {
	t.asked++
	return t.repeats()
}

func (t *told) repeats() *pb.PlayResponseItem {
	decision := &pb.Decision{HandId: t.handID(), Hand: t.number, Legal: t.legal()}
	return t.item(&pb.PlayResponseItem{Item: &pb.PlayResponseItem_Decision{Decision: decision}})
}

// toMyTurn is a hand up to seat 1's option: 6 events and the decision.
func (t *told) toMyTurn() []*pb.PlayResponseItem {
	return slices.Concat(t.begin(), t.buttonCalls(), []*pb.PlayResponseItem{t.asks()})
}

// rules is the answer to what seat 1 proposed: a check is accepted and deals the next street, anything else is refused.
func (t *told) rules(propose *pb.Propose) []*pb.PlayResponseItem {
	if propose.GetProposal().GetAction().GetCheck() == nil {
		reason := pb.Reason_REASON_BELOW_MINIMUM
		return []*pb.PlayResponseItem{t.refuses(propose, &pb.Ruling{
			Rule: "SIZE-3", Reason: reason, Message: "below the minimum of 20", Legal: t.legal(),
		})}
	}
	items := []*pb.PlayResponseItem{t.refuses(propose, &pb.Ruling{Accepted: true, Rule: "BET-2"})}
	items = append(items, t.happened(&pb.Event{Kind: pb.EventKind_EVENT_KIND_CHECKED, Seat: 1})...)
	return append(items, t.nextStreet()...)
}

func (t *told) nextStreet() []*pb.PlayResponseItem {
	var items []*pb.PlayResponseItem
	if t.street > 0 {
		items = t.happened(&pb.Event{Kind: pb.EventKind_EVENT_KIND_CHECKED, Seat: 2})
	}
	cards := [][]string{{"2c", "7d", "Jh"}, {"3s"}, {"9c"}}[t.street]
	t.street++
	return append(items, t.happened(
		&pb.Event{Kind: pb.EventKind_EVENT_KIND_ROUND_CLOSED},
		&pb.Event{Kind: pb.EventKind_EVENT_KIND_BOARD_DEALT, Cards: cards},
	)...)
}

func (t *told) refuses(propose *pb.Propose, ruling *pb.Ruling) *pb.PlayResponseItem {
	answered := &pb.Answered{RequestId: propose.GetRequestId(), Ruling: ruling}
	return t.item(&pb.PlayResponseItem{Item: &pb.PlayResponseItem_Answered{Answered: answered}})
}

func (t *told) end(reason pb.StreamEndReason) *pb.PlayResponseItem {
	return t.item(&pb.PlayResponseItem{Item: &pb.PlayResponseItem_End{End: &pb.StreamEnd{Reason: reason}}})
}

func (t *told) ended() *pb.PlayResponseItem {
	return t.end(pb.StreamEndReason_STREAM_END_REASON_TABLE_ENDED)
}

// stream is one call of the client, from the server's side. Its methods end the script when the client is gone.
type stream struct {
	grpc.BidiStreamingServer[pb.PlayRequest, pb.PlayResponse]
	// left lets the server answer LeaveSeat.
	left chan<- bool
}

type scriptEnd struct{ err error }

// say sends one message of items, given one by one or in lists.
func (s *stream) say(what ...any) {
	response := &pb.PlayResponse{}
	for _, one := range what {
		switch one := one.(type) {
		case *pb.PlayResponseItem:
			response.Items = append(response.Items, one)
		case []*pb.PlayResponseItem:
			response.Items = append(response.Items, one...)
		default:
			panic(fmt.Sprintf("%T is nothing to say", one))
		}
	}
	if err := s.Send(response); err != nil {
		panic(scriptEnd{err})
	}
}

func (s *stream) hear() *pb.PlayRequest {
	request, err := s.Recv()
	if err != nil {
		panic(scriptEnd{err})
	}
	return request
}

// attached is the client's first message for one table.
func (s *stream) attached() *pb.Attach {
	request := s.hear()
	if len(request.GetItems()) != 1 || request.GetItems()[0].GetAttach() == nil {
		panic(fmt.Sprintf("expected one attach, got %v", request))
	}
	return request.GetItems()[0].GetAttach()
}

// answer is the client's next message, one proposal.
func (s *stream) answer() *pb.Propose {
	request := s.hear()
	if len(request.GetItems()) != 1 || request.GetItems()[0].GetPropose() == nil {
		panic(fmt.Sprintf("expected one proposal, got %v", request))
	}
	return request.GetItems()[0].GetPropose()
}

// silence waits until the client is gone.
func (s *stream) silence() { <-s.Context().Done() }

// closed waits until the client has no more to say, and says what it heard until then.
func (s *stream) closed() []*pb.PlayRequest {
	var heard []*pb.PlayRequest
	for {
		request, err := s.Recv()
		if err != nil {
			return heard
		}
		heard = append(heard, request)
	}
}

// cut ends the stream with a status.
func (s *stream) cut(code codes.Code) { panic(scriptEnd{status.Error(code, "cut by the script")}) }

type script func(*stream)

// scriptedTables runs one script for each stream that the client opens, in order.
type scriptedTables struct {
	pb.UnimplementedTableServiceServer
	t *testing.T

	mutex   sync.Mutex
	scripts []script
	opened  []time.Time
	calls   []proto.Message
	// refuse is the status of unary calls after the first refuseAfter.
	refuse      error
	refuseAfter int
	// leaving, if there is one, is what LeaveSeat waits for.
	leaving chan bool
	table   *pb.TableState
}

func (s *scriptedTables) Play(call grpc.BidiStreamingServer[pb.PlayRequest, pb.PlayResponse]) (err error) {
	defer func() {
		switch failure := recover().(type) {
		case nil:
		case scriptEnd:
			err = failure.err
		default:
			s.t.Errorf("script: %v", failure)
			err = status.Error(codes.InvalidArgument, "the script failed")
		}
	}()
	s.mutex.Lock()
	at := len(s.opened)
	s.opened = append(s.opened, time.Now())
	s.mutex.Unlock()
	if at >= len(s.scripts) {
		panic("the client opened more streams than there are scripts")
	}
	s.scripts[at](&stream{call, s.leaving})
	return nil
}

func (s *scriptedTables) called(request proto.Message) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.calls = append(s.calls, request)
	if len(s.calls) <= s.refuseAfter {
		return nil
	}
	return s.refuse
}

func (s *scriptedTables) LeaveSeat(_ context.Context, request *pb.LeaveSeatRequest) (*pb.LeaveSeatResponse, error) {
	if s.leaving != nil {
		<-s.leaving
	}
	return &pb.LeaveSeatResponse{}, s.called(request)
}

func (s *scriptedTables) SitOut(_ context.Context, request *pb.SitOutRequest) (*pb.SitOutResponse, error) {
	return &pb.SitOutResponse{}, s.called(request)
}

func (s *scriptedTables) SitIn(_ context.Context, request *pb.SitInRequest) (*pb.SitInResponse, error) {
	return &pb.SitInResponse{}, s.called(request)
}

func (s *scriptedTables) TopUp(_ context.Context, request *pb.TopUpRequest) (*pb.TopUpResponse, error) {
	return &pb.TopUpResponse{}, s.called(request)
}

func (s *scriptedTables) GetTable(_ context.Context, request *pb.GetTableRequest) (*pb.GetTableResponse, error) {
	return &pb.GetTableResponse{Table: s.table}, s.called(request)
}

func (s *scriptedTables) TakeSeat(_ context.Context, request *pb.TakeSeatRequest) (*pb.TakeSeatResponse, error) {
	return &pb.TakeSeatResponse{Seat: 1, SeatToken: "token"}, s.called(request)
}

func (s *scriptedTables) CommitSeed(_ context.Context, request *pb.CommitSeedRequest) (*pb.CommitSeedResponse, error) {
	return &pb.CommitSeedResponse{}, s.called(request)
}

func (s *scriptedTables) RevealSeed(_ context.Context, request *pb.RevealSeedRequest) (*pb.RevealSeedResponse, error) {
	return &pb.RevealSeedResponse{}, s.called(request)
}

// theatre is a scripted server and the client's way to it.
type theatre struct {
	*scriptedTables
	server Server
}

// streams is how many streams the client opened.
func (s *theatre) streams() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(s.opened)
}

// perform runs a test against scripts, in a bubble of its own time: no test waits for a clock.
func perform(t *testing.T, act func(*testing.T, *theatre), scripts ...script) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		listener := bufconn.Listen(1 << 16)
		service := &scriptedTables{t: t, scripts: scripts}
		// As the referee's server: who pings more often than every ten seconds is cut off.
		server := grpc.NewServer(grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: 10 * time.Second}))
		pb.RegisterTableServiceServer(server, service)
		var serving sync.WaitGroup
		serving.Go(func() { _ = server.Serve(listener) })
		defer serving.Wait()
		defer server.Stop()
		dial := func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }
		act(t, &theatre{service, Server{
			Target: "passthrough:///scripted", DialOptions: []grpc.DialOption{grpc.WithContextDialer(dial)},
		}})
	})
}

var checks = Simple((*Decision).CheckOrCall)

// play plays the tables of a theatre, by default the one called table.
func (s *theatre) play(bot Bot, options Options, tables ...string) ([]Played, error) {
	if len(tables) == 0 {
		tables = []string{"table"}
	}
	var seats []Seat
	for _, table := range tables {
		seats = append(seats, Seat{TableID: table, Token: "token of " + table})
	}
	return Play(context.Background(), s.server, bot, seats, options)
}

// mustPlay plays one table and fails the test when that fails.
func (s *theatre) mustPlay(t *testing.T, bot Bot, options Options) Played {
	t.Helper()
	played, err := s.play(bot, options)
	if err != nil {
		t.Fatalf("play: %v", err)
	}
	return played[0]
}

func wantError[E error](t *testing.T, err error) E {
	t.Helper()
	var wanted E
	if !errors.As(err, &wanted) {
		t.Fatalf("got error %v; want %T", err, wanted)
	}
	return wanted
}

func same[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v; want %v", what, got, want)
	}
}

func sameList[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %v; want %v", what, got, want)
	}
}

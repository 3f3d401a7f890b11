package referee

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"irish.example/referee/deals"
	pb "irish.example/referee/refereepb"
)

// match is a match of one hand of hold'em between seats 1 and 2, as an honest referee tells it to seat 1.
type match struct {
	seeds  *pb.MatchSeeds
	opened *pb.TableOpened
	closed *pb.CommitmentsClosed
	root   []byte
	deck   []string
	// board is how many cards of it are dealt.
	board int
}

var ownSeed = bytes.Repeat([]byte{1}, deals.SeedBytes)

func honest(t *testing.T) *match {
	t.Helper()
	must := func(made []byte, err error) []byte {
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	refereeSeed, otherSeed := make([]byte, deals.SeedBytes), bytes.Repeat([]byte{2}, deals.SeedBytes)
	commitment := must(deals.CommitReferee("a-match", refereeSeed))
	commitments := [][]byte{
		must(deals.CommitSeat("a-match", 1, ownSeed, commitment)), must(deals.CommitSeat("a-match", 2, otherSeed, commitment)),
	}
	told := &match{
		opened: &pb.TableOpened{Config: tell("table").config(), MatchName: "a-match", DealCommitment: commitment},
		closed: &pb.CommitmentsClosed{Seats: []int32{1, 2}, Commitments: []*pb.SeedCommitted{
			{Seat: 1, Commitment: commitments[0]}, {Seat: 2, Commitment: commitments[1]},
		}},
		seeds: &pb.MatchSeeds{MatchName: "a-match", RefereeSeed: refereeSeed, Seats: []*pb.SeatSeed{
			{Seat: 1, Commitment: commitments[0], Seed: slices.Clone(ownSeed)},
			{Seat: 2, Commitment: commitments[1], Seed: otherSeed},
		}},
		board: 3,
	}
	seeds := deals.MatchSeeds{Match: "a-match", RefereeSeed: refereeSeed, Seats: []deals.SeatSeed{
		{Seat: 1, Commitment: commitments[0], Seed: ownSeed}, {Seat: 2, Commitment: commitments[1], Seed: otherSeed},
	}}
	decks, err := deals.NewDecks("a-match", must(seeds.MatchSeed()), deals.CardItems)
	if err != nil {
		t.Fatal(err)
	}
	deck, err := decks.Deck(0, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	told.root = slices.Clone(deck.Root[:])
	for _, item := range deck.Deck {
		told.deck = append(told.deck, Card(item).String())
	}
	return told
}

// tells is the whole match, its beginning and end included.
func (m *match) tells(table *told) []*pb.PlayResponseItem {
	items := []*pb.PlayResponseItem{
		table.snapshot(),
		table.seen(&pb.SeenEvent{Event: &pb.SeenEvent_Opened{Opened: m.opened}}),
		table.seen(&pb.SeenEvent{Event: &pb.SeenEvent_CommitmentsClosed{CommitmentsClosed: m.closed}}),
	}
	for _, item := range table.begin() {
		if began := item.GetEvent().GetHandBegan(); began != nil {
			began.DeckRoot = m.root
		}
		if event := item.GetEvent().GetHandEvent(); event.GetKind() == pb.EventKind_EVENT_KIND_HOLE_DEALT && event.GetSeat() == 1 {
			event.Cards = []string{m.deck[0], m.deck[2]}
		}
		items = append(items, item)
	}
	items = append(items, table.buttonCalls()...)
	items = append(items, table.happened(
		&pb.Event{Kind: pb.EventKind_EVENT_KIND_CHECKED, Seat: 1},
		&pb.Event{Kind: pb.EventKind_EVENT_KIND_ROUND_CLOSED},
		&pb.Event{Kind: pb.EventKind_EVENT_KIND_BOARD_DEALT, Cards: m.deck[4 : 4+m.board]},
	)...)
	items = append(items, table.buttonFolds()...)
	items = append(items, table.seen(&pb.SeenEvent{Event: &pb.SeenEvent_Ended{Ended: &pb.TableEnded{Seeds: m.seeds}}}))
	return append(items, table.ended())
}

func TestHandsAreCheckedByTheSeedsThatAreShownAtTheEnd(t *testing.T) {
	zeros := make([]byte, deals.SeedBytes)
	for name, one := range map[string]struct {
		change func(*match)
		fault  string
	}{
		"honest":               {func(*match) {}, ""},
		"a swapped hole card":  {func(m *match) { m.deck[0], m.deck[1] = m.deck[1], m.deck[0] }, "seat 1 was dealt"},
		"a swapped board card": {func(m *match) { m.deck[5], m.deck[50] = m.deck[50], m.deck[5] }, "the board was"},
		"another root":         {func(m *match) { m.root = zeros }, "not the one that was committed to"},
		"the referee's seed":   {func(m *match) { m.seeds.RefereeSeed = ownSeed }, "the referee's seed is not the committed one"},
		"the other seat's":     {func(m *match) { m.seeds.Seats[1].Seed = ownSeed }, "seat 2's seed is not the committed one"},
		"without the own":      {func(m *match) { m.seeds.Seats[0].Seed = nil }, "own seed is not among"},
		"withheld":             {func(m *match) { m.seeds.Seats = nil }, "hands were dealt, and the seeds are not shown"},
		"another match":        {func(m *match) { m.seeds.MatchName = "b-match" }, "those of match b-match"},
		"other seats":          {func(m *match) { m.closed.Seats = []int32{1, 2, 3} }, "has other seats"},
		"another commitment": {
			func(m *match) { m.closed.Commitments[1].Commitment = zeros }, "seat 2 was committed to another seed",
		},
	} {
		t.Run(name, func(t *testing.T) {
			told := honest(t)
			one.change(told)
			perform(t, func(t *testing.T, stage *theatre) {
				seats := []Seat{{TableID: "table", Token: "token", Seed: ownSeed}}
				played, err := Play(t.Context(), stage.server, checks, seats, Options{})
				if err != nil {
					t.Fatal(err)
				}
				checked := 0
				if one.fault == "" {
					checked = 1
				}
				same(t, "checked", played[0].DealsChecked, checked)
				if fault := played[0].DealFault; !strings.Contains(fault, one.fault) || (one.fault == "") != (fault == "") {
					t.Errorf("fault %q; want %q", fault, one.fault)
				}
			}, func(s *stream) {
				s.attached()
				s.say(told.tells(tell("table")))
				s.closed()
			})
		})
	}
}

func TestASeatIsTakenWithACommitmentAndRevealsItsSeed(t *testing.T) {
	told := honest(t)
	perform(t, func(t *testing.T, stage *theatre) {
		stage.table = &pb.TableState{MatchName: "a-match", DealCommitment: told.opened.GetDealCommitment()}
		seat, err := TakeSeat(t.Context(), stage.server, "table", SeatRequest{Name: "Ann", Seed: ownSeed, Posts: true})
		if err != nil {
			t.Fatal(err)
		}
		taken := stage.calls[1].(*pb.TakeSeatRequest)
		if !taken.GetCommitsSeed() || !taken.GetPosts() || taken.GetName() != "Ann" || len(taken.GetRequestId()) < 16 {
			t.Error(taken)
		}
		committed := stage.calls[2].(*pb.CommitSeedRequest)
		if !bytes.Equal(committed.GetCommitment(), told.closed.GetCommitments()[0].GetCommitment()) {
			t.Error(committed)
		}
		played, err := Play(t.Context(), stage.server, checks, []Seat{seat}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		same(t, "checked", played[0].DealsChecked, 1)
		revealed := stage.calls[3].(*pb.RevealSeedRequest)
		if !bytes.Equal(revealed.GetSeed(), ownSeed) || revealed.GetSeatToken() != "token" {
			t.Error(revealed)
		}
	}, func(s *stream) {
		if cursor := s.attached().GetCursor(); cursor == nil || cursor.GetHand() != 0 || cursor.GetNumber() != 0 {
			panic("a seat that was taken before the first hand misses nothing")
		}
		table := tell("table")
		items := told.tells(table)
		s.say(items[:3])
		synctest.Wait() // the seat reveals
		s.say(items[3:])
		s.closed()
	})
}

func TestASeatThatComesTooLateForASeedPlaysWithoutOne(t *testing.T) {
	for hand, calls := range []int{3, 2} {
		perform(t, func(t *testing.T, stage *theatre) {
			stage.table = &pb.TableState{MatchName: "a-match", DealCommitment: make([]byte, 32), Hand: int64(hand)}
			seat, err := TakeSeat(t.Context(), stage.server, "table", SeatRequest{Name: "Ann"})
			if err != nil {
				t.Fatal(err)
			}
			same(t, "calls", len(stage.calls), calls)
			same(t, "has a seed", len(seat.Seed) > 0, hand == 0)
		})
	}
	perform(t, func(t *testing.T, stage *theatre) {
		stage.table = &pb.TableState{MatchName: "a-match", DealCommitment: make([]byte, 32)}
		stage.refuseAfter, stage.refuse = 2, status.Error(codes.FailedPrecondition, "too late")
		seat, err := TakeSeat(t.Context(), stage.server, "table", SeatRequest{Name: "Ann"})
		if err != nil || len(seat.Seed) > 0 || seat.Token != "token" {
			t.Error(seat, err)
		}
	})
}

func TestASeatSitsOutAndInAndTopsUp(t *testing.T) {
	perform(t, func(t *testing.T, stage *theatre) {
		seat := Seat{TableID: "table", Token: "token"}
		for _, err := range []error{
			SitOut(t.Context(), stage.server, seat, Backoff{}), SitIn(t.Context(), stage.server, seat, true, Backoff{}),
			TopUp(t.Context(), stage.server, seat, 1000, Backoff{}),
		} {
			if err != nil {
				t.Error(err)
			}
		}
		if out := stage.calls[0].(*pb.SitOutRequest); out.GetTableId() != "table" || out.GetSeatToken() != "token" {
			t.Error(out)
		}
		if in := stage.calls[1].(*pb.SitInRequest); !in.GetPosts() || in.GetSeatToken() != "token" {
			t.Error(in)
		}
		if up := stage.calls[2].(*pb.TopUpRequest); up.GetTo() != 1000 || up.GetSeatToken() != "token" {
			t.Error(up)
		}
		stage.refuse = status.Error(codes.FailedPrecondition, "stacks are not topped up")
		err := TopUp(t.Context(), stage.server, seat, 1000, Backoff{})
		same(t, "refused", status.Code(err), codes.FailedPrecondition)
	})
}

func TestPercentagesOfLargeAmountsAreExact(t *testing.T) {
	for _, one := range []struct {
		amount  int64
		percent int
		want    int64
	}{
		{101, 50, 50}, {0, 75, 0}, {100, 0, 0}, {100, -1, 0}, {1 << 53, 2000, 180143985094819840},
		{math.MaxInt64, 100, math.MaxInt64}, {math.MaxInt64, math.MaxInt, math.MaxInt64},
	} {
		same(t, "percent", percentOf(one.amount, one.percent), one.want)
	}
	decision := &Decision{Level: 1 << 62, Pot: math.MaxInt64, Legal: LegalOptions{MinTo: 5, MaxTo: 9, Step: 2, Wager: Raise}}
	same(t, "the most", decision.BetPot(100).To, 9)
	same(t, "the least", decision.BetOrRaise(math.MinInt64).To, 5)
	same(t, "a step", decision.BetOrRaise(8).To, 7)
}

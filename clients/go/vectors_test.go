package referee

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"irish.example/referee/internal/vectors"
	pb "irish.example/referee/refereepb"
)

func TestCardVectors(t *testing.T) {
	var file struct {
		Cards []struct {
			Card       Card
			Text       string
			Rank, Suit int
		}
		Unknown struct {
			Card Card
			Text string
		}
		Bad  []string
		Rows []struct {
			Text, Written string
			Cards         []Card
		}
		BadRows []string `json:"bad_rows"`
	}
	vectors.Load(t, "cards.json", &file)
	same(t, "cards", len(file.Cards), deckSize)
	for _, one := range file.Cards {
		card, err := ParseCard(one.Text)
		if err != nil || card != one.Card || card.String() != one.Text || card.Rank() != one.Rank || card.Suit() != one.Suit {
			t.Errorf("%s: %d %s %d %d %v", one.Text, card, card, card.Rank(), card.Suit(), err)
		}
	}
	if card, err := ParseCard(file.Unknown.Text); err != nil || card != Unknown || card != file.Unknown.Card {
		t.Error(card, err)
	}
	same(t, "unknown", Unknown.String(), file.Unknown.Text)
	for _, text := range file.Bad {
		if card, err := ParseCard(text); err == nil {
			t.Errorf("%q is read as %s", text, card)
		}
	}
	for _, row := range file.Rows {
		cards, err := ParseCards(row.Text)
		if err != nil || !slices.Equal(cards, row.Cards) || CardsText(cards) != row.Written {
			t.Errorf("%q: %v %v", row.Text, cards, err)
		}
	}
	for _, text := range file.BadRows {
		if cards, err := ParseCards(text); err == nil {
			t.Errorf("%q is read as %s", text, CardsText(cards))
		}
	}
}

func TestMessageVectors(t *testing.T) {
	var file struct {
		Messages []struct {
			Name, Type   string
			Bytes, Known vectors.Bytes
			JSON         json.RawMessage
		}
	}
	vectors.Load(t, "messages.json", &file)
	if len(file.Messages) == 0 {
		t.Fatal("no messages")
	}
	for _, one := range file.Messages {
		t.Run(one.Name, func(t *testing.T) {
			kind, err := protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName(one.Type))
			if err != nil {
				t.Fatal(err)
			}
			message := kind.New().Interface()
			if err := (proto.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(one.Bytes, message); err != nil {
				t.Fatal(err)
			}
			known := kind.New().Interface()
			if err := proto.Unmarshal(one.Known, known); err != nil || !proto.Equal(message, known) {
				t.Errorf("%v: got %v; want %v", err, message, known)
			}
			// Go writes the fields of a oneof after others, so that bytes may differ in their order alone.
			again, err := proto.Marshal(message)
			if err != nil || len(again) != len(one.Known) || proto.Unmarshal(again, known) != nil || !proto.Equal(message, known) {
				t.Errorf("%v: written again as %x; want %x", err, again, one.Known)
			}
			written, err := protojson.Marshal(message)
			if err != nil {
				t.Fatal(err)
			}
			var got, want any
			for text, into := range map[*any]json.RawMessage{&got: written, &want: one.JSON} {
				if err := json.Unmarshal(into, text); err != nil {
					t.Fatal(err)
				}
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("written as %v; want %v", got, want)
			}
			fromJSON := kind.New().Interface()
			if err := protojson.Unmarshal(one.JSON, fromJSON); err != nil || !proto.Equal(fromJSON, message) {
				t.Errorf("%v: JSON is read as %v", err, fromJSON)
			}
		})
	}
}

// legalVector is the legal options of a vector.
type legalVector struct {
	Seat           int
	DecisionID     int    `json:"decision_id"`
	CanFold        bool   `json:"can_fold"`
	CanCheck       bool   `json:"can_check"`
	AmountToCall   int64  `json:"amount_to_call"`
	Wager          string `json:"wager"`
	MinRaiseTo     int64  `json:"min_raise_to"`
	MaxRaiseTo     int64  `json:"max_raise_to"`
	RaiseStep      int64  `json:"raise_step"`
	CardsToDiscard int    `json:"cards_to_discard"`
	HeldCards      cards  `json:"held_cards"`
}

// cards are read from their texts.
type cards []Card

func (c *cards) UnmarshalJSON(text []byte) error {
	var texts []string
	if err := json.Unmarshal(text, &texts); err != nil {
		return err
	}
	read, err := cardsOf(texts)
	*c = read
	return err
}

// message is the vector as the contract tells it.
func (l legalVector) message() *pb.LegalOptions {
	wagers := map[string]pb.WagerKind{
		"NONE": pb.WagerKind_WAGER_KIND_UNSPECIFIED, "BET": pb.WagerKind_WAGER_KIND_BET, "RAISE": pb.WagerKind_WAGER_KIND_RAISE,
	}
	return &pb.LegalOptions{
		Seat: int32(l.Seat), DecisionId: int32(l.DecisionID), CanFold: l.CanFold, CanCheck: l.CanCheck,
		AmountToCall: l.AmountToCall, Wager: wagers[l.Wager], MinRaiseTo: l.MinRaiseTo, MaxRaiseTo: l.MaxRaiseTo,
		RaiseStep: l.RaiseStep, CardsToDiscard: int32(l.CardsToDiscard), HeldCards: cardTexts(l.HeldCards),
	}
}

func (l legalVector) options(t *testing.T) LegalOptions {
	t.Helper()
	options, err := optionsOf(l.message())
	if err != nil {
		t.Fatal(err)
	}
	return options
}

// answerVector is an action of a vector.
type answerVector struct {
	Total   int64
	Percent int
	Action  string
	To      int64
	Cards   cards
}

func (a answerVector) check(t *testing.T, what string, got Proposal) {
	t.Helper()
	names := map[string]ActionKind{
		"fold": Fold, "check": Check, "call": Call, "bet": Bet, "raise": Raise, "discard": Discard,
	}
	if got.Kind != names[a.Action] || got.To != a.To || !slices.Equal(got.Cards, a.Cards) {
		t.Errorf("%s: got %v; want %v", what, got, a)
	}
}

func TestLegalOptionVectors(t *testing.T) {
	var file struct {
		Cases []struct {
			Level, Pot int64
			Legal      legalVector
			Answers    struct {
				Fold, Check, Call answerVector
				CheckOrFold       answerVector   `json:"check_or_fold"`
				CheckOrCall       answerVector   `json:"check_or_call"`
				AllInOrCall       answerVector   `json:"all_in_or_call"`
				DiscardLast       *answerVector  `json:"discard_last"`
				RaiseTo           []answerVector `json:"raise_to"`
				BetOrRaise        []answerVector `json:"bet_or_raise"`
				BetPot            []answerVector `json:"bet_pot"`
			}
		}
	}
	vectors.Load(t, "legal.json", &file)
	if len(file.Cases) == 0 {
		t.Fatal("no cases")
	}
	for _, one := range file.Cases {
		decision := &Decision{Seat: one.Legal.Seat, Level: one.Level, Pot: one.Pot, Legal: one.Legal.options(t)}
		want := one.Answers
		want.Fold.check(t, "fold", decision.Fold())
		want.Check.check(t, "check", decision.Check())
		want.Call.check(t, "call", decision.Call())
		want.CheckOrFold.check(t, "check or fold", decision.CheckOrFold())
		want.CheckOrCall.check(t, "check or call", decision.CheckOrCall())
		want.AllInOrCall.check(t, "all-in or call", decision.AllInOrCall())
		if want.DiscardLast != nil {
			want.DiscardLast.check(t, "discard last", decision.DiscardLast())
		}
		for _, answer := range want.RaiseTo {
			answer.check(t, "raise to", decision.RaiseTo(answer.Total))
		}
		for _, answer := range want.BetOrRaise {
			answer.check(t, "bet or raise", decision.BetOrRaise(answer.Total))
		}
		for _, answer := range want.BetPot {
			answer.check(t, "bet pot", decision.BetPot(answer.Percent))
		}
	}
}

type playerVector struct {
	Seat      int
	Name      string
	Stack     int64
	Bet       int64
	PutIn     int64 `json:"put_in"`
	Live      bool
	AllIn     bool `json:"all_in"`
	Discarded bool
	Shown     cards
}

type viewVector struct {
	Street                         int
	Hole, Discarded, Board, Joined cards
	Pot, Level                     int64
	ToCall                         int64 `json:"to_call"`
	MustDiscard                    int   `json:"must_discard"`
	ButtonSeat                     int   `json:"button_seat"`
	SmallBlindSeat                 int   `json:"small_blind_seat"`
	BigBlindSeat                   int   `json:"big_blind_seat"`
	ActsLast                       bool  `json:"acts_last"`
	Legal                          legalVector
	Players                        []playerVector
}

type handVector struct {
	Table     string
	Seat      int
	Snapshot  vectors.Bytes
	Items     []vectors.Bytes
	Decisions []struct {
		AfterItems int `json:"after_items"`
		Item       vectors.Bytes
		View       viewVector
	}
	StacksAfter []struct {
		Seat  int
		Stack int64
	} `json:"stacks_after"`
}

func handVectors(t *testing.T) []handVector {
	t.Helper()
	var file struct{ Hands []handVector }
	vectors.Load(t, "views.json", &file)
	if len(file.Hands) == 0 {
		t.Fatal("no hands")
	}
	return file.Hands
}

func TestViewVectors(t *testing.T) {
	for _, hand := range handVectors(t) {
		t.Run(hand.Table, func(t *testing.T) {
			var snapshot pb.PlayResponseItem
			read(t, hand.Snapshot, &snapshot)
			follower := newFollower(Seat{TableID: snapshot.GetTableId()}, Options{}.withDefaults(), freshRequestIDs())
			receive(t, follower, hand.Snapshot)
			at := 0
			for _, decision := range hand.Decisions {
				for ; at < decision.AfterItems; at++ {
					receive(t, follower, hand.Items[at])
				}
				outcomes := receive(t, follower, decision.Item)
				if len(outcomes) != 1 {
					t.Fatalf("a decision leads to %v", outcomes)
				}
				decision.View.check(t, outcomes[0].(ask).question.(*Decision))
			}
			for ; at < len(hand.Items); at++ {
				receive(t, follower, hand.Items[at])
			}
			view := follower.game.(*pokerGame).view
			same(t, "over", view.Over(), true)
			same(t, "players", len(view.Players()), len(hand.StacksAfter))
			for at, player := range view.Players() {
				want := hand.StacksAfter[at]
				same(t, "seat", player.Seat, want.Seat)
				same(t, "stack", player.Stack, want.Stack)
			}
		})
	}
}

func read(t *testing.T, raw []byte, into proto.Message) {
	t.Helper()
	if err := proto.Unmarshal(raw, into); err != nil {
		t.Fatal(err)
	}
}

func receive(t *testing.T, follower *follower, raw []byte) []outcome {
	t.Helper()
	var item pb.PlayResponseItem
	read(t, raw, &item)
	outcomes, err := follower.receive(&item)
	if err != nil {
		t.Fatal(err)
	}
	return outcomes
}

func (v viewVector) check(t *testing.T, got *Decision) {
	t.Helper()
	same(t, "street", got.Street, v.Street)
	sameList(t, "hole", got.Hole, v.Hole)
	sameList(t, "discarded", got.Discarded, v.Discarded)
	sameList(t, "board", got.Board, v.Board)
	sameList(t, "joined", got.Joined, v.Joined)
	same(t, "pot", got.Pot, v.Pot)
	same(t, "level", got.Level, v.Level)
	same(t, "to call", got.ToCall(), v.ToCall)
	same(t, "must discard", got.MustDiscard(), v.MustDiscard)
	same(t, "button", got.ButtonSeat, v.ButtonSeat)
	same(t, "small blind", got.SmallBlindSeat, v.SmallBlindSeat)
	same(t, "big blind", got.BigBlindSeat, v.BigBlindSeat)
	same(t, "acts last", got.ActsLast(), v.ActsLast)
	if want := v.Legal.options(t); !reflect.DeepEqual(got.Legal, want) {
		t.Errorf("legal: got %v; want %v", got.Legal, want)
	}
	same(t, "players", len(got.Players), len(v.Players))
	opponents := 0
	for at, want := range v.Players {
		player := got.Players[at]
		sameList(t, "shown", player.Shown, want.Shown)
		if player.Live && player.Seat != got.Seat {
			opponents++
		}
		if player.Seat == got.Seat {
			same(t, "own stack", got.Stack(), want.Stack)
		}
		player.Shown, want.Shown = nil, nil
		if wanted := Player(want.player()); !reflect.DeepEqual(player, wanted) {
			t.Errorf("player: got %v; want %v", player, wanted)
		}
	}
	same(t, "opponents", len(got.Opponents()), opponents)
}

func (p playerVector) player() Player {
	return Player{
		Seat: p.Seat, Name: p.Name, Stack: p.Stack, Bet: p.Bet, PutIn: p.PutIn, Live: p.Live, AllIn: p.AllIn,
		Discarded: p.Discarded,
	}
}

// TestDamagedItemsAreAnErrorAtMost feeds hands with a byte changed here and there: whatever comes of them, nothing panics
// and every decision that is asked can be answered.
func TestDamagedItemsAreAnErrorAtMost(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	read, asked, broken := 0, 0, 0
	for _, hand := range handVectors(t) {
		for range 10 {
			follower := newFollower(Seat{TableID: "t", Seed: ownSeed}, Options{}.withDefaults(), freshRequestIDs())
			raw := slices.Concat([]vectors.Bytes{hand.Snapshot}, hand.Items)
			for _, decision := range hand.Decisions {
				raw = slices.Insert(raw, decision.AfterItems+1, decision.Item)
			}
			for _, whole := range raw {
				damaged := slices.Clone(whole)
				if random.IntN(10) == 0 {
					damaged[random.IntN(len(damaged))] ^= 1 << random.IntN(8)
				}
				item := &pb.PlayResponseItem{}
				if proto.Unmarshal(damaged, item) != nil {
					continue // what gRPC itself refuses
				}
				read++
				outcomes, err := follower.receive(item)
				if err != nil {
					broken++
					break
				}
				for _, outcome := range outcomes {
					if asks, isAsk := outcome.(ask); isAsk {
						asked++
						decision := asks.question.(*Decision)
						decision.DiscardLast()
						follower.answer(decision, decision.BetPot(75))
					}
				}
			}
		}
	}
	if read < 1000 || asked < 100 || broken < 50 {
		t.Errorf("%d items were read, %d decisions asked, %d hands broken off: this tests too little", read, asked, broken)
	}
}

func TestReasonsAreNamedAsTheContractNamesThem(t *testing.T) {
	for number := range pb.Reason_name {
		reason := Reason(number)
		same(t, "known "+reason.String(), reason.IsKnown(), number != 0)
		if strings.HasPrefix(reason.String(), "REASON_") {
			t.Error(reason)
		}
	}
	same(t, "reasons", len(pb.Reason_name), int(lastKnownReason)+1)
	same(t, "events", len(pb.EventKind_name), int(lastKnownEvent)+1)
}

package referee

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	pb "irish.example/referee/refereepb"
)

const (
	draining     = pb.StreamEndReason_STREAM_END_REASON_SERVER_DRAINING
	tooSlow      = pb.StreamEndReason_STREAM_END_REASON_TOO_SLOW
	storeFailed  = pb.StreamEndReason_STREAM_END_REASON_STORE_FAILED
	notAllowed   = pb.StreamEndReason_STREAM_END_REASON_NOT_ALLOWED
	unknownEnd   = pb.StreamEndReason(99)
	unknownPlace = pb.StreamEndReason_STREAM_END_REASON_CURSOR_UNKNOWN
)

func TestABotPlaysATableToItsEnd(t *testing.T) {
	table := tell("table")
	var asked []string
	bot := Simple(func(decision *Decision) Proposal {
		asked = append(asked, fmt.Sprintf("%s %d of %d", decision.StreetName(), decision.ToCall(), decision.Pot))
		return decision.CheckOrCall()
	})
	perform(t, func(t *testing.T, stage *theatre) {
		played := stage.mustPlay(t, bot, Options{})
		sameList(t, "asked", asked, []string{"pre-flop 0 of 20", "flop 0 of 20", "turn 0 of 20"})
		same(t, "reason", played.Reason, "TABLE_ENDED")
		same(t, "decisions", played.Decisions, 3)
		same(t, "seat", played.Seat, 1)
		same(t, "refusals", played.Refusals+played.Resumed+played.Defaults, 0)
		same(t, "streams", stage.streams(), 1)
	}, func(s *stream) {
		if attach := s.attached(); attach.GetSeatToken() != "token of table" || attach.Cursor != nil {
			panic(attach)
		}
		s.say(table.snapshot(), table.toMyTurn())
		for range 2 {
			s.say(table.rules(s.answer()), table.asks())
		}
		s.say(table.rules(s.answer()), table.ended())
	})
}

// --- lost connections -------------------------------------------------------------------------------------

func TestAnAnswerThatWasNotAcknowledgedIsSentAgainUnchangedAndNobodyIsAskedTwice(t *testing.T) {
	table := tell("table")
	var sent []*pb.Propose
	asked := 0
	bot := Simple(func(decision *Decision) Proposal { asked++; return decision.Check() })
	perform(t, func(t *testing.T, stage *theatre) {
		played := stage.mustPlay(t, bot, Options{})
		if !proto.Equal(sent[0], sent[1]) {
			t.Errorf("sent %v, then %v", sent[0], sent[1])
		}
		same(t, "asked", asked, 1)
		same(t, "decisions", played.Decisions, 1)
		same(t, "resumed", played.Resumed, 1)
	}, func(s *stream) {
		s.attached()
		s.say(table.snapshot(), table.toMyTurn())
		sent = append(sent, s.answer())
		s.cut(codes.Unavailable)
	}, func(s *stream) {
		if cursor := s.attached().GetCursor(); cursor.GetHand() != 1 || cursor.GetNumber() != table.count {
			panic(cursor)
		}
		s.say(table.snapshot(), table.repeats())
		sent = append(sent, s.answer())
		s.say(table.rules(sent[1]), table.ended())
	})
}

func TestAnAnswerThatWasAcceptedBeforeTheCutIsNotSentAgain(t *testing.T) {
	table := tell("table")
	var asked []string
	bot := Simple(func(decision *Decision) Proposal {
		asked = append(asked, decision.StreetName())
		return decision.Check()
	})
	perform(t, func(t *testing.T, stage *theatre) {
		stage.mustPlay(t, bot, Options{})
		sameList(t, "asked", asked, []string{"pre-flop", "flop"})
	}, func(s *stream) {
		s.attached()
		s.say(table.snapshot(), table.toMyTurn())
		table.rules(s.answer()) // accepted and stored; the client is not told
		s.cut(codes.Unavailable)
	}, func(s *stream) {
		seen := s.attached().GetCursor().GetNumber()
		s.say(table.snapshot(table.log[seen:]...), table.asks())
		s.say(table.rules(s.answer()), table.ended())
	})
}

func TestARepeatedDecisionWhoseAnswerWasRefusedGetsANewRequestID(t *testing.T) {
	table := tell("table")
	var sent []*pb.Propose
	bot := Simple(func(decision *Decision) Proposal {
		if decision.Refusal == nil {
			return decision.Fold()
		}
		return decision.Check()
	})
	perform(t, func(t *testing.T, stage *theatre) {
		played := stage.mustPlay(t, bot, Options{})
		if sent[0].GetRequestId() == sent[1].GetRequestId() {
			t.Error("one request id for two answers")
		}
		same(t, "refusals", played.Refusals, 1)
		same(t, "request id after the cut", sent[2].GetRequestId(), sent[1].GetRequestId())
	}, func(s *stream) {
		s.attached()
		s.say(table.snapshot(), table.toMyTurn())
		sent = append(sent, s.answer())
		s.say(table.rules(sent[0]))
		sent = append(sent, s.answer())
		s.cut(codes.Unavailable)
	}, func(s *stream) {
		s.attached()
		s.say(table.snapshot(), table.repeats())
		sent = append(sent, s.answer())
		s.say(table.rules(sent[2]), table.ended())
	})
}

func TestEndsThatAreNotTheEndAreResumed(t *testing.T) {
	for _, reason := range []pb.StreamEndReason{draining, tooSlow, storeFailed, unknownEnd, unknownPlace} {
		for _, wholeStream := range []bool{false, true} {
			t.Run(fmt.Sprintf("%v of the stream %v", reason, wholeStream), func(t *testing.T) {
				table := tell("table")
				perform(t, func(t *testing.T, stage *theatre) {
					played := stage.mustPlay(t, checks, Options{})
					same(t, "reason", played.Reason, "TABLE_ENDED")
					same(t, "resumed", played.Resumed, 1)
					if waited := stage.opened[1].Sub(stage.opened[0]); waited > time.Second {
						t.Errorf("resumed after %v", waited)
					}
				}, func(s *stream) {
					s.attached()
					s.say(table.snapshot(), table.begin())
					end := table.end(reason)
					if wholeStream {
						end.TableId = ""
					}
					s.say(end)
					s.silence()
				}, func(s *stream) {
					if cursor := s.attached().GetCursor(); (cursor == nil) != (reason == unknownPlace) {
						panic(cursor)
					}
					s.say(table.snapshot(), table.ended())
				})
			})
		}
	}
}

func TestAStreamThatIsCutInAnyWayIsResumed(t *testing.T) {
	for _, code := range []codes.Code{codes.OK, codes.Unavailable, codes.Canceled, codes.Internal, codes.Unknown} {
		t.Run(code.String(), func(t *testing.T) {
			table := tell("table")
			perform(t, func(t *testing.T, stage *theatre) {
				played := stage.mustPlay(t, checks, Options{})
				same(t, "streams", stage.streams(), 2)
				same(t, "reason", played.Reason, "TABLE_ENDED")
			}, func(s *stream) {
				s.attached()
				s.say(table.snapshot(), table.begin())
				if code != codes.OK {
					s.cut(code)
				}
			}, func(s *stream) {
				s.attached()
				s.say(table.snapshot(), table.ended())
			})
		})
	}
}

func TestEndsThatAreTheEndAreNotResumed(t *testing.T) {
	for _, reason := range []string{"TABLE_ENDED", "REPLACED", "DETACHED", "NOT_ALLOWED", "FLOODING"} {
		t.Run(reason, func(t *testing.T) {
			table := tell("table")
			perform(t, func(t *testing.T, stage *theatre) {
				same(t, "reason", stage.mustPlay(t, checks, Options{}).Reason, reason)
				same(t, "streams", stage.streams(), 1)
			}, func(s *stream) {
				s.attached()
				number := pb.StreamEndReason_value["STREAM_END_REASON_"+reason]
				s.say(table.snapshot(), table.end(pb.StreamEndReason(number)))
				s.closed()
			})
		})
	}
}

func TestASeatThatIsNotAllowedAnyMoreTriesItsCursorThenWithoutOneThenGivesUp(t *testing.T) {
	table := tell("table")
	var cursors []bool
	refuses := func(s *stream) {
		cursors = append(cursors, s.attached().Cursor != nil)
		s.say(table.end(notAllowed))
		s.closed()
	}
	perform(t, func(t *testing.T, stage *theatre) {
		same(t, "reason", stage.mustPlay(t, checks, Options{}).Reason, "NOT_ALLOWED")
		sameList(t, "cursors", cursors, []bool{true, true, true, false})
	}, func(s *stream) {
		s.attached()
		s.say(table.snapshot(), table.begin())
		s.cut(codes.Unavailable)
	}, refuses, refuses, refuses, refuses)
}

func TestAServerThatStaysAwayIsGivenUpAfterWaitsThatGrow(t *testing.T) {
	var away []script
	for range 6 {
		away = append(away, func(s *stream) { s.cut(codes.Unavailable) })
	}
	perform(t, func(t *testing.T, stage *theatre) {
		_, err := stage.play(checks, Options{Backoff: Backoff{100 * time.Millisecond, time.Second, 5}})
		same(t, "attempts", wantError[*ConnectionLostError](t, err).Attempts, 5)
		same(t, "cause", status.Code(errors.Unwrap(err)), codes.Unavailable)
		for at, longest := range []time.Duration{100, 200, 400, 800, 1000} {
			longest *= time.Millisecond
			if waited := stage.opened[at+1].Sub(stage.opened[at]); waited < longest/2 || waited > longest {
				t.Errorf("wait %d: %v; want between %v and %v", at+1, waited, longest/2, longest)
			}
		}
	}, away...)
}

func TestACallThatWouldNotGoBetterLaterIsItsError(t *testing.T) {
	perform(t, func(t *testing.T, stage *theatre) {
		_, err := stage.play(checks, Options{})
		same(t, "code", status.Code(err), codes.InvalidArgument)
	}, func(s *stream) {
		s.attached()
		s.cut(codes.InvalidArgument)
	})
}

func TestAServerThatFallsSilentIsTakenForLostAndHeartbeatsKeepAStream(t *testing.T) {
	table := tell("table")
	perform(t, func(t *testing.T, stage *theatre) {
		start := time.Now()
		played := stage.mustPlay(t, checks, Options{Silence: 10 * time.Second})
		same(t, "resumed", played.Resumed, 1)
		if waited := stage.opened[1].Sub(start); waited < 37*time.Second || waited > 39*time.Second {
			t.Errorf("connected again after %v; want 28 s of heartbeats, 10 s of silence and the back-off", waited)
		}
	}, func(s *stream) {
		s.attached()
		s.say(table.snapshot(), table.begin())
		heartbeat := &pb.PlayResponseItem{Item: &pb.PlayResponseItem_Heartbeat{Heartbeat: &pb.Heartbeat{}}}
		for range 4 {
			time.Sleep(7 * time.Second) // the bubble's time
			s.say(heartbeat)
		}
		s.silence()
	}, func(s *stream) {
		s.attached()
		s.say(table.snapshot(), table.ended())
	})
}

// --- numbers ----------------------------------------------------------------------------------------------

func TestEventsThatAreToldAgainChangeNothing(t *testing.T) {
	table := tell("table")
	var seen []string
	bot := Simple(func(decision *Decision) Proposal {
		seen = append(seen, fmt.Sprintf("pot %d after %d events", decision.Pot, len(decision.Events)))
		return decision.Check()
	})
	perform(t, func(t *testing.T, stage *theatre) {
		stage.mustPlay(t, bot, Options{})
		sameList(t, "seen", seen, []string{"pot 20 after 5 events"})
	}, func(s *stream) {
		s.attached()
		items := table.toMyTurn()
		last := len(items) - 1
		s.say(table.snapshot(), items[:last])
		s.say(items[2:last], table.snapshot(table.log...), items)
		s.say(table.rules(s.answer()), table.ended())
	})
}

func TestAGapIsResumedFromTheLastGoodCursor(t *testing.T) {
	for missing := 1; missing <= 4; missing++ {
		t.Run(fmt.Sprint(missing), func(t *testing.T) {
			table := tell("table")
			events := 0
			bot := Simple(func(decision *Decision) Proposal {
				events = len(decision.Events)
				return decision.Check()
			})
			perform(t, func(t *testing.T, stage *theatre) {
				stage.mustPlay(t, bot, Options{})
				same(t, "events", events, 5)
			}, func(s *stream) {
				s.attached()
				items := table.toMyTurn()
				s.say(table.snapshot(), items[:missing])
				s.say(items[missing+1:])
				s.silence()
			}, func(s *stream) {
				if cursor := s.attached().GetCursor(); cursor.GetHand() != 1 || cursor.GetNumber() != int64(missing) {
					panic(cursor)
				}
				s.say(table.snapshot(table.log[missing:]...), table.repeats())
				s.say(table.rules(s.answer()), table.ended())
			})
		})
	}
}

func TestAHandThatBeginsBeforeTheLastOneWasOverIsAGap(t *testing.T) {
	table := tell("table")
	perform(t, func(t *testing.T, stage *theatre) {
		played := stage.mustPlay(t, checks, Options{})
		same(t, "hands", played.Hands, 1)
		same(t, "net", played.Net, 5)
	}, func(s *stream) {
		s.attached()
		s.say(table.snapshot(), table.begin())
		table.buttonFolds() // not told
		s.say(table.begin())
		s.silence()
	}, func(s *stream) {
		seen := s.attached().GetCursor().GetNumber()
		s.say(table.snapshot(table.log[seen:]...), table.ended())
	})
}

func TestAHandThatIsNeverToldWholeIsBegunAnewAndThenGivenUp(t *testing.T) {
	table := tell("table")
	table.toMyTurn()
	var cursors []bool
	var scripts []script
	for range maxGaps + 1 {
		scripts = append(scripts, func(s *stream) {
			cursors = append(cursors, s.attached().Cursor != nil)
			s.say(table.snapshot(slices.Concat(table.log[:3], table.log[4:])...))
			s.silence()
		})
	}
	perform(t, func(t *testing.T, stage *theatre) {
		_, err := stage.play(checks, Options{})
		wantError[*BrokenStreamError](t, err)
		same(t, "streams", stage.streams(), maxGaps+1)
		sameList(t, "cursors", cursors[:5], []bool{false, true, true, true, false})
	}, scripts...)
}

func TestAHandThatIsToldAgainFromItsBeginningCountsOnce(t *testing.T) {
	table := tell("table")
	perform(t, func(t *testing.T, stage *theatre) {
		over := 0
		played := stage.mustPlay(t, checks, Options{OnHandOver: func(*HandView) *Proposal { over++; return nil }})
		same(t, "hands", played.Hands, 2)
		same(t, "net", played.Net, 10)
		same(t, "hands that were told to be over", over, 2)
	}, func(s *stream) {
		s.attached()
		s.say(table.snapshot(), table.begin(), table.buttonFolds(), table.end(unknownPlace))
		s.silence()
	}, func(s *stream) {
		s.attached()
		s.say(table.snapshot(table.log...), table.begin(), table.buttonFolds(), table.ended())
	})
}

func TestADecisionOfAHandWhoseBeginningWasNotToldBeginsTheHandAnew(t *testing.T) {
	table := tell("table")
	perform(t, func(t *testing.T, stage *theatre) {
		same(t, "reason", stage.mustPlay(t, checks, Options{}).Reason, "TABLE_ENDED")
	}, func(s *stream) {
		s.attached()
		items := table.toMyTurn()
		s.say(table.snapshot(), items[len(items)-1])
		s.silence()
	}, func(s *stream) {
		if cursor := s.attached().Cursor; cursor != nil {
			panic(cursor)
		}
		s.say(table.snapshot(table.log...), table.repeats())
		s.say(table.rules(s.answer()), table.ended())
	})
}

func TestEventsThatDoNotFitTheHandBreakTheStream(t *testing.T) {
	for name, event := range map[string]*pb.Event{
		"a seat that was not dealt in": {Kind: pb.EventKind_EVENT_KIND_FOLDED, Seat: 7},
		"no seat":                      {Kind: pb.EventKind_EVENT_KIND_FOLDED},
		"a discard that was not held":  {Kind: pb.EventKind_EVENT_KIND_DISCARDED, Seat: 1, Cards: []string{"2c"}},
		"no card":                      {Kind: pb.EventKind_EVENT_KIND_BOARD_DEALT, Cards: []string{"1c"}},
	} {
		t.Run(name, func(t *testing.T) {
			table := tell("table")
			perform(t, func(t *testing.T, stage *theatre) {
				_, err := stage.play(checks, Options{})
				wantError[*BrokenStreamError](t, err)
			}, func(s *stream) {
				s.attached()
				s.say(table.snapshot(), table.begin(), table.happened(event))
				s.silence()
			})
		})
	}
}

// --- refusals ---------------------------------------------------------------------------------------------

// refusing rules on what the client proposes, so many times.
func refusing(table *told, answers int) script {
	return func(s *stream) {
		s.attached()
		s.say(table.snapshot(), table.toMyTurn())
		for range answers {
			s.say(table.rules(s.answer()))
		}
		s.say(table.ended())
	}
}

func TestARefusedBotIsToldWhyAndAskedAgain(t *testing.T) {
	var asked []*Ruling
	bot := Simple(func(decision *Decision) Proposal {
		asked = append(asked, decision.Refusal)
		if decision.Refusal == nil {
			return decision.RaiseTo(15)
		}
		return decision.Check()
	})
	perform(t, func(t *testing.T, stage *theatre) {
		var heard []*Ruling
		played := stage.mustPlay(t, bot, Options{OnRefused: func(decision *Decision, ruling *Ruling) {
			same(t, "hand", decision.HandID, "table-1")
			heard = append(heard, ruling)
		}})
		sameList(t, "heard", []*Ruling{nil, heard[0]}, asked)
		same(t, "reason", heard[0].Reason, BelowMinimum)
		same(t, "reason's name", heard[0].Reason.String(), "BELOW_MINIMUM")
		same(t, "rule", heard[0].Rule, "SIZE-3")
		same(t, "legal minimum", heard[0].Options.MinTo, 20)
		same(t, "refusals", played.Refusals, 1)
		same(t, "defaults", played.Defaults, 0)
		same(t, "decisions", played.Decisions, 1)
	}, refusing(tell("table"), 2))
}

func TestABotThatKeepsBeingRefusedIsAnsweredFor(t *testing.T) {
	for _, again := range []int{-1, 1, 0} {
		t.Run(fmt.Sprint(again), func(t *testing.T) {
			expected := map[int]int{-1: 1, 1: 2, 0: 4}[again]
			table := tell("table")
			asked := 0
			bot := Simple(func(decision *Decision) Proposal { asked++; return decision.Fold() })
			perform(t, func(t *testing.T, stage *theatre) {
				played := stage.mustPlay(t, bot, Options{MaxRefusals: again})
				same(t, "asked", asked, expected)
				same(t, "refusals", played.Refusals, expected)
				same(t, "defaults", played.Defaults, 1)
				same(t, "street after the default", table.street, 1)
			}, refusing(table, expected+1))
		})
	}
}

func TestARefusalOfADecisionThatIsNotOpenAnyMoreAsksNobody(t *testing.T) {
	table := tell("table")
	var asked []int
	bot := Simple(func(decision *Decision) Proposal {
		asked = append(asked, decision.Street)
		return decision.Check()
	})
	perform(t, func(t *testing.T, stage *theatre) {
		played := stage.mustPlay(t, bot, Options{})
		sameList(t, "asked", asked, []int{0, 1})
		same(t, "refusals", played.Refusals, 1)
		same(t, "decisions", played.Decisions, 2)
	}, func(s *stream) {
		s.attached()
		s.say(table.snapshot(), table.toMyTurn())
		late := s.answer()
		timedOut := table.happened(&pb.Event{Kind: pb.EventKind_EVENT_KIND_CHECKED, Seat: 1, Automatic: true})
		timedOut = append(timedOut, table.nextStreet()...)
		asks := table.asks()
		stale := &pb.Ruling{Rule: "BET-9", Reason: pb.Reason_REASON_STALE_DECISION, Legal: table.legal()}
		s.say(timedOut, table.refuses(late, stale), asks)
		s.say(table.rules(s.answer()), table.ended())
	})
}

func TestARefusalWithoutAKnownReasonIsAskedAgainAndNoMoreOftenThanStated(t *testing.T) {
	table := tell("table")
	perform(t, func(t *testing.T, stage *theatre) {
		var heard []string
		played := stage.mustPlay(t, checks, Options{MaxRefusals: 1, OnRefused: func(_ *Decision, ruling *Ruling) {
			heard = append(heard, fmt.Sprint(ruling.Reason.IsKnown(), " ", ruling.Message))
		}})
		sameList(t, "heard", heard, slices.Repeat([]string{"false a rule of tomorrow"}, 3))
		same(t, "refusals", played.Refusals, 3)
		same(t, "defaults", played.Defaults, 1)
	}, func(s *stream) {
		s.attached()
		s.say(table.snapshot(), table.toMyTurn())
		for range 3 {
			s.say(table.refuses(s.answer(), &pb.Ruling{Rule: "NEW-1", Reason: 999, Message: "a rule of tomorrow"}))
		}
		s.say(table.ended())
	})
}

func TestAnAnswerThatAStoppingTableDidNotRuleOnIsSentAgainWhenItGoesOn(t *testing.T) {
	table := tell("table")
	var sent []*pb.Propose
	asked := 0
	bot := Simple(func(decision *Decision) Proposal { asked++; return decision.Check() })
	perform(t, func(t *testing.T, stage *theatre) {
		played := stage.mustPlay(t, bot, Options{})
		if !proto.Equal(sent[0], sent[1]) {
			t.Errorf("sent %v, then %v", sent[0], sent[1])
		}
		same(t, "asked", asked, 1)
		same(t, "refusals", played.Refusals, 0)
	}, func(s *stream) {
		s.attached()
		s.say(table.snapshot(), table.toMyTurn())
		sent = append(sent, s.answer())
		s.say(table.refuses(sent[0], &pb.Ruling{Rule: "BET-9", Message: "the table is not being played"}))
		s.say(table.end(draining))
		s.closed()
	}, func(s *stream) {
		s.attached()
		s.say(table.snapshot(), table.repeats())
		sent = append(sent, s.answer())
		s.say(table.rules(sent[1]), table.ended())
	})
}

func TestAnAnswerThatNamesNoHandDecisionOrSeatIsCompleted(t *testing.T) {
	table := tell("table")
	bot := func(context.Context, *Decision) (Proposal, error) { return Proposal{Kind: Check}, nil }
	perform(t, func(t *testing.T, stage *theatre) {
		stage.mustPlay(t, bot, Options{})
	}, func(s *stream) {
		s.attached()
		s.say(table.snapshot(), table.toMyTurn())
		propose := s.answer()
		if p := propose.GetProposal(); p.GetHandId() != "table-1" || p.GetDecisionId() != 1 || p.GetSeat() != 1 {
			panic(p)
		}
		s.say(table.rules(propose), table.ended())
	})
}

// --- a newer contract -------------------------------------------------------------------------------------

// strange adds a field that this version of the contract does not have.
func strange[M proto.Message](message M) M {
	field := protowire.AppendBytes(protowire.AppendTag(nil, 199, protowire.BytesType), []byte("new"))
	message.ProtoReflect().SetUnknown(append(message.ProtoReflect().GetUnknown(), field...))
	return message
}

func TestWhatANewerServerSaysIsIgnored(t *testing.T) {
	table := tell("table")
	events := 0
	bot := Simple(func(decision *Decision) Proposal { events = len(decision.Events); return decision.Check() })
	perform(t, func(t *testing.T, stage *theatre) {
		stage.mustPlay(t, bot, Options{})
		same(t, "known events", events, 5)
	}, func(s *stream) {
		s.attached()
		snapshot := table.snapshot()
		snapshot.GetSnapshot().GetTable().Status = 77
		strange(snapshot.GetSnapshot())
		other := &pb.PlayResponseItem{TableId: "another table"}
		s.say(strange(table.item(&pb.PlayResponseItem{})), snapshot, other, &pb.PlayResponseItem{})
		items := table.begin()
		items = append(items, table.seen(strange(&pb.SeenEvent{})))
		items = append(items, table.happened(&pb.Event{Kind: 88, Seat: 9, Cards: []string{"a new card"}})...)
		items = append(items, table.buttonCalls()...)
		decision := table.asks()
		strange(decision.GetDecision().GetLegal())
		s.say(items, decision)
		s.say(table.rules(s.answer()), table.ended())
	})
}

func TestOptionsOfANewerRuleSetAreReadAsTheDefaultAndAnUnknownGameIsSaidToBeSo(t *testing.T) {
	own := func(game *pb.Game) *pb.TableConfig {
		config := tell("table").config()
		config.Rules = &pb.TableConfig_RuleSet{RuleSet: &pb.RuleSet{
			Name: "own", Version: 1, Game: game, ShowdownOrder: 88, DeckReveal: 99,
		}}
		return config
	}
	plays := func(config *pb.TableConfig) script {
		table := tell("table")
		return func(s *stream) {
			s.attached()
			snapshot := table.snapshot()
			snapshot.GetSnapshot().GetTable().Config = config
			s.say(snapshot, table.ended())
		}
	}
	known := &pb.Game{HoleCards: 3, Discards: 1, DiscardPoint: pb.DiscardPoint_DISCARD_POINT_AFTER_FLOP_BETTING}
	perform(t, func(t *testing.T, stage *theatre) {
		same(t, "reason", stage.mustPlay(t, checks, Options{}).Reason, "TABLE_ENDED")
	}, plays(own(known)))
	published := tell("table").config()
	published.Rules = &pb.TableConfig_RuleSetName{RuleSetName: "irish/of-tomorrow@1"}
	structure := own(known)
	structure.Structure = 9
	for _, config := range []*pb.TableConfig{
		own(&pb.Game{HoleCards: 3, Discards: 1, DiscardPoint: 9}), own(&pb.Game{HoleCards: 2, Discards: 2}),
		published, structure,
	} {
		perform(t, func(t *testing.T, stage *theatre) {
			_, err := stage.play(checks, Options{})
			wantError[*RuleSetError](t, err)
		}, plays(config))
	}
}

// --- many tables ------------------------------------------------------------------------------------------

func TestManyTablesShareAStreamAndAnswersToOneMessageGoOutInOneMessage(t *testing.T) {
	var names []string
	var tables []*told
	for at := range 5 {
		names = append(names, fmt.Sprint("table ", at))
		tables = append(tables, tell(names[at]))
	}
	perform(t, func(t *testing.T, stage *theatre) {
		played, err := stage.play(checks, Options{MaxOpenDecisions: 5}, names...)
		if err != nil {
			t.Fatal(err)
		}
		for at, one := range played {
			same(t, "table", one.TableID, names[at])
			same(t, "reason", one.Reason, "TABLE_ENDED")
		}
	}, func(s *stream) {
		request := s.hear()
		if request.GetMaxOpenDecisions() != 5 || len(request.GetItems()) != 5 {
			panic(request)
		}
		var items []*pb.PlayResponseItem
		for _, table := range tables {
			items = append(append(items, table.snapshot()), table.toMyTurn()...)
		}
		s.say(items)
		for range 2 {
			request := s.hear()
			if request.GetMaxOpenDecisions() != 0 || len(request.GetItems()) != 5 {
				panic(fmt.Sprintf("only the first message says how many may be open, and all answer: %v", request))
			}
			items = nil
			for at, item := range request.GetItems() {
				same(t, "order", item.GetTableId(), names[at])
				items = append(items, tables[at].rules(item.GetPropose())...)
				items = append(items, tables[at].asks())
			}
			s.say(items)
		}
		s.hear()
		items = nil
		for _, table := range tables {
			items = append(items, table.ended())
		}
		s.say(items)
	})
}

func TestAFastAnswerDoesNotWaitForASlowOne(t *testing.T) {
	fast, slow := tell("fast"), tell("slow")
	bot := func(ctx context.Context, decision *Decision) (Proposal, error) {
		if decision.TableID == "slow" {
			return decision.Check(), sleep(ctx, time.Hour)
		}
		return decision.Check(), nil
	}
	perform(t, func(t *testing.T, stage *theatre) {
		if _, err := stage.play(bot, Options{Parallel: 2, MaxOpenDecisions: 2, Silence: 2 * time.Hour}, "slow", "fast"); err != nil {
			t.Fatal(err)
		}
	}, func(s *stream) {
		s.hear()
		time.Sleep(time.Second) // the bubble's time: what waited for the first message waits no more
		s.say(slow.snapshot(), slow.toMyTurn(), fast.snapshot(), fast.toMyTurn())
		start := time.Now()
		first := s.hear().GetItems()
		if waited := time.Since(start); waited > time.Second || len(first) != 1 || first[0].GetTableId() != "fast" {
			panic(fmt.Sprint(waited, first))
		}
		s.say(fast.rules(first[0].GetPropose()), fast.ended())
		s.say(slow.rules(s.hear().GetItems()[0].GetPropose()), slow.ended())
	})
}

func TestADecisionThatIsOverBeforeTheBotComesToItIsNotAsked(t *testing.T) {
	slow, late := tell("slow"), tell("late")
	var asked []string
	bot := func(ctx context.Context, decision *Decision) (Proposal, error) {
		asked = append(asked, fmt.Sprint(decision.TableID, " ", decision.StreetName()))
		return decision.Check(), sleep(ctx, time.Second)
	}
	perform(t, func(t *testing.T, stage *theatre) {
		if _, err := stage.play(bot, Options{MaxOpenDecisions: 2}, "slow", "late"); err != nil {
			t.Fatal(err)
		}
		sameList(t, "asked", asked, []string{"slow pre-flop", "late flop"})
	}, func(s *stream) {
		s.hear()
		s.say(slow.snapshot(), slow.toMyTurn(), late.snapshot(), late.toMyTurn())
		synctest.Wait()
		timedOut := late.happened(&pb.Event{Kind: pb.EventKind_EVENT_KIND_CHECKED, Seat: 1, Automatic: true})
		s.say(timedOut, late.nextStreet(), late.asks())
		s.say(slow.rules(s.answer()), slow.ended())
		s.say(late.rules(s.answer()), late.ended())
	})
}

func TestOneTableOfSeveralIsAttachedAgainOnTheSameStream(t *testing.T) {
	one, other := tell("one"), tell("other")
	perform(t, func(t *testing.T, stage *theatre) {
		played, err := stage.play(checks, Options{}, "one", "other")
		if err != nil {
			t.Fatal(err)
		}
		sameList(t, "resumed", []int{played[0].Resumed, played[1].Resumed}, []int{1, 0})
		same(t, "streams", stage.streams(), 1)
	}, func(s *stream) {
		s.hear()
		s.say(one.snapshot(), one.begin(), other.snapshot(), other.begin())
		s.say(one.end(storeFailed))
		item := s.hear().GetItems()[0]
		if item.GetTableId() != "one" || item.GetAttach().GetCursor().GetNumber() != one.count {
			panic(item)
		}
		s.say(one.snapshot(), one.ended())
		s.say(other.ended())
	})
}

func TestTwoSeatsOfOneTableNeedTwoStreams(t *testing.T) {
	_, err := Play(t.Context(), At("127.0.0.1:1"), checks, []Seat{{TableID: "t"}, {TableID: "t"}}, Options{})
	if err == nil || !strings.Contains(err.Error(), "a stream for each") {
		t.Error(err)
	}
}

// --- bots that take time, fail, or are stopped --------------------------------------------------------------

func TestABotThatThinksThroughALostConnectionIsNotAskedAgainAndItsAnswerIsSentOnce(t *testing.T) {
	for _, answers := range []string{"between the streams", "before the snapshot", "after the decision was repeated"} {
		t.Run(answers, func(t *testing.T) {
			table := tell("table")
			asked := 0
			perform(t, func(t *testing.T, stage *theatre) {
				asking, answer := make(chan bool), make(chan bool)
				bot := func(ctx context.Context, decision *Decision) (Proposal, error) {
					asked++
					asking <- true
					<-answer
					return decision.Check(), nil
				}
				stage.scripts = []script{func(s *stream) {
					s.attached()
					s.say(table.snapshot(), table.toMyTurn())
					<-asking
					if answers == "between the streams" {
						go func() { time.Sleep(time.Millisecond); answer <- true }()
					}
					s.cut(codes.Unavailable)
				}, func(s *stream) {
					s.attached()
					if answers == "before the snapshot" {
						answer <- true
						synctest.Wait() // whatever the client would send by itself, it has sent
					}
					s.say(table.snapshot(), table.repeats())
					if answers == "after the decision was repeated" {
						synctest.Wait()
						answer <- true
					}
					s.say(table.rules(s.answer()), table.ended())
					if heard := s.closed(); len(heard) > 0 {
						panic(heard)
					}
				}}
				played := stage.mustPlay(t, bot, Options{})
				same(t, "asked", asked, 1)
				same(t, "decisions", played.Decisions, 1)
			})
		})
	}
}

func TestABotsErrorEndsThePlayAndTheStream(t *testing.T) {
	fault := errors.New("a fault of the bot's own")
	for name, bot := range map[string]Bot{
		"error":       func(context.Context, *Decision) (Proposal, error) { return Proposal{}, fault },
		"no proposal": func(context.Context, *Decision) (Proposal, error) { return Proposal{}, nil },
		// What looks like a lost connection is none when the bot says it.
		"status": func(context.Context, *Decision) (Proposal, error) {
			return Proposal{}, status.Error(codes.Unavailable, "the bot's own server")
		},
	} {
		t.Run(name, func(t *testing.T) {
			table := tell("table")
			perform(t, func(t *testing.T, stage *theatre) {
				gone := make(chan bool, 1)
				stage.scripts = []script{func(s *stream) {
					s.attached()
					s.say(table.snapshot(), table.toMyTurn())
					s.silence()
					gone <- true
				}}
				_, err := stage.play(bot, Options{})
				if err == nil || (name == "error" && !errors.Is(err, fault)) {
					t.Error(err)
				}
				<-gone
				same(t, "streams", stage.streams(), 1)
			})
		})
	}
}

func TestCancellingEndsTheStreamAndTheBotAndLeavesNothingBehind(t *testing.T) {
	for _, botThinks := range []bool{false, true} {
		t.Run(fmt.Sprint("bot thinks: ", botThinks), func(t *testing.T) {
			table := tell("table")
			perform(t, func(t *testing.T, stage *theatre) {
				ctx, cancel := context.WithCancel(context.Background())
				bot := func(ctx context.Context, _ *Decision) (Proposal, error) {
					<-ctx.Done()
					return Proposal{}, ctx.Err()
				}
				stage.scripts = []script{func(s *stream) {
					s.attached()
					if botThinks {
						s.say(table.snapshot(), table.toMyTurn())
					} else {
						s.say(table.snapshot(), table.begin())
					}
					synctest.Wait()
					cancel()
					s.silence()
				}}
				// The bubble fails the test when a goroutine is left behind.
				played, err := Play(ctx, stage.server, bot, []Seat{{TableID: "table", Token: "token"}}, Options{})
				if !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
				same(t, "reason", played[0].Reason, "")
			})
		})
	}
}

func TestCancellingEndsTheWaitBeforeTheNextAttempt(t *testing.T) {
	perform(t, func(t *testing.T, stage *theatre) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		start := time.Now()
		backoff := Backoff{First: time.Hour, Most: time.Hour, Tries: 3}
		_, err := Play(ctx, stage.server, checks, []Seat{{TableID: "t", Token: "x"}}, Options{Backoff: backoff})
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 2*time.Second {
			t.Error(err, time.Since(start))
		}
	}, func(s *stream) { s.cut(codes.Unavailable) })
}

// --- leaving, showing, clocks -----------------------------------------------------------------------------

func TestATableIsLeftAfterTheStatedNumberOfHands(t *testing.T) {
	for _, refused := range []error{nil, status.Error(codes.FailedPrecondition, "gone"), status.Error(codes.PermissionDenied, "gone")} {
		t.Run(fmt.Sprint(refused), func(t *testing.T) {
			table := tell("table")
			perform(t, func(t *testing.T, stage *theatre) {
				stage.refuse = refused
				played := stage.mustPlay(t, checks, Options{Hands: 2})
				same(t, "hands", played.Hands, 2)
				same(t, "net", played.Net, 10)
				same(t, "reason", played.Reason, "DETACHED")
				left, isLeave := stage.calls[0].(*pb.LeaveSeatRequest)
				if !isLeave || left.GetTableId() != "table" || left.GetSeatToken() != "token of table" {
					t.Error(stage.calls)
				}
			}, func(s *stream) {
				s.attached()
				s.say(table.snapshot(), table.begin(), table.buttonFolds(), table.begin(), table.buttonFolds())
				s.say(table.toMyTurn()) // not answered: the seat leaves
				if item := s.hear().GetItems()[0]; item.GetDetach() == nil {
					panic(item)
				}
				s.closed()
			})
		})
	}
}

func TestATableThatWasLeftWhileTheStreamWasLostIsNotAttachedAgain(t *testing.T) {
	table := tell("table")
	perform(t, func(t *testing.T, stage *theatre) {
		stage.leaving = make(chan bool)
		start := time.Now()
		played := stage.mustPlay(t, checks, Options{Hands: 1, Backoff: Backoff{time.Hour, time.Hour, 3}})
		same(t, "reason", played.Reason, "DETACHED")
		same(t, "streams", stage.streams(), 1)
		if waited := time.Since(start); waited > 2*time.Second {
			t.Errorf("left after %v", waited)
		}
	}, func(s *stream) {
		s.attached()
		s.say(table.snapshot(), table.begin(), table.buttonFolds())
		go func() {
			time.Sleep(time.Second) // the bubble's time
			s.left <- true
		}()
		s.cut(codes.Unavailable)
	})
}

func TestAHandMayBeShownWhenItIsOver(t *testing.T) {
	table := tell("table")
	perform(t, func(t *testing.T, stage *theatre) {
		stage.mustPlay(t, checks, Options{OnHandOver: func(view *HandView) *Proposal {
			same(t, "hole", CardsText(view.Hole()), "Ah Kd")
			shows := view.Show()
			return &shows
		}})
	}, func(s *stream) {
		s.attached()
		s.say(table.snapshot(), table.begin(), table.buttonFolds())
		proposal := s.answer().GetProposal()
		if proposal.GetAction().GetShow() == nil || proposal.GetHandId() != "table-1" || proposal.GetDecisionId() != 0 {
			panic(proposal)
		}
		s.say(table.ended())
	})
}

func TestTheRemainingTimeRunsOnWhileARefusedBotIsAskedAgain(t *testing.T) {
	table := tell("table")
	var seen []int64
	bot := Simple(func(decision *Decision) Proposal {
		seen = append(seen, decision.RemainingMs)
		same(t, "has a clock", decision.HasClock, true)
		time.Sleep(1500 * time.Millisecond) // the bubble's time
		if decision.Refusal == nil {
			return decision.Fold()
		}
		return decision.Check()
	})
	perform(t, func(t *testing.T, stage *theatre) {
		stage.mustPlay(t, bot, Options{})
		if len(seen) != 2 || seen[0] != 5000 || seen[1] < 3490 || seen[1] > 3500 {
			t.Error(seen)
		}
	}, func(s *stream) {
		s.attached()
		items := table.toMyTurn()
		decision := items[len(items)-1].GetDecision()
		decision.RemainingMs, decision.DeadlineUnixMs = 5000, 1_000_000
		s.say(table.snapshot(), items)
		for range 2 {
			s.say(table.rules(s.answer()))
		}
		s.say(table.ended())
	})
}

func TestSealedPiecesAreToldOf(t *testing.T) {
	table := tell("table")
	perform(t, func(t *testing.T, stage *theatre) {
		var heard []string
		stage.mustPlay(t, checks, Options{OnSealed: func(tableID string, piece SealedPiece) {
			heard = append(heard, fmt.Sprintf("%s %s %d %s", tableID, piece.Seal, piece.Index, piece.Checkpoint))
		}})
		sameList(t, "heard", heard, []string{"table seal 7 note"})
	}, func(s *stream) {
		s.attached()
		sealed := &pb.PieceSealed{Seal: []byte("seal"), Index: 7, Checkpoint: []byte("note")}
		s.say(table.snapshot(), table.item(&pb.PlayResponseItem{Item: &pb.PlayResponseItem_Sealed{Sealed: sealed}}))
		s.say(table.ended())
	})
}

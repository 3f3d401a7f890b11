// Package referee is the client SDK of the Irish poker referee: a bot is one function from a Decision to a Proposal, and
// Play plays it at one or many tables over one stream, through lost connections and restarts of the server.
//
//	seat, err := referee.TakeSeat(ctx, server, table, referee.SeatRequest{Name: "mine"})
//	...
//	played, err := referee.Play(ctx, server, referee.Simple(decide), []referee.Seat{seat}, referee.Options{})
//
// The contract is proto/referee/v1, generated into refereepb; deals rebuilds decks, signedlog verifies the signed log.
package referee

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	pb "irish.example/referee/refereepb"
)

// Bot answers one decision. The context ends when the play does. An error ends the play, and Play returns it.
type Bot func(ctx context.Context, decision *Decision) (Proposal, error)

// KozelBot answers one decision of Kozel, as Bot does one of poker.
type KozelBot func(ctx context.Context, decision *KozelDecision) (KozelProposal, error)

// SimpleKozel makes a bot of Kozel of a function that cannot fail.
func SimpleKozel(decide func(decision *KozelDecision) KozelProposal) KozelBot {
	return func(_ context.Context, decision *KozelDecision) (KozelProposal, error) { return decide(decision), nil }
}

// Simple makes a bot of a function that cannot fail.
func Simple(decide func(decision *Decision) Proposal) Bot {
	return func(_ context.Context, decision *Decision) (Proposal, error) { return decide(decision), nil }
}

// Options are how to play; the zero value plays as most want to.
type Options struct {
	// Hands above 0 leaves a table after so many.
	Hands int
	// MaxOpenDecisions is how many tables may ask at once; clocks of further ones stand still. 0 means 1.
	MaxOpenDecisions int
	// MaxRefusals is how often a refused bot is asked again, before the decision is answered with check, else fold, else
	// a discard of the cards dealt last; in Kozel with the first legal move. 0 means 3, and a negative number never.
	MaxRefusals int
	// Parallel is how many decisions the bot may be thinking about at once, in goroutines of its own. 0 means 1: the bot
	// is then never called before it has returned.
	Parallel int
	// Silence is how long the server may say nothing before the connection is taken for lost. It sends heartbeats every
	// 10 seconds. 0 means 30 seconds.
	Silence time.Duration
	// Backoff is how long to wait before trying again.
	Backoff Backoff
	// OnRefused hears of each refused answer, OnHandOver of each hand that is over, where it may return view.Show() to
	// turn up one's hand, OnSealed of each piece of a table's record in the server's log. They must not block.
	OnRefused  func(*Decision, *Ruling)
	OnHandOver func(*HandView) *Proposal
	OnSealed   func(tableID string, piece SealedPiece)
	// OnKozelRefused and OnRoundOver hear of the same at tables of Kozel.
	OnKozelRefused func(*KozelDecision, *KozelRuling)
	OnRoundOver    func(*KozelView)
	// Log hears of lost connections; nil logs nothing.
	Log *slog.Logger
}

const (
	defaultRefusals = 3
	defaultSilence  = 30 * time.Second
)

func (o Options) withDefaults() *Options {
	o.MaxOpenDecisions = max(o.MaxOpenDecisions, 1)
	o.Parallel = max(o.Parallel, 1)
	if o.MaxRefusals == 0 {
		o.MaxRefusals = defaultRefusals
	}
	o.MaxRefusals = max(o.MaxRefusals, 0)
	if o.Silence <= 0 {
		o.Silence = defaultSilence
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &o
}

// Play plays seats, one of a table each, over one stream until each has ended, and says how it went, in their order. It
// resumes when the connection is lost, from the last event that was seen.
//
// What was played is returned beside an error too. Errors are the context's, when that ends; the bot's own; a
// *ConnectionLostError when the server stays away; a *BrokenStreamError when it does not keep to the contract; a
// *RuleSetError for a game that this version does not know; the gRPC error of a call that would not go better later. The
// seats stay taken. Play returns when the bot has returned, whose context is then cancelled.
func Play(ctx context.Context, server Server, bot Bot, seats []Seat, options Options) ([]Played, error) {
	return PlayBots(ctx, server, Bots{Poker: bot}, seats, options)
}

// PlayBots is Play with a bot for each game: Bots{Kozel: bot} plays tables of Kozel. A table of a game without a bot ends
// the play with an error when it first asks.
func PlayBots(ctx context.Context, server Server, bots Bots, seats []Seat, options Options) ([]Played, error) {
	session, err := newSession(server, bots, seats, options.withDefaults())
	if err != nil {
		return nil, err
	}
	err = session.run(ctx)
	if fatal := (*fatalError)(nil); errors.As(err, &fatal) {
		err = fatal.cause
	}
	played := make([]Played, len(session.followers))
	for at, follower := range session.followers {
		played[at] = follower.played
	}
	return played, err
}

// job is a decision that the bot is to be asked, thought is what came of it.
type job struct {
	follower *follower
	question question
}

type thought struct {
	job
	proposal answer
	err      error
}

// session plays seats over one stream at a time. All of its state belongs to the goroutine of run: others only send to
// thoughts and posted.
type session struct {
	server    Server
	bots      Bots
	options   *Options
	followers []*follower
	byTable   map[string]*follower
	leaving   map[*follower]bool

	// waiting are decisions that no goroutine of the bot has taken yet, thinking counts those that one has.
	waiting  []job
	thinking int
	jobs     chan job
	thoughts chan thought
	// posted is work that other goroutines have for the goroutine of run, tasks are those goroutines.
	posted chan func() error
	tasks  sync.WaitGroup
	// current is the stream that is being played; nil between two.
	current *connection
}

func newSession(server Server, bots Bots, seats []Seat, options *Options) (*session, error) {
	s := &session{
		server:   server,
		bots:     bots,
		options:  options,
		byTable:  map[string]*follower{},
		leaving:  map[*follower]bool{},
		jobs:     make(chan job),
		thoughts: make(chan thought),
		posted:   make(chan func() error),
	}
	nextRequest := freshRequestIDs()
	for _, seat := range seats {
		if s.byTable[seat.TableID] != nil {
			return nil, fmt.Errorf("two seats of table %s: one stream plays one; use a stream for each", seat.TableID)
		}
		follower := newFollower(seat, options, nextRequest)
		s.followers = append(s.followers, follower)
		s.byTable[seat.TableID] = follower
	}
	return s, nil
}

func (s *session) run(parent context.Context) error {
	ctx, cancel := context.WithCancel(parent)
	defer s.tasks.Wait()
	defer cancel()
	for range s.options.Parallel {
		s.tasks.Go(func() { s.think(ctx) })
	}
	retry := newRetry(s.options.Backoff)
	for s.isPlaying() {
		heard, moved := s.received()
		lost := s.connect(ctx)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case !s.isPlaying():
			return nil
		case !isLost(lost):
			return lost
		}
		nowHeard, nowMoved := s.received()
		delay, err := retry.next(lost, nowHeard > heard, nowMoved > moved)
		if err != nil {
			return err
		}
		s.options.Log.Info("connection lost", "why", lost, "next_try_in", delay)
		if err := s.pause(ctx, delay); err != nil {
			return err
		}
	}
	return nil
}

// pause waits before the next attempt, and does what others have for this goroutine meanwhile.
func (s *session) pause(ctx context.Context, delay time.Duration) error {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	for s.isPlaying() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case work := <-s.posted:
			if err := work(); err != nil {
				return err
			}
		case <-timer.C:
			return nil
		}
	}
	return nil
}

// fatalError is what no further attempt would mend, such as an error of the bot's own, whatever it looks like.
type fatalError struct{ cause error }

func (e *fatalError) Error() string { return e.cause.Error() }
func (e *fatalError) Unwrap() error { return e.cause }

var (
	errSilent    = errors.New("the server fell silent")
	errStreamEnd = errors.New("the stream ended without saying why")
	errNoneLeft  = errors.New("every table was interrupted")
)

// isLost says whether a stream was lost, so that it can be resumed, and not refused or broken by a fault.
func isLost(err error) bool {
	var gap *gapError
	var broken *BrokenStreamError
	var rules *RuleSetError
	var fatal *fatalError
	switch {
	case errors.As(err, &gap):
		return true
	case errors.As(err, &broken), errors.As(err, &rules), errors.As(err, &fatal):
		return false
	}
	return mayBeTriedAgain(err)
}

func (s *session) isPlaying() bool {
	for _, follower := range s.followers {
		if !follower.isOver {
			return true
		}
	}
	return false
}

func (s *session) received() (snapshots, events int) {
	for _, follower := range s.followers {
		snapshots += follower.snapshots
		events += follower.events
	}
	return snapshots, events
}

// think asks the bot one decision after another.
func (s *session) think(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case job := <-s.jobs:
			proposal, err := s.bots.answer(ctx, job.question)
			select {
			case <-ctx.Done():
				return
			case s.thoughts <- thought{job, proposal, err}:
			}
		}
	}
}

// post has work done by the goroutine of run, unless the play ends before.
func (s *session) post(ctx context.Context, work func() error) {
	select {
	case <-ctx.Done():
	case s.posted <- work:
	}
}

// answer takes what the bot said; it returns what is to be sent for it, or nil.
func (s *session) answer(thought thought) (*pb.PlayRequestItem, error) {
	if thought.err != nil {
		return nil, &fatalError{thought.err}
	}
	propose := thought.follower.answer(thought.question, thought.proposal)
	if propose == nil {
		return nil, nil
	}
	return thought.follower.proposing(propose), nil
}

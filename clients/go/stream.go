package referee

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc"

	pb "irish.example/referee/refereepb"
)

const (
	itemsInAMessage = 1024
	// linger is how long answers wait for those of other tables that the bot is about to give, so that all that is ready
	// goes out in one message.
	linger = 2 * time.Millisecond
)

// connection is one stream, from its beginning to its end. Its state belongs to the goroutine of session.run.
type connection struct {
	*session
	// ctx ends with this stream, whole with the play: a call about a seat outlives a stream.
	ctx         context.Context
	whole       context.Context
	outbox      []*pb.PlayRequestItem
	interrupted map[*follower]bool
	// first says that the stream's first message is still to be sent.
	first bool
	// linger fires when what is in the outbox has waited long enough, and lingered says that it has.
	linger   *time.Timer
	lingered bool
}

// connect plays over one stream until it ends, and returns how; nil when every seat has ended.
func (s *session) connect(whole context.Context) error {
	channel, err := s.server.dial()
	if err != nil {
		return &fatalError{err}
	}
	defer channel.Close()
	ctx, cancel := context.WithCancelCause(whole)
	silence := time.AfterFunc(s.options.Silence, func() { cancel(errSilent) })
	var transport sync.WaitGroup
	defer transport.Wait()
	defer silence.Stop()
	defer cancel(nil)

	stream, err := pb.NewTableServiceClient(channel).Play(ctx)
	if err != nil {
		return why(ctx, err)
	}
	received, ended := make(chan *pb.PlayResponse), make(chan error, 1)
	writes := make(chan *pb.PlayRequest)
	transport.Go(func() { ended <- readAll(ctx, stream, received, func() { silence.Reset(s.options.Silence) }) })
	transport.Go(func() { writeAll(ctx, stream, writes) })

	c := &connection{
		session:     s,
		ctx:         ctx,
		whole:       whole,
		interrupted: map[*follower]bool{},
		first:       true,
		linger:      time.NewTimer(linger),
		lingered:    true,
	}
	defer c.linger.Stop()
	s.current = c
	defer func() { s.current = nil }()
	for _, follower := range s.followers {
		if !follower.isOver {
			c.outbox = append(c.outbox, follower.attach())
		}
	}
	return c.play(received, ended, writes)
}

// why is the cause of a stream's end where this client ended it itself, else its error.
func why(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	return err
}

func readAll(
	ctx context.Context,
	stream grpc.BidiStreamingClient[pb.PlayRequest, pb.PlayResponse],
	received chan<- *pb.PlayResponse,
	heard func(),
) error {
	for {
		response, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return errStreamEnd
		}
		if err != nil {
			return why(ctx, err)
		}
		heard()
		select {
		case <-ctx.Done():
			return why(ctx, ctx.Err())
		case received <- response:
		}
	}
}

// writeAll sends what it is given, and says that no more comes when that is closed. That a send fails the reader finds
// out: nothing is lost with a connection, it is resumed.
func writeAll(
	ctx context.Context, stream grpc.BidiStreamingClient[pb.PlayRequest, pb.PlayResponse], writes <-chan *pb.PlayRequest,
) {
	for {
		select {
		case <-ctx.Done():
			return
		case request, isOpen := <-writes:
			if !isOpen {
				_ = stream.CloseSend()
				return
			}
			_ = stream.Send(request)
		}
	}
}

func (c *connection) play(received <-chan *pb.PlayResponse, ended <-chan error, writes chan<- *pb.PlayRequest) error {
	for c.isPlaying() || len(c.outbox) > 0 {
		jobs, next := c.nextJob()
		sends, request := c.nextRequest(writes)
		select {
		case jobs <- next:
			c.waiting = c.waiting[1:]
			c.thinking++
		case sends <- request:
			c.outbox = c.outbox[len(request.GetItems()):]
			c.first, c.lingered = false, len(c.outbox) > 0
		case <-c.linger.C:
			c.lingered = true
		case response := <-received:
			if err := c.take(response); err != nil {
				return err
			}
			if c.isPlaying() && c.allInterrupted() {
				return errNoneLeft
			}
		case thought := <-c.thoughts:
			c.thinking--
			item, err := c.answer(thought)
			if err != nil {
				return err
			}
			if item != nil {
				c.queue(item)
			}
		case work := <-c.posted:
			if err := work(); err != nil {
				return err
			}
		case err := <-ended:
			return err
		}
	}
	close(writes)
	closeGently(received, ended)
	return nil
}

// closeGently lets a stream that has nothing more to say close by itself.
func closeGently(received <-chan *pb.PlayResponse, ended <-chan error) {
	timer := time.NewTimer(closingTimeout)
	defer timer.Stop()
	for {
		select {
		case <-received:
		case <-ended:
			return
		case <-timer.C:
			return
		}
	}
}

// queue puts something into the outbox. It goes out when nothing else is about to be answered, but soon in any case.
func (c *connection) queue(item *pb.PlayRequestItem) {
	if len(c.outbox) == 0 {
		c.lingered = false
		c.linger.Reset(linger)
	}
	c.outbox = append(c.outbox, item)
}

// nextJob returns where to send the next decision for the bot; a nil channel when there is none. Decisions that are no
// longer open, such as after a time-out, are dropped.
func (c *connection) nextJob() (chan<- job, job) {
	c.waiting = slices.DeleteFunc(c.waiting, func(job job) bool { return !job.follower.isAsking(job.question) })
	if len(c.waiting) == 0 {
		return nil, job{}
	}
	return c.jobs, c.waiting[0]
}

// nextRequest returns where to send the next message; a nil channel when there is none yet.
func (c *connection) nextRequest(writes chan<- *pb.PlayRequest) (chan<- *pb.PlayRequest, *pb.PlayRequest) {
	isReady := c.lingered || c.thinking+len(c.waiting) == 0 || len(c.outbox) >= itemsInAMessage
	if len(c.outbox) == 0 || !isReady {
		return nil, nil
	}
	request := &pb.PlayRequest{Items: c.outbox[:min(len(c.outbox), itemsInAMessage)]}
	if c.first {
		request.MaxOpenDecisions = int32(c.options.MaxOpenDecisions)
	}
	return writes, request
}

func (c *connection) take(response *pb.PlayResponse) error {
	for _, item := range response.GetItems() {
		for _, follower := range c.concerned(item) {
			outcomes, err := follower.receive(item)
			if err != nil {
				return err
			}
			for _, outcome := range outcomes {
				c.do(follower, outcome)
			}
			if c.options.Hands > 0 && follower.played.Hands >= c.options.Hands {
				c.leave(follower)
			}
		}
	}
	return nil
}

// concerned returns the tables that an item is about: without a table's id the whole stream, of which only an end
// matters.
func (c *connection) concerned(item *pb.PlayResponseItem) []*follower {
	var candidates []*follower
	if item.GetTableId() != "" {
		if named := c.byTable[item.GetTableId()]; named != nil {
			candidates = []*follower{named}
		}
	} else if item.GetEnd() != nil {
		candidates = c.followers
	}
	var concerned []*follower
	for _, follower := range candidates {
		if !follower.isOver && !c.interrupted[follower] {
			concerned = append(concerned, follower)
		}
	}
	return concerned
}

func (c *connection) do(follower *follower, what outcome) {
	switch what := what.(type) {
	case ask:
		if !c.leaving[follower] {
			c.waiting = append(c.waiting, job{follower, what.question})
		}
	case send:
		c.queue(follower.proposing(what.propose))
	case reveal:
		// The call may outlive this stream.
		c.tasks.Go(func() {
			if err := reveals(c.whole, c.server, follower.seat, c.options.Backoff); err != nil {
				c.post(c.whole, func() error { return &fatalError{err} })
			}
		})
	case interrupted:
		c.interrupted[follower] = true
		c.options.Log.Info("table interrupted", "table", follower.seat.TableID)
		c.tasks.Go(func() { c.attachAgain(follower) })
	}
}

func (c *connection) allInterrupted() bool {
	for _, follower := range c.followers {
		if !follower.isOver && !c.interrupted[follower] {
			return false
		}
	}
	return true
}

// attachAgain attaches one table again on a stream that goes on for others, after a while.
func (c *connection) attachAgain(follower *follower) {
	if sleep(c.ctx, c.options.Backoff.orDefault().delay(1)) != nil {
		return
	}
	c.post(c.ctx, func() error {
		if c.interrupted[follower] {
			delete(c.interrupted, follower)
			c.queue(follower.attach())
		}
		return nil
	})
}

// leave leaves a table, and then detaches from it.
func (c *connection) leave(follower *follower) {
	if follower.isOver || c.leaving[follower] {
		return
	}
	c.leaving[follower] = true
	c.tasks.Go(func() {
		err := LeaveSeat(c.whole, c.server, follower.seat, c.options.Backoff)
		c.post(c.whole, func() error {
			if err != nil {
				return &fatalError{err}
			}
			if follower.isOver { // by itself, meanwhile
				return nil
			}
			follower.over(pb.StreamEndReason_STREAM_END_REASON_DETACHED)
			if c.current != nil {
				c.current.queue(follower.detach())
			}
			return nil
		})
	})
}

package referee

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

const (
	// callTimeout is how long one unary call may take.
	callTimeout = 30 * time.Second
	// closingTimeout is how long a stream that has ended may take to close.
	closingTimeout = time.Second
	messageBytes   = 4 * 1024 * 1024
)

// Server is where a server is and how to reach it.
type Server struct {
	// Target is its address, HOST:PORT.
	Target string
	// TLS turns TLS on; see TrustCA.
	TLS *tls.Config
	// DialOptions are further options of the connection.
	DialOptions []grpc.DialOption
}

// At returns the server at an address HOST:PORT, without TLS.
func At(target string) Server { return Server{Target: target} }

// TrustCA returns TLS settings that trust the authorities of a PEM file and no other.
func TrustCA(pem []byte) (*tls.Config, error) {
	authorities := x509.NewCertPool()
	if !authorities.AppendCertsFromPEM(pem) {
		return nil, errors.New("no certificate of an authority in PEM")
	}
	return &tls.Config{RootCAs: authorities, MinVersion: tls.VersionTLS12}, nil
}

// dial makes a connection of its own: each attempt dials anew, so that only this client's own back-off delays it.
func (s Server) dial() (*grpc.ClientConn, error) {
	security := insecure.NewCredentials()
	if s.TLS != nil {
		security = credentials.NewTLS(s.TLS)
	}
	dialing := []grpc.DialOption{
		grpc.WithTransportCredentials(security),
		// Quiet streams are pinged, less often than every 10 seconds, which is what the server allows.
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 20 * time.Second, Timeout: 10 * time.Second}),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(messageBytes)),
		grpc.WithDisableServiceConfig(),
	}
	return grpc.NewClient(s.Target, append(dialing, s.DialOptions...)...)
}

// mayBeTriedAgain says whether the same call may go better later: the server was away or busy, not unwilling.
func mayBeTriedAgain(err error) bool {
	switch status.Code(err) {
	case codes.InvalidArgument, codes.NotFound, codes.AlreadyExists, codes.PermissionDenied, codes.Unauthenticated,
		codes.FailedPrecondition, codes.OutOfRange, codes.Unimplemented:
		return false
	}
	return true
}

// ConnectionLostError says that the server stayed out of reach for as often as was to be tried.
type ConnectionLostError struct {
	Attempts int
	Last     error
}

func (e *ConnectionLostError) Error() string {
	return fmt.Sprintf("given up after %d attempts without an answer: %v", e.Attempts, e.Last)
}

// Unwrap returns how the last attempt failed.
func (e *ConnectionLostError) Unwrap() error { return e.Last }

// Backoff is how long to wait before trying again: doubling from First to Most, a part of it at random. After Tries
// attempts in a row to which the server did not answer it is given up. The zero value means DefaultBackoff.
type Backoff struct {
	First time.Duration
	Most  time.Duration
	Tries int
}

// DefaultBackoff gives up a server that stays away for some two minutes.
var DefaultBackoff = Backoff{First: 200 * time.Millisecond, Most: 5 * time.Second, Tries: 30}

func (b Backoff) orDefault() Backoff {
	if b == (Backoff{}) {
		return DefaultBackoff
	}
	return b
}

// delay is the wait after so many failures in a row, at least one.
func (b Backoff) delay(failures int) time.Duration {
	longest := b.First
	for failures > 1 && longest < b.Most {
		longest *= 2
		failures--
	}
	longest = min(longest, b.Most)
	return longest/2 + rand.N(longest/2+1)
}

// retry counts failures and waits after them.
type retry struct {
	backoff    Backoff
	failures   int
	unanswered int
}

func newRetry(backoff Backoff) *retry { return &retry{backoff: backoff.orDefault()} }

// next returns how long to wait after a failure. heard says that the server answered before, moved that something new
// happened: a server that only ends every stream at once is tried ever more slowly, and one that does not answer is
// given up.
func (r *retry) next(lost error, heard, moved bool) (time.Duration, error) {
	r.failures++
	r.unanswered++
	if moved {
		r.failures = 1
	}
	if heard {
		r.unanswered = 1
	}
	if r.unanswered > r.backoff.Tries {
		return 0, &ConnectionLostError{r.backoff.Tries, lost}
	}
	return r.backoff.delay(r.failures), nil
}

func sleep(ctx context.Context, duration time.Duration) error {
	timer := time.NewTimer(duration)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// call makes one unary call on a connection of its own, again and again while the server is out of reach.
func call[Client, Request, Response any](
	ctx context.Context,
	server Server,
	backoff Backoff,
	client func(grpc.ClientConnInterface) Client,
	method func(Client, context.Context, Request, ...grpc.CallOption) (Response, error),
	request Request,
) (Response, error) {
	retry := newRetry(backoff)
	once := func() (response Response, err error) {
		ctx, cancel := context.WithTimeout(ctx, callTimeout)
		defer cancel()
		connection, err := server.dial()
		if err != nil {
			return response, err
		}
		defer connection.Close()
		return method(client(connection), ctx, request)
	}
	for {
		response, err := once()
		if err == nil || ctx.Err() != nil || !mayBeTriedAgain(err) {
			return response, err
		}
		delay, err := retry.next(err, false, false)
		if err == nil {
			err = sleep(ctx, delay)
		}
		if err != nil {
			return response, err
		}
	}
}

// bearing shows the host's or the auditor's token with a call.
func bearing(ctx context.Context, token string) context.Context {
	if token == "" {
		return ctx
	}
	return metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+token)
}

package botmain

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc"

	"irish.example/referee"
	pb "irish.example/referee/refereepb"
)

// endingTables ends every table that is attached at once, for a reason that its name tells.
type endingTables struct {
	pb.UnimplementedTableServiceServer
	mutex sync.Mutex
	first *pb.PlayRequest
}

func (e *endingTables) Play(stream grpc.BidiStreamingServer[pb.PlayRequest, pb.PlayResponse]) error {
	request, err := stream.Recv()
	if err != nil {
		return err
	}
	e.mutex.Lock()
	e.first = request
	e.mutex.Unlock()
	response := &pb.PlayResponse{}
	for _, item := range request.GetItems() {
		reason := pb.StreamEndReason(pb.StreamEndReason_value["STREAM_END_REASON_"+item.GetTableId()])
		end := &pb.PlayResponseItem_End{End: &pb.StreamEnd{Reason: reason}}
		response.Items = append(response.Items, &pb.PlayResponseItem{TableId: item.GetTableId(), Item: end})
	}
	if err := stream.Send(response); err != nil {
		return err
	}
	_, _ = stream.Recv() // until the client has no more to say
	return nil
}

// serve starts a server on loopback and returns its address.
func serve(t *testing.T) (*endingTables, string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	tables, server := &endingTables{}, grpc.NewServer()
	pb.RegisterTableServiceServer(server, tables)
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(listener) })
	t.Cleanup(func() {
		server.Stop()
		serving.Wait()
	})
	return tables, listener.Addr().String()
}

var bots = []Named{
	{Name: "one", Bot: referee.Simple((*referee.Decision).CheckOrCall)},
	{Name: "other", Bot: referee.Simple((*referee.Decision).CheckOrFold)},
}

func run(t *testing.T, environment map[string]string, arguments ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	look := func(name string) string { return environment[name] }
	return Run(t.Context(), arguments, look, &out, &err, bots...), out.String(), err.String()
}

func TestALineForEachTableInTheOrderOfTheSeats(t *testing.T) {
	tables, address := serve(t)
	code, stdout, stderr := run(t, nil, "--target", address, "--seat", "TABLE_ENDED=one=1", "--seat", "REPLACED=two",
		"--max-open", "2")
	if code != exitNot {
		t.Errorf("exit code %d; a table was not played to its end: %s", code, stderr)
	}
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	if len(lines) != 2 {
		t.Fatal(stdout)
	}
	for at, reason := range []string{"TABLE_ENDED", "REPLACED"} {
		var told map[string]any
		if err := json.Unmarshal([]byte(lines[at]), &told); err != nil {
			t.Fatal(err)
		}
		if told["table"] != reason || told["reason"] != reason || told["deal_fault"] != "" || len(told) != 8 {
			t.Error(told)
		}
		for _, name := range []string{"hands", "decisions", "refusals", "resumed", "deals_checked"} {
			if told[name] != 0.0 {
				t.Errorf("%s: %v", name, told[name])
			}
		}
	}
	if token := tables.first.GetItems()[0].GetAttach().GetSeatToken(); token != "one=1" {
		t.Errorf("token %q", token)
	}
	if open := tables.first.GetMaxOpenDecisions(); open != 2 {
		t.Errorf("%d open decisions", open)
	}
}

func TestTheEnvironmentSaysWhereFlagsDoNot(t *testing.T) {
	_, address := serve(t)
	environment := map[string]string{"REFEREE_TARGET": address, "REFEREE_SEATS": "TABLE_ENDED=token, "}
	code, stdout, stderr := run(t, environment, "--bot", "other")
	if code != exitPlayed || !strings.Contains(stdout, `"reason":"TABLE_ENDED"`) {
		t.Error(code, stdout, stderr)
	}
	code, stdout, _ = run(t, environment, "--seat", "FLOODING=token")
	if code != exitNot || strings.Contains(stdout, "TABLE_ENDED") {
		t.Error(code, stdout)
	}
}

func TestTheServerOfThisMachineIsMeantWhereNoneIsNamed(t *testing.T) {
	arguments := []string{"--table", "a"}
	for want, environment := range map[string]map[string]string{
		"127.0.0.1:50051": nil, "elsewhere:1": {"REFEREE_TARGET": "elsewhere:1"},
	} {
		lookup := func(name string) string { return environment[name] }
		command, err := read(arguments, lookup, io.Discard, []Named{{Name: "bot"}})
		if err != nil || command.server.Target != want {
			t.Errorf("%v, %v; want %s", command, err, want)
		}
	}
}

func TestArgumentsThatMakeNoSense(t *testing.T) {
	garbage := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(garbage, []byte("no certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	seat := []string{"--target", "127.0.0.1:1", "--seat", "a=b"}
	for want, arguments := range map[string][]string{
		"no seat":                 {"--target", "127.0.0.1:1"},
		"is not TABLE=TOKEN":      {"--target", "127.0.0.1:1", "--seat", "a"},
		"two seats of table a":    append([]string{"--seat", "a=c"}, seat...),
		"there is no bot":         append([]string{"--bot", "third"}, seat...),
		"is not an option":        append(append([]string{}, seat...), "more"),
		"flag provided but":       {"--colour"},
		"a number is too small":   append([]string{"--max-open", "0"}, seat...),
		"no certificate":          append([]string{"--tls-ca", garbage}, seat...),
		"no such file":            append([]string{"--tls-ca", garbage + "x"}, seat...),
		"take the first free":     {"--help"},
		"invalid value \"quick\"": append([]string{"--backoff-ms", "quick"}, seat...),
	} {
		code, stdout, stderr := run(t, nil, arguments...)
		if code != exitMisused || stdout != "" || !strings.Contains(stderr, want) {
			t.Errorf("%v: %d %s; want %s", arguments, code, stderr, want)
		}
	}
}

func TestASeatThatCannotBeTakenIsSaidToBeSo(t *testing.T) {
	_, address := serve(t) // which knows no GetTable
	code, stdout, stderr := run(t, nil, "--target", address, "--table", "abc")
	if code != exitNot || !strings.Contains(stdout, `"table":"abc","reason":""`) || !strings.Contains(stderr, "Unimplemented") {
		t.Error(code, stdout, stderr)
	}
}

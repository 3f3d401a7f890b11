package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"irish.example/referee"
	pb "irish.example/referee/refereepb"
	"irish.example/referee/signedlog"
)

// TestMain is the example bot itself where the test starts it as a process of its own.
func TestMain(m *testing.M) {
	if os.Getenv("REFEREE_TEST_IS_THE_BOT") != "" {
		main()
	}
	os.Exit(m.Run())
}

// liveServer is the referee's own server, which can be killed and started again.
type liveServer struct {
	t       *testing.T
	python  string
	root    string
	data    string
	address string
	process *exec.Cmd
}

func newLiveServer(t *testing.T) *liveServer {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	python := filepath.Join(root, ".venv", "bin", "python")
	if _, err := os.Stat(python); err != nil {
		t.Skipf("there is no server to play against: run `make venv` at the top of the checkout (%v)", err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	s := &liveServer{t: t, python: python, root: root, data: t.TempDir(), address: listener.Addr().String()}
	t.Cleanup(func() { s.kill() })
	return s
}

func (s *liveServer) referee(arguments ...string) *exec.Cmd {
	command := exec.CommandContext(s.t.Context(), s.python, append([]string{"-m", "referee"}, arguments...)...)
	command.Env = append(os.Environ(), "PYTHONPATH="+s.root)
	return command
}

// start starts the server and waits until it listens.
func (s *liveServer) start() error {
	_, port, err := net.SplitHostPort(s.address)
	if err != nil {
		return err
	}
	s.process = s.referee("serve", "--port", port, "--data", s.data, "--log-format", "json")
	said, writes, err := os.Pipe()
	if err != nil {
		return err
	}
	s.process.Stdout, s.process.Stderr = writes, writes
	err = s.process.Start()
	writes.Close()
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(said)
	var log []string
	for lines.Scan() {
		log = append(log, lines.Text())
		if strings.Contains(lines.Text(), "listening") {
			go func() { // what else it says is read, so that it does not wait for a reader
				_, _ = io.Copy(io.Discard, said)
				said.Close()
			}()
			return nil
		}
	}
	return fmt.Errorf("the server did not start: %s", strings.Join(log, "\n"))
}

// kill ends the server as a power cut would.
func (s *liveServer) kill() {
	if s.process != nil {
		_ = s.process.Process.Signal(syscall.SIGKILL)
		_ = s.process.Wait()
		s.process = nil
	}
}

func (s *liveServer) read(name string) string {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.data, name))
	if err != nil {
		s.t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

// bot runs a bot program until it has ended, and tells its line.
func (s *liveServer) bot(table string, lines chan<- map[string]any, program string) {
	command := exec.CommandContext(s.t.Context(), program, "--target", s.address, "--table", table, "--name", "process")
	command.Env = append(os.Environ(), "REFEREE_TEST_IS_THE_BOT=1")
	command.Stderr = os.Stderr
	out, err := command.Output()
	line := map[string]any{}
	if err == nil {
		err = json.Unmarshal(out, &line)
	}
	if err != nil {
		s.t.Errorf("%s: %v: %s", program, err, out)
	}
	lines <- line
}

// starter builds what a contestant copies, as it stands.
func starter(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "starter")
	if said, err := exec.Command("go", "build", "-C", "../starter", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("the starter cannot be built: %v: %s", err, said)
	}
	return program
}

// TestAMatchAgainstTheRefereeItself plays Irish with the example, the starter and practice bots at the real server, which is killed in mid-hand and
// started again, and then verifies every deck and that every hand is in the server's signed log.
func TestAMatchAgainstTheRefereeItself(t *testing.T) {
	hands, practice := 12, []string{"sound-irish"}
	if os.Getenv("REFEREE_LONG") == "1" {
		hands, practice = 200, []string{"sound-irish", "random-legal", "always-call"}
	}
	live := newLiveServer(t)
	programs := []string{os.Args[0], starter(t)}
	if err := live.start(); err != nil {
		t.Fatal(err)
	}
	server := referee.At(live.address)
	table, err := referee.CreateTable(t.Context(), server, live.read("host.token"), &pb.TableConfig{
		Rules:         &pb.TableConfig_RuleSetName{RuleSetName: "irish/full-tilt@1"},
		Structure:     pb.BettingStructure_BETTING_STRUCTURE_NO_LIMIT,
		Stakes:        &pb.Stakes{SmallBlind: 5, BigBlind: 10},
		Seats:         int32(1 + len(programs) + len(practice)),
		StartingStack: 1000,
		ResetStacks:   true,
		Hands:         int64(hands),
	})
	if err != nil {
		t.Fatal(err)
	}
	var others sync.WaitGroup
	defer others.Wait()
	for _, name := range practice {
		others.Go(func() {
			if said, err := live.referee("bot", name, "--table", table, "--target", live.address).CombinedOutput(); err != nil {
				t.Errorf("practice bot: %v: %s", err, said)
			}
		})
	}
	lines := make(chan map[string]any, len(programs))
	for _, program := range programs {
		others.Go(func() { live.bot(table, lines, program) })
	}

	seat, err := referee.TakeSeat(t.Context(), server, table, referee.SeatRequest{Name: "in the test"})
	if err != nil {
		t.Fatal(err)
	}
	killed := false
	bot := func(_ context.Context, decision *referee.Decision) (referee.Proposal, error) {
		if decision.HandNumber > int64(hands)/2 && !killed {
			killed = true
			live.kill()
			if err := live.start(); err != nil {
				return referee.Proposal{}, err
			}
		}
		return plain(decision), nil
	}
	var sealed []referee.SealedPiece
	played, err := referee.Play(t.Context(), server, bot, []referee.Seat{seat}, referee.Options{
		OnSealed: func(_ string, piece referee.SealedPiece) { sealed = append(sealed, piece) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if one := played[0]; one.Reason != "TABLE_ENDED" || one.Hands != hands || one.Refusals != 0 || one.Resumed < 1 ||
		one.DealsChecked != hands || one.DealFault != "" {
		t.Errorf("played %+v", one)
	}
	for range programs {
		line := <-lines
		if line["reason"] != "TABLE_ENDED" || line["hands"] != float64(hands) || line["refusals"] != 0.0 ||
			line["deals_checked"] != float64(hands) || line["resumed"] == 0.0 {
			t.Errorf("a program played %v", line)
		}
	}
	verifyLog(t, live, table, sealed)
}

// verifyLog holds the server's log to what it told while the match was played.
func verifyLog(t *testing.T, live *liveServer, table string, sealed []referee.SealedPiece) {
	t.Helper()
	if len(sealed) < 2 {
		t.Fatalf("%d pieces were sealed", len(sealed))
	}
	ring, err := signedlog.ParseKeys(live.read("log.keys"))
	if err != nil {
		t.Fatal(err)
	}
	var heads []*signedlog.Verified
	for _, piece := range sealed {
		head, err := signedlog.VerifyCheckpoint(piece.Checkpoint, ring, time.Now().Unix(), 0)
		if err != nil {
			t.Fatal(err)
		}
		heads = append(heads, head)
	}
	bySize := func(one, other *signedlog.Verified) int { return int(one.Size - other.Size) }
	first, last := slices.MinFunc(heads, bySize), slices.MaxFunc(heads, bySize)
	server := referee.At(live.address)
	proof, err := referee.ProveConsistency(t.Context(), server, first.Size, last.Size)
	if err != nil {
		t.Fatal(err)
	}
	if err := signedlog.CheckGrowth(first.Checkpoint, last.Checkpoint, proof); err != nil {
		t.Error(err)
	}
	for _, told := range sealed {
		if told.Index >= last.Size {
			continue
		}
		seal := &pb.Seal{}
		if err := proto.Unmarshal(told.Seal, seal); err != nil {
			t.Fatal(err)
		}
		shown, proof, err := referee.ProveInclusion(t.Context(), server, table, seal.GetPiece(), last.Size)
		if err != nil {
			t.Fatal(err)
		}
		if shown.Index != told.Index || string(shown.Seal) != string(told.Seal) {
			t.Errorf("piece %d is shown as another one than was told", seal.GetPiece())
		}
		if err := signedlog.VerifyPiece(told.Seal, told.Index, proof, last.Checkpoint); err != nil {
			t.Error(err)
		}
		other := append(slices.Clone(told.Seal), 0)
		if signedlog.VerifyPiece(other, told.Index, proof, last.Checkpoint) == nil {
			t.Errorf("piece %d: a changed seal is proven", seal.GetPiece())
		}
	}
}

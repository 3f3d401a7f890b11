// Package botmain is the command line of a bot program: it reads where to play, plays, and tells how it went.
package botmain

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"irish.example/referee"
)

// Named is a bot and what --bot calls it. Kozel is what it plays at tables of Kozel; without one it plays none.
type Named struct {
	Name  string
	Bot   referee.Bot
	Kozel referee.KozelBot
}

// Main runs a program of one bot, and ends the process.
func Main(bot referee.Bot) {
	MainOf(Named{Name: "bot", Bot: bot})
}

// MainOf runs a program of several bots, of which --bot chooses one, by default the first; it ends the process.
func MainOf(bots ...Named) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := Run(ctx, os.Args[1:], os.Getenv, os.Stdout, os.Stderr, bots...)
	stop()
	os.Exit(code)
}

const (
	exitPlayed  = 0
	exitNot     = 1
	exitMisused = 2
)

// usualTarget is where a server listens unless it is told otherwise.
const usualTarget = "127.0.0.1:50051"

// Run runs a program of several bots with these arguments and returns its exit code: 0 when every table has ended or
// was left after the stated number of hands, 1 when not, 2 for arguments that make no sense. A line of JSON for each
// table, in the order of the seats, goes to stdout.
func Run(
	ctx context.Context, arguments []string, environment func(string) string, stdout, stderr io.Writer, bots ...Named,
) int {
	command, err := read(arguments, environment, stderr, bots)
	if err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(stderr, err)
		}
		return exitMisused
	}
	command.options.Log = slog.New(slog.NewTextHandler(stderr, nil))
	command.options.OnRefused = func(decision *referee.Decision, ruling *referee.Ruling) {
		command.options.Log.Info("refused", "table", decision.TableID, "hand", decision.HandNumber,
			"reason", ruling.Reason, "rule", ruling.Rule, "message", ruling.Message)
	}
	command.options.OnKozelRefused = func(decision *referee.KozelDecision, ruling *referee.KozelRuling) {
		command.options.Log.Info("refused", "table", decision.TableID, "round", decision.HandNumber,
			"reason", ruling.Reason, "rule", ruling.Rule, "message", ruling.Message)
	}
	played, err := command.play(ctx)
	if err != nil {
		fmt.Fprintln(stderr, err)
	}
	code := exitPlayed
	if err != nil {
		code = exitNot
	}
	for _, one := range played {
		fmt.Fprintln(stdout, line(one))
		wasLeft := one.Reason == "DETACHED" && command.options.Hands > 0 && one.Hands >= command.options.Hands
		if one.Reason != "TABLE_ENDED" && !wasLeft {
			code = exitNot
		}
	}
	return code
}

func line(played referee.Played) string {
	var points *int
	if played.Rating != nil {
		points = &played.Points
	}
	// A struct and no map, so that the keys keep their order.
	encoded, err := json.Marshal(struct {
		Table        string `json:"table"`
		Reason       string `json:"reason"`
		Hands        int    `json:"hands"`
		Decisions    int    `json:"decisions"`
		Refusals     int    `json:"refusals"`
		Resumed      int    `json:"resumed"`
		DealsChecked int    `json:"deals_checked"`
		DealFault    string `json:"deal_fault"`
		// Of a game of Kozel that is over.
		Points *int `json:"points,omitempty"`
		Rating *int `json:"rating,omitempty"`
	}{
		played.TableID, played.Reason, played.Hands, played.Decisions, played.Refusals, played.Resumed,
		played.DealsChecked, played.DealFault, points, played.Rating,
	})
	if err != nil {
		panic(err) // strings and integers can be written
	}
	return string(encoded)
}

// command is what the command line says.
type command struct {
	server  referee.Server
	bots    referee.Bots
	seats   []referee.Seat
	table   string
	name    string
	options referee.Options
}

func (c *command) play(ctx context.Context) ([]referee.Played, error) {
	if c.table != "" {
		seat, err := referee.TakeSeat(ctx, c.server, c.table, referee.SeatRequest{Name: c.name, Backoff: c.options.Backoff})
		if err != nil {
			return []referee.Played{{TableID: c.table}}, err
		}
		c.options.Log.Info("seated", "table", c.table, "seat", seat.Number)
		c.seats = append(c.seats, seat)
	}
	return referee.PlayBots(ctx, c.server, c.bots, c.seats, c.options)
}

func read(arguments []string, environment func(string) string, stderr io.Writer, bots []Named) (*command, error) {
	var c command
	var target, tlsCA, chosen string
	var heartbeatMs, backoffMs int
	flags := flag.NewFlagSet("bot", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&target, "target", cmp.Or(environment("REFEREE_TARGET"), usualTarget),
		"the server's address, `HOST:PORT` ($REFEREE_TARGET)")
	flags.Func("seat", "play this seat, `TABLE=TOKEN`; may be given for several tables ($REFEREE_SEATS, comma separated)",
		func(text string) error { return c.addSeat(text) })
	flags.StringVar(&c.table, "table", "", "take the first free seat of this table, by its `ID`")
	flags.StringVar(&c.name, "name", "go", "what the bot is called at that table")
	flags.StringVar(&chosen, "bot", bots[0].Name, "which bot plays: "+strings.Join(names(bots), ", "))
	flags.IntVar(&c.options.Hands, "hands", 0, "leave a table after so many hands; 0 plays until it ends")
	flags.IntVar(&c.options.MaxOpenDecisions, "max-open", 1, "how many tables may ask at once")
	flags.StringVar(&tlsCA, "tls-ca", "", "PEM `FILE` of the authority to trust; turns TLS on")
	flags.IntVar(&heartbeatMs, "heartbeat-ms", 30_000, "connect again when the server says nothing for so long")
	flags.IntVar(&backoffMs, "backoff-ms", 200, "the first wait before connecting again; it doubles up to 5 seconds")
	if err := flags.Parse(arguments); err != nil {
		return nil, err
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("%q is not an option", flags.Arg(0))
	}
	if len(c.seats) == 0 && c.table == "" {
		for _, text := range strings.Split(environment("REFEREE_SEATS"), ",") {
			if text = strings.TrimSpace(text); text == "" {
				continue
			}
			if err := c.addSeat(text); err != nil {
				return nil, err
			}
		}
	}
	at := slices.IndexFunc(bots, func(bot Named) bool { return bot.Name == chosen })
	switch {
	case len(c.seats) == 0 && c.table == "":
		return nil, errors.New("no seat: give --seat TABLE=TOKEN, --table ID or REFEREE_SEATS")
	case at < 0:
		return nil, fmt.Errorf("there is no bot %q; there are %s", chosen, strings.Join(names(bots), ", "))
	case heartbeatMs < 1, backoffMs < 1, c.options.MaxOpenDecisions < 1, c.options.Hands < 0:
		return nil, errors.New("a number is too small")
	}
	c.bots = referee.Bots{Poker: bots[at].Bot, Kozel: bots[at].Kozel}
	c.options.Silence = time.Duration(heartbeatMs) * time.Millisecond
	first := time.Duration(backoffMs) * time.Millisecond
	c.options.Backoff = referee.Backoff{
		First: first, Most: max(first, referee.DefaultBackoff.Most), Tries: referee.DefaultBackoff.Tries,
	}
	return &c, c.reach(target, tlsCA)
}

func (c *command) reach(target, tlsCA string) error {
	c.server = referee.At(target)
	if tlsCA == "" {
		return nil
	}
	pem, err := os.ReadFile(tlsCA)
	if err != nil {
		return err
	}
	c.server.TLS, err = referee.TrustCA(pem)
	return err
}

func (c *command) addSeat(text string) error {
	table, token, isWhole := strings.Cut(text, "=")
	if !isWhole || table == "" || token == "" {
		return fmt.Errorf("%q is not TABLE=TOKEN", text)
	}
	if slices.ContainsFunc(c.seats, func(seat referee.Seat) bool { return seat.TableID == table }) {
		return fmt.Errorf("two seats of table %s: start a program for each", table)
	}
	c.seats = append(c.seats, referee.Seat{TableID: table, Token: token})
	return nil
}

func names(bots []Named) []string {
	names := make([]string, len(bots))
	for at, bot := range bots {
		names[at] = bot.Name
	}
	return names
}

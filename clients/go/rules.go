package referee

import (
	"fmt"

	pb "irish.example/referee/refereepb"
)

// Limit is the betting structure of a hand (GAME-2).
type Limit int

// The betting structures.
const (
	NoLimit    Limit = 1
	PotLimit   Limit = 2
	FixedLimit Limit = 3
)

// String returns the structure as people write it.
func (l Limit) String() string {
	switch l {
	case NoLimit:
		return "no-limit"
	case PotLimit:
		return "pot-limit"
	case FixedLimit:
		return "fixed-limit"
	}
	return fmt.Sprintf("structure %d", int(l))
}

// DiscardPoint is when the discard round is held (GAME-3).
type DiscardPoint int

// The points of the discard round.
const (
	NeverDiscard        DiscardPoint = 0
	BeforeFlop          DiscardPoint = 1
	BeforeFlopBetting   DiscardPoint = 2
	AfterFlopBetting    DiscardPoint = 3
	lastKnownDiscarding              = AfterFlopBetting
)

// DiscardVisibility is what becomes of discards (GAME-3, DISC-5).
type DiscardVisibility int

// What becomes of discards.
const (
	Hidden              DiscardVisibility = 1
	Shown               DiscardVisibility = 2
	JoinsBoard          DiscardVisibility = 3
	lastKnownVisibility                   = JoinsBoard
)

// Game is a game as data (GAME-3): hole cards dealt, cards discarded by each player, when, and what becomes of them.
type Game struct {
	HoleCards  int
	Discards   int
	Point      DiscardPoint
	Visibility DiscardVisibility
}

// RuleSet is what a bot needs to know of the rules that its table plays; LegalOptions say the rest at each decision.
type RuleSet struct {
	Name    string
	Version int
	Game    Game
	// MaxRaises is the fixed-limit cap: one bet and so many raises a street (SIZE-6).
	MaxRaises int
	// HideDiscardProgress says that nobody learns who has discarded before all have (DISC-3).
	HideDiscardProgress bool
	// LateMinimumIsBigBet says that on rounds 3 and 4 the minimum bet is the big bet (SIZE-9).
	LateMinimumIsBigBet bool
}

// FullName returns name and version as they are written everywhere, such as irish/full-tilt@1.
func (r RuleSet) FullName() string {
	return fmt.Sprintf("%s@%d", r.Name, r.Version)
}

// Stakes are the amounts of a hand, in chips (BLIND-1, BLIND-5, SIZE-5).
type Stakes struct {
	SmallBlind int64
	BigBlind   int64
	// BigBet is the bet of rounds 3 and 4 in fixed-limit; 0 means twice the big blind.
	BigBet int64
	// Ante is what each player pays, or the big blind alone where AnteOfBigBlind says so.
	Ante           int64
	AnteOfBigBlind bool
	// ChipUnit is the smallest amount that changes hands.
	ChipUnit int64
}

// LateBet returns the big bet of rounds 3 and 4 (SIZE-5).
func (s Stakes) LateBet() int64 {
	if s.BigBet != 0 {
		return s.BigBet
	}
	return 2 * s.BigBlind
}

// RuleSetError says that a table plays what this version of the SDK does not know, or what no hand can be played from.
type RuleSetError struct {
	Rule    string
	Message string
}

func (e *RuleSetError) Error() string { return e.Rule + ": " + e.Message }

var (
	irish              = Game{4, 2, AfterFlopBetting, Hidden}
	irishBeforeBetting = Game{4, 2, BeforeFlopBetting, Hidden}
	holdem             = Game{2, 0, NeverDiscard, Hidden}
	publishedRuleSets  = []RuleSet{
		{Name: "irish/full-tilt", Version: 1, Game: irish, MaxRaises: 3},
		{Name: "irish/french-limit", Version: 1, Game: irishBeforeBetting, MaxRaises: 3},
		{Name: "irish/french-minimum", Version: 1, Game: irishBeforeBetting, MaxRaises: 3, LateMinimumIsBigBet: true},
		{Name: "holdem/online-limit", Version: 1, Game: holdem, MaxRaises: 3},
		{Name: "irish/tda", Version: 1, Game: irish, MaxRaises: 3},
		{Name: "holdem/tda", Version: 1, Game: holdem, MaxRaises: 3},
	}
)

// tableRules is what a table plays, as far as a seat needs it.
type tableRules struct {
	ruleSet RuleSet
	limit   Limit
	stakes  Stakes
}

func tableRulesOf(config *pb.TableConfig) (*tableRules, error) {
	ruleSet, err := ruleSetOf(config)
	if err != nil {
		return nil, err
	}
	limit := Limit(config.GetStructure())
	if limit < NoLimit || limit > FixedLimit {
		return nil, &RuleSetError{"GAME-2", fmt.Sprintf("this version does not know the betting structure %d", limit)}
	}
	return &tableRules{ruleSet, limit, stakesOf(config.GetStakes())}, nil
}

func ruleSetOf(config *pb.TableConfig) (RuleSet, error) {
	own, isOwn := config.GetRules().(*pb.TableConfig_RuleSet)
	if !isOwn {
		name := config.GetRuleSetName()
		for _, published := range publishedRuleSets {
			if published.FullName() == name {
				return published, nil
			}
		}
		return RuleSet{}, &RuleSetError{"GAME-3", fmt.Sprintf("this version knows no published rule set %q", name)}
	}
	message := own.RuleSet
	game := Game{
		HoleCards:  int(message.GetGame().GetHoleCards()),
		Discards:   int(message.GetGame().GetDiscards()),
		Point:      DiscardPoint(message.GetGame().GetDiscardPoint()),
		Visibility: max(DiscardVisibility(message.GetGame().GetDiscardVisibility()), Hidden),
	}
	if game.Point < 0 || game.Point > lastKnownDiscarding || game.Visibility > lastKnownVisibility ||
		game.HoleCards < 1 || game.Discards < 0 || game.Discards >= game.HoleCards {
		return RuleSet{}, &RuleSetError{"GAME-3", "this version does not know the game"}
	}
	ruleSet := RuleSet{
		Name:                message.GetName(),
		Version:             int(message.GetVersion()),
		Game:                game,
		MaxRaises:           3,
		HideDiscardProgress: message.GetHideDiscardProgress(),
		LateMinimumIsBigBet: message.GetLateMinimum() == pb.LateMinimum_LATE_MINIMUM_BIG_BET,
	}
	if message.MaxRaises != nil {
		ruleSet.MaxRaises = int(message.GetMaxRaises())
	}
	return ruleSet, nil
}

func stakesOf(message *pb.Stakes) Stakes {
	return Stakes{
		SmallBlind:     message.GetSmallBlind(),
		BigBlind:       message.GetBigBlind(),
		BigBet:         message.GetBigBet(),
		Ante:           message.GetAnte(),
		AnteOfBigBlind: message.GetAnteKind() == pb.AnteKind_ANTE_KIND_BIG_BLIND,
		ChipUnit:       max(message.GetChipUnit(), 1),
	}
}

// handSetup is how a hand begins, without its cards. Players are clockwise from the left of the button.
type handSetup struct {
	*tableRules
	handID         string
	seats          []int
	stacks         []int64
	buttonSeat     int
	smallBlindSeat int
	bigBlindSeat   int
}

func (r *tableRules) setup(began *pb.HandBegan) (*handSetup, error) {
	setup := &handSetup{
		tableRules:     r,
		handID:         began.GetHandId(),
		buttonSeat:     int(began.GetButtonSeat()),
		smallBlindSeat: int(began.GetSmallBlindSeat()),
		bigBlindSeat:   int(began.GetBigBlindSeat()),
	}
	for _, player := range began.GetPlayers() {
		setup.seats = append(setup.seats, int(player.GetSeat()))
		setup.stacks = append(setup.stacks, player.GetStack())
	}
	if len(setup.seats) < 2 || len(setup.seats)*r.ruleSet.Game.HoleCards+boardCards > deckSize {
		return nil, &RuleSetError{"GAME-4", fmt.Sprintf("a hand of %d players", len(setup.seats))}
	}
	return setup, nil
}

// holeOf returns the hole cards that a deck deals to the player at a place: one at a time, clockwise (DEAL-1).
func (s *handSetup) holeOf(deck []Card, place int) []Card {
	cards := make([]Card, s.ruleSet.Game.HoleCards)
	for turn := range cards {
		cards[turn] = deck[turn*len(s.seats)+place]
	}
	return cards
}

// boardOf returns the board that a deck deals, right after the hole cards and without burning any (DEAL-2, DEAL-3).
func (s *handSetup) boardOf(deck []Card) []Card {
	start := len(s.seats) * s.ruleSet.Game.HoleCards
	return deck[start : start+boardCards]
}

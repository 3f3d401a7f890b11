package referee

import (
	"fmt"
	"strings"

	pb "irish.example/referee/refereepb"
)

// kozelNames is how the names of Kozel's published rule sets begin.
const kozelNames = "kozel/"

// End is an end of the chain (KOZ-4).
type End int

// The ends; NoEnd is right for the first tile, and for a tile that fits one end only.
const (
	NoEnd End = 0
	Left  End = 1
	Right End = 2
)

// KozelRuleSet is what a bot needs to know of the rules that its table plays; the moves say the rest.
type KozelRuleSet struct {
	Name    string
	Version int
	// NoLegalMove says that a fish ends the round only when no tile fits any more (KOZ-7).
	NoLegalMove bool
	// OnOne says that a fish is scored on the highest hand alone, with a carry (KOZ-13, KOZ-14).
	OnOne bool
}

// FullName returns name and version as they are written everywhere, such as kozel/on-all@1.
func (r KozelRuleSet) FullName() string { return fmt.Sprintf("%s@%d", r.Name, r.Version) }

var publishedKozelRuleSets = []KozelRuleSet{
	{Name: "kozel/on-all", Version: 1},
	{Name: "kozel/on-one", Version: 1, OnOne: true},
}

func kozelRuleSetOf(config *pb.TableConfig) (KozelRuleSet, error) {
	own, isOwn := config.GetRules().(*pb.TableConfig_KozelRuleSet)
	if !isOwn {
		for _, published := range publishedKozelRuleSets {
			if published.FullName() == config.GetRuleSetName() {
				return published, nil
			}
		}
		return KozelRuleSet{}, &RuleSetError{"KOZ-1",
			fmt.Sprintf("this version knows no published rule set %q", config.GetRuleSetName())}
	}
	message := own.KozelRuleSet
	fish, scoring := message.GetFish(), message.GetFishScoring()
	if fish < 0 || fish > pb.KozelFish_KOZEL_FISH_NO_LEGAL_MOVE ||
		scoring < 0 || scoring > pb.KozelFishScoring_KOZEL_FISH_SCORING_ON_ONE {
		return KozelRuleSet{}, &RuleSetError{"KOZ-7", "this version does not know the game"}
	}
	return KozelRuleSet{
		Name:        message.GetName(),
		Version:     int(message.GetVersion()),
		NoLegalMove: fish == pb.KozelFish_KOZEL_FISH_NO_LEGAL_MOVE,
		OnOne:       scoring == pb.KozelFishScoring_KOZEL_FISH_SCORING_ON_ONE,
	}, nil
}

// Account is a player's points: a score once the account is open, what is remembered before (KOZ-9, KOZ-10).
type Account struct {
	Open       bool
	Score      int
	Remembered int
}

// KozelPlayer is a player of the round as everybody sees him.
type KozelPlayer struct {
	Seat int
	Name string
	// Tiles is how many he holds.
	Tiles   int
	Account Account
}

// Move is a tile and the end that it may be laid at.
type Move struct {
	Tile Tile
	End  End
}

// KozelDecision is one open decision of one seat, with all that the seat may know.
type KozelDecision struct {
	TableID    string
	MatchName  string
	HandID     string
	HandNumber int64
	Seat       int
	DecisionID int
	RuleSet    KozelRuleSet
	// Players are clockwise, in the order of their seats.
	Players []KozelPlayer
	// OwnTiles are in the order in which they came.
	OwnTiles []Tile
	// Chain runs from the left end to the right one, whose numbers are LeftNumber and RightNumber; -1 before the first
	// tile.
	Chain                   []Tile
	LeftNumber, RightNumber int
	BoneyardCount           int
	// Carry is what waits by KOZ-14.
	Carry int
	// Moves are everything that may be laid and where; there is always one (KOZ-5).
	Moves []Move
	// HasClock says whether time is limited, RemainingMs what is left of it, bank included.
	HasClock    bool
	RemainingMs int64
	// Events are the round so far as this seat sees it.
	Events []KozelEvent
	// Refusal is the ruling on this seat's last answer to this same decision, when that was refused.
	Refusal *KozelRuling
}

func (d *KozelDecision) handNumber() int64 { return d.HandNumber }

// Me returns this seat's player.
func (d *KozelDecision) Me() KozelPlayer {
	for _, player := range d.Players {
		if player.Seat == d.Seat {
			return player
		}
	}
	return KozelPlayer{}
}

// Lay proposes one of the moves, or any other.
func (d *KozelDecision) Lay(move Move) KozelProposal {
	return d.completed(KozelProposal{Tile: move.Tile, End: move.End})
}

// LayFirst proposes the first of the moves.
func (d *KozelDecision) LayFirst() KozelProposal { return d.Lay(d.Moves[0]) }

// completed fills in what a proposal leaves out of round and decision (BET-9).
func (d *KozelDecision) completed(proposal KozelProposal) KozelProposal {
	proposal.Seat = d.Seat
	if proposal.HandID == "" {
		proposal.HandID = d.HandID
	}
	if proposal.DecisionID == 0 {
		proposal.DecisionID = d.DecisionID
	}
	return proposal
}

// KozelProposal proposes to lay a tile: the referee draws and knocks by itself (KOZ-5). The methods of KozelDecision make
// them; the zero value is none.
type KozelProposal struct {
	Tile Tile
	End  End
	// Seat, HandID and DecisionID say what is answered (BET-9); what is left out is filled in.
	Seat       int
	HandID     string
	DecisionID int
}

func (p KozelProposal) propose(requestID string) *pb.Propose {
	lay := &pb.KozelLay{Tile: p.Tile.String(), End: pb.KozelEnd(p.End)}
	return &pb.Propose{RequestId: requestID, Kozel: &pb.KozelProposal{
		Seat: int32(p.Seat), HandId: p.HandID, DecisionId: int32(p.DecisionID), Action: &pb.KozelProposal_Lay{Lay: lay},
	}}
}

// kozelOptions are what is legal at a decision.
type kozelOptions struct {
	seat, decisionID int
	moves            []Move
}

func kozelOptionsOf(message *pb.KozelOptions) (kozelOptions, error) {
	options := kozelOptions{seat: int(message.GetSeat()), decisionID: int(message.GetDecisionId())}
	for _, move := range message.GetMoves() {
		tile, err := ParseTile(move.GetTile())
		if err != nil {
			return kozelOptions{}, err
		}
		options.moves = append(options.moves, Move{tile, End(move.GetEnd())})
	}
	if len(options.moves) == 0 {
		return kozelOptions{}, fmt.Errorf("decision %d has no legal move", options.decisionID)
	}
	return options, nil
}

// KozelReason says why a proposal is refused, in order of precedence; those of a newer server are kept as they are.
type KozelReason int

// The reasons of a refusal, as docs/kozel.md lists them.
const (
	NoKozelReason         KozelReason = 0
	WrongRound            KozelReason = 1
	RoundOver             KozelReason = 2
	SeatNotInRound        KozelReason = 3
	KozelOutOfTurn        KozelReason = 4
	KozelStaleDecision    KozelReason = 5
	KozelUnknownAction    KozelReason = 6
	KozelMalformedAction  KozelReason = 7
	HoldsAPlayableTile    KozelReason = 8
	NoSuchTile            KozelReason = 9
	TileNotHeld           KozelReason = 10
	OpeningTileCompulsory KozelReason = 11
	TileDoesNotFit        KozelReason = 12
	EndNotNamed           KozelReason = 13
	EndDoesNotFit         KozelReason = 14
	lastKnownKozelReason              = EndDoesNotFit
)

// IsKnown says whether this version knows what the reason means.
func (r KozelReason) IsKnown() bool { return r > NoKozelReason && r <= lastKnownKozelReason }

// String returns the reason as docs/kozel.md names it, such as END_NOT_NAMED.
func (r KozelReason) String() string {
	return strings.TrimPrefix(pb.KozelReason(r).String(), "KOZEL_REASON_")
}

// KozelRuling is the referee's answer to one proposal. A refusal has reason, rule and sentence; nothing has changed by it
// (BET-8).
type KozelRuling struct {
	Accepted bool
	Rule     string
	Reason   KozelReason
	Message  string
}

// KozelEventKind says what happened; numbers never change meaning.
type KozelEventKind int

// The closed list of what happens in a round.
const (
	TilesDealt          KozelEventKind = 1
	BoneyardLaid        KozelEventKind = 2
	Redealt             KozelEventKind = 3
	LeadGiven           KozelEventKind = 4
	TileLaid            KozelEventKind = 5
	TileDrawn           KozelEventKind = 6
	Knocked             KozelEventKind = 7
	WentOut             KozelEventKind = 8
	FishMade            KozelEventKind = 9
	TimedOut            KozelEventKind = 10
	HandCounted         KozelEventKind = 11
	CarryGiven          KozelEventKind = 12
	PointsRemembered    KozelEventKind = 13
	AccountOpened       KozelEventKind = 14
	PointsScored        KozelEventKind = 15
	RememberedCleared   KozelEventKind = 16
	SumCarried          KozelEventKind = 17
	GameLost            KozelEventKind = 18
	CarryLapsed         KozelEventKind = 19
	Rated               KozelEventKind = 20
	RoundEnded          KozelEventKind = 21
	lastKnownKozelEvent                = RoundEnded
)

// KozelEvent is one thing that happened in a round, as the seat sees it.
type KozelEvent struct {
	Kind KozelEventKind
	// Rule decided it.
	Rule string
	// Seat is whose it is; 0 is the table.
	Seat int
	// Tiles are those dealt, laid, drawn or counted; UnknownTile where the seat may not see them.
	Tiles []Tile
	// End is where a tile was laid.
	End End
	// Points are what a hand counts, what was scored, remembered, cleared or carried, or a rating.
	Points int
	// Total is the seat's score, or what it has remembered, or the whole carry, after it.
	Total int
}

// kozelEventOf reads an event; false for a kind that this version does not know.
func kozelEventOf(message *pb.KozelEvent) (KozelEvent, bool, error) {
	kind := KozelEventKind(message.GetKind())
	if kind < TilesDealt || kind > lastKnownKozelEvent {
		return KozelEvent{}, false, nil
	}
	tiles, err := tilesOf(message.GetTiles())
	if err != nil {
		return KozelEvent{}, false, err
	}
	return KozelEvent{
		Kind:   kind,
		Rule:   message.GetRule(),
		Seat:   int(message.GetSeat()),
		Tiles:  tiles,
		End:    End(message.GetEnd()),
		Points: int(message.GetPoints()),
		Total:  int(message.GetTotal()),
	}, true, nil
}

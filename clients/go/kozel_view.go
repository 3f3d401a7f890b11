package referee

import (
	"fmt"
	"maps"
	"slices"

	pb "irish.example/referee/refereepb"
)

// KozelView is a round as one seat sees it: a fold over that seat's view of the events, hidden tiles and all.
type KozelView struct {
	// Number is the round's number at its table, from 1.
	Number  int64
	TableID string
	HandID  string
	// Seat is the seat whose tiles the events tell; 0 before they are dealt.
	Seat    int
	RuleSet KozelRuleSet
	// Chain runs from the left end to the right one, whose numbers are LeftNumber and RightNumber; -1 before the first
	// tile.
	Chain                   []Tile
	LeftNumber, RightNumber int
	BoneyardCount           int
	Carry                   int
	Events                  []KozelEvent
	// Over says whether everything is counted and scored, GameOver whether the game has ended with it.
	Over     bool
	GameOver bool

	matchName string
	names     map[int]string
	seats     []int
	hands     [][]Tile
	accounts  []Account
	ratings   map[int]int
}

func newKozelView(
	ruleSet KozelRuleSet, number int64, began *pb.HandBegan, tableID, matchName string, names map[int]string,
) (*KozelView, error) {
	view := &KozelView{
		Number:      number,
		TableID:     tableID,
		HandID:      began.GetHandId(),
		RuleSet:     ruleSet,
		LeftNumber:  -1,
		RightNumber: -1,
		Carry:       int(began.GetKozel().GetCarry()),
		matchName:   matchName,
		names:       names,
		ratings:     map[int]int{},
	}
	for _, player := range began.GetPlayers() {
		view.seats = append(view.seats, int(player.GetSeat()))
	}
	for _, account := range began.GetKozel().GetAccounts() {
		view.accounts = append(view.accounts,
			Account{account.GetOpen(), int(account.GetScore()), int(account.GetRemembered())})
	}
	players := len(view.seats)
	if players < 2 || players*handTiles > tileCount || len(view.accounts) != players {
		return nil, &RuleSetError{"KOZ-1", fmt.Sprintf("a round of %d players with %d accounts", players, len(view.accounts))}
	}
	view.hands = make([][]Tile, players)
	return view, nil
}

// OwnTiles returns the tiles that the seat holds.
func (v *KozelView) OwnTiles() []Tile {
	if place := slices.Index(v.seats, v.Seat); place >= 0 {
		return slices.Clone(v.hands[place])
	}
	return nil
}

// Players returns the players of the round, clockwise.
func (v *KozelView) Players() []KozelPlayer {
	players := make([]KozelPlayer, len(v.seats))
	for place, seat := range v.seats {
		players[place] = KozelPlayer{seat, v.names[seat], len(v.hands[place]), v.accounts[place]}
	}
	return players
}

// Ratings returns what each seat gets for the game (KOZ-16); empty while it is not over.
func (v *KozelView) Ratings() map[int]int { return maps.Clone(v.ratings) }

// fold takes the next event of the view; an error says that the event does not fit the round.
func (v *KozelView) fold(event KozelEvent) error {
	v.Events = append(v.Events, event)
	if event.Seat == 0 {
		return v.foldTable(event)
	}
	place := slices.Index(v.seats, event.Seat)
	if place < 0 {
		return fmt.Errorf("round %d: an event of seat %d, which does not play", v.Number, event.Seat)
	}
	account := &v.accounts[place]
	switch event.Kind {
	case TilesDealt:
		v.hands[place] = slices.Clone(event.Tiles)
		if !slices.Contains(event.Tiles, UnknownTile) {
			v.Seat = event.Seat
		}
	case Redealt:
		clear(v.hands)
		v.BoneyardCount = 0
	case TileLaid:
		return v.lay(place, event)
	case TileDrawn:
		v.hands[place] = append(v.hands[place], event.Tiles...)
		v.BoneyardCount--
	case PointsRemembered, RememberedCleared:
		*account = Account{Remembered: event.Total}
	case AccountOpened, PointsScored:
		*account = Account{Open: true, Score: event.Total}
	case CarryGiven, SumCarried:
		v.Carry = event.Total
	case Rated:
		v.ratings[event.Seat] = event.Points
		v.GameOver = true
	}
	return nil
}

// foldTable takes an event that is no seat's.
func (v *KozelView) foldTable(event KozelEvent) error {
	switch event.Kind {
	case BoneyardLaid:
		v.BoneyardCount = len(event.Tiles)
	case CarryGiven, SumCarried:
		v.Carry = event.Total
	case CarryLapsed:
		v.Carry = 0
	case RoundEnded:
		v.Over = true
	default:
		return fmt.Errorf("round %d: an event of kind %d that names no seat", v.Number, event.Kind)
	}
	return nil
}

func (v *KozelView) lay(place int, event KozelEvent) error {
	if len(event.Tiles) != 1 || !event.Tiles[0].isKnown() {
		return fmt.Errorf("round %d: seat %d lays %q", v.Number, event.Seat, TilesText(event.Tiles))
	}
	tile := event.Tiles[0]
	kept, isHeld := withoutTile(v.hands[place], tile)
	if !isHeld {
		return fmt.Errorf("round %d: seat %d lays %s, which was not held", v.Number, event.Seat, tile)
	}
	v.hands[place] = kept
	switch event.End {
	case Left:
		v.Chain = slices.Insert(v.Chain, 0, tile)
		v.LeftNumber = tile.Other(v.LeftNumber)
	case Right:
		v.Chain = append(v.Chain, tile)
		v.RightNumber = tile.Other(v.RightNumber)
	default: // the first tile, its higher half to the left
		v.Chain = []Tile{tile}
		v.LeftNumber, v.RightNumber = tile.High(), tile.Low()
	}
	return nil
}

// withoutTile returns the tiles that stay; a tile that is not among the known ones was one of the unknown ones.
func withoutTile(hand []Tile, tile Tile) ([]Tile, bool) {
	at := slices.Index(hand, tile)
	if at < 0 {
		at = slices.Index(hand, UnknownTile)
	}
	if at < 0 {
		return nil, false
	}
	return slices.Delete(slices.Clone(hand), at, at+1), true
}

// decision is the open decision of the seat that the options are for.
func (v *KozelView) decision(
	legal kozelOptions, hasClock bool, remainingMs int64, refusal *KozelRuling,
) (*KozelDecision, error) {
	place := slices.Index(v.seats, legal.seat)
	if place < 0 {
		return nil, fmt.Errorf("round %d: a decision of seat %d, which does not play", v.Number, legal.seat)
	}
	return &KozelDecision{
		TableID:       v.TableID,
		MatchName:     v.matchName,
		HandID:        v.HandID,
		HandNumber:    v.Number,
		Seat:          legal.seat,
		DecisionID:    legal.decisionID,
		RuleSet:       v.RuleSet,
		Players:       v.Players(),
		OwnTiles:      slices.Clone(v.hands[place]),
		Chain:         slices.Clone(v.Chain),
		LeftNumber:    v.LeftNumber,
		RightNumber:   v.RightNumber,
		BoneyardCount: v.BoneyardCount,
		Carry:         v.Carry,
		Moves:         slices.Clone(legal.moves),
		HasClock:      hasClock,
		RemainingMs:   remainingMs,
		Events:        slices.Clone(v.Events),
		Refusal:       refusal,
	}, nil
}

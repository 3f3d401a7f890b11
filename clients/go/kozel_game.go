package referee

import (
	"bytes"
	"fmt"
	"slices"

	"irish.example/referee/deals"
	pb "irish.example/referee/refereepb"
)

// kozelGame is one game of Kozel, round after round.
type kozelGame struct {
	tableID   string
	options   *Options
	ruleSet   KozelRuleSet
	view      *KozelView
	deckRoots [][]byte

	open     kozelOptions
	refusal  *KozelRuling
	decision *KozelDecision
}

func newKozelGame(config *pb.TableConfig, tableID string, options *Options) (game, error) {
	ruleSet, err := kozelRuleSetOf(config)
	if err != nil {
		return nil, err
	}
	return &kozelGame{tableID: tableID, options: options, ruleSet: ruleSet}, nil
}

func (g *kozelGame) hand() handUnderWay {
	if g.view == nil {
		return handUnderWay{}
	}
	return handUnderWay{g.view.Number, g.view.HandID, g.view.Seat, g.view.Over}
}

func (g *kozelGame) begin(number int64, began *pb.HandBegan, names map[int]string, matchName string) error {
	view, err := newKozelView(g.ruleSet, number, began, g.tableID, matchName, names)
	if err != nil {
		return err
	}
	g.view, g.deckRoots = view, began.GetKozel().GetDeckRoots()
	return nil
}

func (g *kozelGame) fold(seen *pb.SeenEvent) (bool, error) {
	event, isKnown, err := kozelEventOf(seen.GetKozelEvent())
	if err != nil || !isKnown {
		return false, err
	}
	return event.Kind == RoundEnded, g.view.fold(event)
}

func (g *kozelGame) decisionID(message *pb.Decision) int {
	return int(message.GetKozel().GetDecisionId())
}

func (g *kozelGame) legal(message *pb.Decision, isNew bool) error {
	legal, err := kozelOptionsOf(message.GetKozel())
	if err != nil {
		return err
	}
	g.open = legal
	if isNew {
		g.refusal = nil
	}
	return nil
}

func (g *kozelGame) question(hasClock bool, remainingMs int64) (question, error) {
	decision, err := g.view.decision(g.open, hasClock, remainingMs, g.refusal)
	g.decision = decision
	return decision, err
}

func (g *kozelGame) accepted(message *pb.Answered) bool { return message.GetKozel().GetAccepted() }

func (g *kozelGame) refused(message *pb.Answered) (*refusal, error) {
	told := message.GetKozel()
	if told.GetReason() == pb.KozelReason_KOZEL_REASON_UNSPECIFIED && told.GetOptions() == nil {
		return nil, nil
	}
	ruling := &KozelRuling{
		Rule: told.GetRule(), Reason: KozelReason(told.GetReason()), Message: told.GetMessage(),
	}
	if g.options.OnKozelRefused != nil {
		g.options.OnKozelRefused(g.decision, ruling)
	}
	g.refusal = ruling
	refused := &refusal{isKnown: ruling.Reason.IsKnown()}
	if told.GetOptions() != nil {
		options, err := kozelOptionsOf(told.GetOptions())
		if err != nil {
			return nil, err
		}
		g.open, refused.newDecision = options, options.decisionID
	}
	return refused, nil
}

// instead is the first of the legal moves: running out of time would end everybody's game (KOZ-17).
func (g *kozelGame) instead() answer { return g.decision.LayFirst() }

func (g *kozelGame) over(played *Played) answer {
	if place := slices.Index(g.view.seats, g.view.Seat); place >= 0 {
		played.Points = g.view.accounts[place].Score
		if rating, isRated := g.view.ratings[g.view.Seat]; isRated {
			played.Rating = &rating
		}
	}
	if g.options.OnRoundOver != nil {
		g.options.OnRoundOver(g.view)
	}
	return nil
}

func (g *kozelGame) deckItems() int { return deals.TileItems }

func (g *kozelGame) dealt() seenDeal {
	if len(g.deckRoots) == 0 {
		return nil
	}
	return &dealtRound{g.view.Number, g.deckRoots, g.view.seats, g.view.Events}
}

// dealtRound is what a seat saw of a round, and the roots of its decks that were published before it.
type dealtRound struct {
	number    int64
	deckRoots [][]byte
	seats     []int
	events    []KozelEvent
}

func (d *dealtRound) check(decks *deals.Decks) error {
	var all [][]Tile
	for redeal := 0; redeal == len(all); redeal++ {
		committed, err := decks.Deck(0, d.number, int64(redeal))
		if err != nil {
			return err
		}
		if redeal >= len(d.deckRoots) || !bytes.Equal(committed.Root[:], d.deckRoots[redeal]) {
			return d.wrong("the decks are not those that were committed to before it")
		}
		deck := make([]Tile, len(committed.Deck))
		for at, item := range committed.Deck {
			deck[at] = Tile(item)
		}
		all = append(all, deck)
		if !d.mustRedeal(deck) {
			break
		}
	}
	if len(all) != len(d.deckRoots) {
		return d.wrong("the decks are not those that were committed to before it")
	}
	return d.follow(all)
}

func (d *dealtRound) wrong(format string, values ...any) error {
	return fmt.Errorf("round %d: %s", d.number, fmt.Sprintf(format, values...))
}

// dealtTo returns the tiles that a deck deals to the player at a place: one at a time, clockwise (KOZ-1).
func (d *dealtRound) dealtTo(deck []Tile, place int) []Tile {
	tiles := make([]Tile, handTiles)
	for turn := range tiles {
		tiles[turn] = deck[turn*len(d.seats)+place]
	}
	return tiles
}

// mustRedeal says whether a deck gives somebody five doubles or six tiles of one number (KOZ-2).
func (d *dealtRound) mustRedeal(deck []Tile) bool {
	for place := range d.seats {
		doubles, bearing := 0, [highestNumber + 1]int{}
		for _, tile := range d.dealtTo(deck, place) {
			if tile.IsDouble() {
				doubles++
			} else {
				bearing[tile.Low()]++
			}
			bearing[tile.High()]++
		}
		if doubles >= 5 || slices.Max(bearing[:]) >= 6 {
			return true
		}
	}
	return false
}

// follow plays the round again from its decks as far as tiles go: what the seat was told of them must be so.
func (d *dealtRound) follow(decks [][]Tile) error {
	redeals := 0
	hands := make([][]Tile, len(d.seats))
	boneyard := decks[0][len(d.seats)*handTiles:]
	for _, event := range d.events {
		place := slices.Index(d.seats, event.Seat)
		switch event.Kind {
		case Redealt:
			if redeals++; redeals >= len(decks) {
				return d.wrong("it was dealt again though it need not be")
			}
			boneyard = decks[redeals][len(d.seats)*handTiles:]
		case TilesDealt:
			hands[place] = d.dealtTo(decks[redeals], place)
			if err := d.compare(event, "was dealt", hands[place]); err != nil {
				return err
			}
		case TileDrawn:
			if len(boneyard) == 0 {
				return d.wrong("seat %d draws from an empty boneyard", event.Seat)
			}
			if err := d.compare(event, "drew", boneyard[:1]); err != nil {
				return err
			}
			hands[place], boneyard = append(hands[place], boneyard[0]), boneyard[1:]
		case TileLaid:
			kept, isHeld := withoutTile(hands[place], event.Tiles[0])
			if !isHeld {
				return d.wrong("seat %d laid %s, which it did not hold", event.Seat, event.Tiles[0])
			}
			hands[place] = kept
		case HandCounted:
			if err := d.compare(event, "held at the end", hands[place]); err != nil {
				return err
			}
			if right := countOf(hands[place]); event.Points != right {
				return d.wrong("seat %d's hand counted %d, not %d", event.Seat, event.Points, right)
			}
		}
	}
	if redeals != len(decks)-1 {
		return d.wrong("it was not dealt again though it must be")
	}
	return nil
}

// compare compares the tiles of an event with the right ones, as far as they are seen.
func (d *dealtRound) compare(event KozelEvent, what string, right []Tile) error {
	if len(event.Tiles) != len(right) || (!slices.Contains(event.Tiles, UnknownTile) && !slices.Equal(event.Tiles, right)) {
		return d.wrong("seat %d %s %s, not %s", event.Seat, what, TilesText(event.Tiles), TilesText(right))
	}
	return nil
}

// countOf is what a hand counts (KOZ-8): its pips, 0-0 alone 10.
func countOf(hand []Tile) int {
	if len(hand) == 1 && hand[0] == 0 {
		return 10
	}
	count := 0
	for _, tile := range hand {
		count += tile.Pips()
	}
	return count
}

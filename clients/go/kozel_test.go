package referee

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"irish.example/referee/deals"
	"irish.example/referee/internal/vectors"
	pb "irish.example/referee/refereepb"
)

func tiles(t *testing.T, text string) []Tile {
	t.Helper()
	all, err := tilesOf(strings.Fields(text))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestTilesAreCountedAndWritten(t *testing.T) {
	pips, doubles := 0, 0
	for tile := Tile(0); tile < tileCount; tile++ {
		again, err := ParseTile(tile.String())
		if err != nil || again != tile {
			t.Errorf("%s is read as %v, %v", tile, again, err)
		}
		pips += tile.Pips()
		if tile.IsDouble() {
			doubles++
		}
	}
	same(t, "pips", pips, 168)
	same(t, "doubles", doubles, 7)
	same(t, "the last", Tile(27).String(), "6-6")
	same(t, "6-5 beside 5", tiles(t, "6-5")[0].Other(5), 6)
	for _, text := range []string{"5-6", "7-0", "", "6-6 "} {
		if tile, err := ParseTile(text); err == nil {
			t.Errorf("%q is read as %s", text, tile)
		}
	}
	same(t, "unknown", UnknownTile.String(), "?-?")
}

// kozelVectors are rounds that the referee dealt.
type kozelVectors struct {
	Matches []struct {
		Match     string
		MatchSeed vectors.Bytes `json:"match_seed"`
		Players   int
		Rounds    []struct {
			Block, Hand string
			Decks       []string
			Roots       []vectors.Bytes
			Hands       []string
			Boneyard    string
		}
	}
}

// told is a round as its first seat is told it until somebody has led; the rest of a round is not needed.
func (d *dealtRound) told(t *testing.T, hands []string, boneyard string, redeals int) []KozelEvent {
	var events []KozelEvent
	for redeal := 0; redeal <= redeals; redeal++ {
		for place, seat := range d.seats {
			dealt := slices.Repeat([]Tile{UnknownTile}, handTiles)
			if redeal == redeals && place == 0 {
				dealt = tiles(t, hands[0])
			}
			events = append(events, KozelEvent{Kind: TilesDealt, Seat: seat, Tiles: dealt})
		}
		if redeal < redeals {
			events = append(events, KozelEvent{Kind: Redealt, Seat: d.seats[0]})
		}
	}
	if boneyard != "" {
		hidden := slices.Repeat([]Tile{UnknownTile}, len(strings.Fields(boneyard)))
		events = append(events, KozelEvent{Kind: BoneyardLaid, Tiles: hidden})
	}
	return events
}

func TestRoundsAreCheckedByTheirDecksRedealsIncluded(t *testing.T) {
	var file kozelVectors
	vectors.Load(t, "kozel_deals.json", &file)
	checked, redealt := 0, 0
	for _, match := range file.Matches {
		decks, err := deals.NewDecks(match.Match, match.MatchSeed, deals.TileItems)
		if err != nil {
			t.Fatal(err)
		}
		for _, round := range match.Rounds {
			if round.Block != "0" {
				continue // tables count their rounds in block 0
			}
			dealt := &dealtRound{}
			if _, err := fmt.Sscan(round.Hand, &dealt.number); err != nil {
				t.Fatal(err)
			}
			for seat := 1; seat <= match.Players; seat++ {
				dealt.seats = append(dealt.seats, seat)
			}
			for _, root := range round.Roots {
				dealt.deckRoots = append(dealt.deckRoots, root)
			}
			dealt.events = dealt.told(t, round.Hands, round.Boneyard, len(round.Decks)-1)
			if err := dealt.check(decks); err != nil {
				t.Errorf("%s: %v", match.Match, err)
			}
			checked++
			if len(round.Decks) > 1 {
				redealt++
				fewer := *dealt
				fewer.deckRoots = dealt.deckRoots[1:]
				wants(t, fewer.check(decks), "not those that were committed to")
			}
			more := *dealt
			more.deckRoots = append(slices.Clone(dealt.deckRoots), dealt.deckRoots[0])
			wants(t, more.check(decks), "not those that were committed to")
			drawn := *dealt
			drawn.events = append(slices.Clone(dealt.events), KozelEvent{Kind: TileDrawn, Seat: 1, Tiles: tiles(t, round.Hands[0])[:1]})
			if round.Boneyard == "" {
				wants(t, drawn.check(decks), "empty boneyard")
			} else {
				wants(t, drawn.check(decks), "seat 1 drew")
			}
			laid := *dealt
			laid.events = append(slices.Clone(dealt.events), KozelEvent{Kind: TileLaid, Seat: 2, Tiles: tiles(t, round.Hands[0])[:1]})
			wants(t, laid.check(decks), "did not hold")
			counted := *dealt
			counted.events = append(slices.Clone(dealt.events),
				KozelEvent{Kind: HandCounted, Seat: 2, Tiles: slices.Repeat([]Tile{UnknownTile}, handTiles), Points: 99})
			wants(t, counted.check(decks), "hand counted 99, not")
		}
	}
	if checked < 10 || redealt == 0 {
		t.Errorf("%d rounds checked, %d of them dealt again: this tests too little", checked, redealt)
	}
}

func wants(t *testing.T, err error, words string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), words) {
		t.Errorf("got %v; want something about %q", err, words)
	}
}

func kozelConfig(name string) *pb.TableConfig {
	return &pb.TableConfig{Rules: &pb.TableConfig_RuleSetName{RuleSetName: name}, Seats: 2}
}

func TestATableSaysWhichGameItPlays(t *testing.T) {
	options := Options{}.withDefaults()
	for name, want := range map[string]string{
		"kozel/on-all@1": "*referee.kozelGame", "kozel/on-one@1": "*referee.kozelGame", "holdem/tda@1": "*referee.pokerGame",
	} {
		config := kozelConfig(name)
		config.Structure = pb.BettingStructure_BETTING_STRUCTURE_NO_LIMIT
		game, err := gameOf(config, "table", options)
		if err != nil {
			t.Fatal(err)
		}
		same(t, name, fmt.Sprintf("%T", game), want)
	}
	own := &pb.KozelRuleSet{Name: "mine", Version: 1, FishScoring: pb.KozelFishScoring_KOZEL_FISH_SCORING_ON_ONE}
	game, err := gameOf(&pb.TableConfig{Rules: &pb.TableConfig_KozelRuleSet{KozelRuleSet: own}}, "table", options)
	if err != nil || !game.(*kozelGame).ruleSet.OnOne {
		t.Errorf("%v, %v", game, err)
	}
	own.Fish = 99
	_, err = gameOf(&pb.TableConfig{Rules: &pb.TableConfig_KozelRuleSet{KozelRuleSet: own}}, "table", options)
	wants(t, err, "does not know the game")
	_, err = gameOf(kozelConfig("kozel/on-none@1"), "table", options)
	wants(t, err, "knows no published rule set")
}

func TestABotIsAskedOnlyAboutItsOwnGame(t *testing.T) {
	move := Move{Tile: 5, End: Left}
	decision := &KozelDecision{TableID: "t", HandID: "t-1", Seat: 2, DecisionID: 3, Moves: []Move{move}}
	_, err := Bots{Poker: checks}.answer(context.Background(), decision)
	wants(t, err, "plays Kozel, for which there is no bot")
	_, err = Bots{Kozel: SimpleKozel((*KozelDecision).LayFirst)}.answer(context.Background(), &Decision{TableID: "t"})
	wants(t, err, "plays poker, for which there is no bot")
	_, err = Bots{Kozel: SimpleKozel(func(*KozelDecision) KozelProposal { return KozelProposal{} })}.answer(
		context.Background(), decision)
	wants(t, err, "answers with a proposal")
	got, err := Bots{Kozel: SimpleKozel(func(*KozelDecision) KozelProposal { return KozelProposal{Tile: 5, End: Left} })}.answer(
		context.Background(), decision)
	if err != nil {
		t.Fatal(err)
	}
	proposed := got.propose("id").GetKozel()
	same(t, "tile", proposed.GetLay().GetTile(), "5-0")
	same(t, "hand", proposed.GetHandId(), "t-1")
	same(t, "decision", proposed.GetDecisionId(), int32(3))
}

func TestKozelReasonsAndEventsAreThoseOfTheContract(t *testing.T) {
	for number := range pb.KozelReason_name {
		reason := KozelReason(number)
		same(t, "known "+reason.String(), reason.IsKnown(), number != 0)
		if strings.HasPrefix(reason.String(), "KOZEL_REASON_") {
			t.Error(reason)
		}
	}
	same(t, "reasons", len(pb.KozelReason_name), int(lastKnownKozelReason)+1)
	same(t, "events", len(pb.KozelEventKind_name), int(lastKnownKozelEvent)+1)
}

func TestAnEventThatDoesNotFitARoundIsAnError(t *testing.T) {
	began := &pb.HandBegan{
		HandId: "t-1", Players: []*pb.PlayerSetup{{Seat: 1}, {Seat: 2}},
		Kozel: &pb.KozelRoundBegan{Accounts: []*pb.KozelAccount{{}, {}}},
	}
	fresh := func() *KozelView {
		view, err := newKozelView(publishedKozelRuleSets[0], 1, began, "t", "m", nil)
		if err != nil {
			t.Fatal(err)
		}
		return view
	}
	for words, event := range map[string]KozelEvent{
		"does not play": {Kind: TileLaid, Seat: 3, Tiles: []Tile{1}},
		"was not held":  {Kind: TileLaid, Seat: 1, Tiles: []Tile{1}},
		"lays":          {Kind: TileLaid, Seat: 1},
		"names no seat": {Kind: TilesDealt, Tiles: []Tile{1}},
	} {
		wants(t, fresh().fold(event), words)
	}
	_, err := newKozelView(publishedKozelRuleSets[0], 1, &pb.HandBegan{Players: began.GetPlayers()}, "t", "m", nil)
	wants(t, err, "2 players with 0 accounts")
	_, err = kozelOptionsOf(&pb.KozelOptions{DecisionId: 7})
	wants(t, err, "decision 7 has no legal move")
}

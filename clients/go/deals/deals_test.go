package deals

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"irish.example/referee/internal/vectors"
	"irish.example/referee/merkle"
)

type vectorFile struct {
	Derivation string
	Matches    []struct {
		Match   string
		Referee struct{ Seed, Commitment vectors.Bytes }
		Seats   []struct {
			Seat                      int
			Commitment, Seed, Counted vectors.Bytes
		}
		MatchSeed   vectors.Bytes `json:"match_seed"`
		FirstButton int           `json:"first_button"`
		Deals       []struct {
			Items       int
			Block, Hand int64 `json:",string"`
			Redeal      int64
			Deck        []int
			Salts, Root vectors.Bytes
			Openings    []struct {
				Position, Item int
				Salt           vectors.Bytes
				Path           []vectors.Bytes
			}
		}
	}
}

func TestVectors(t *testing.T) {
	var file vectorFile
	vectors.Load(t, "deals.json", &file)
	if file.Derivation != Derivation || len(file.Matches) == 0 {
		t.Fatalf("vectors of %s", file.Derivation)
	}
	for _, match := range file.Matches {
		t.Run(match.Match, func(t *testing.T) {
			seeds := MatchSeeds{Match: match.Match, RefereeSeed: match.Referee.Seed}
			var numbers []int
			for _, seat := range match.Seats {
				one := SeatSeed{seat.Seat, seat.Commitment, seat.Seed}
				seeds.Seats = append(seeds.Seats, one)
				numbers = append(numbers, seat.Seat)
				if !bytes.Equal(one.counted(), seat.Counted) {
					t.Errorf("seat %d counts %x; want %x", seat.Seat, one.counted(), seat.Counted)
				}
				if len(seat.Seed) > 0 {
					made, err := CommitSeat(match.Match, seat.Seat, seat.Seed, match.Referee.Commitment)
					if err != nil || !bytes.Equal(made, seat.Commitment) {
						t.Errorf("seat %d commits to %x, %v", seat.Seat, made, err)
					}
				}
			}
			if err := seeds.Check(match.Referee.Commitment); err != nil {
				t.Error(err)
			}
			matchSeed, err := seeds.MatchSeed()
			if err != nil || !bytes.Equal(matchSeed, match.MatchSeed) {
				t.Fatalf("match seed %x, %v", matchSeed, err)
			}
			for _, one := range match.Deals {
				decks, err := NewDecks(match.Match, matchSeed, one.Items)
				if err != nil {
					t.Fatal(err)
				}
				if button, err := decks.FirstButton(numbers); err != nil || button != match.FirstButton {
					t.Errorf("first button %d, %v", button, err)
				}
				deck, err := decks.Deck(one.Block, one.Hand, one.Redeal)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(deck.Deck, one.Deck) || !bytes.Equal(deck.Root[:], one.Root) {
					t.Errorf("deck %v with root %x", deck.Deck, deck.Root)
				}
				if !bytes.Equal(bytes.Join(deck.Salts, nil), one.Salts) {
					t.Error("salts differ")
				}
				for _, opening := range one.Openings {
					made := deck.Open(opening.Position)
					var path []merkle.Hash
					for _, hash := range opening.Path {
						path = append(path, merkle.Hash(hash))
					}
					told := Opening{opening.Position, opening.Item, opening.Salt, path}
					if made.Item != told.Item || !bytes.Equal(made.Salt, told.Salt) || !slices.Equal(made.Path, path) {
						t.Errorf("position %d is opened as %v", opening.Position, made)
					}
					if err := VerifyOpening(deck.Deal, deck.Root, told); err != nil {
						t.Error(err)
					}
					told.Item = (told.Item + 1) % one.Items
					if VerifyOpening(deck.Deal, deck.Root, told) == nil {
						t.Errorf("position %d opens as another item", opening.Position)
					}
				}
			}
		})
	}
}

// Kozel's 28 tiles are dealt by the same derivation; each redeal of a round is a deck of its own (KOZ-2).
func TestTileVectors(t *testing.T) {
	var file struct {
		Matches []struct {
			Match     string
			MatchSeed vectors.Bytes `json:"match_seed"`
			Rounds    []struct {
				Block, Hand int64 `json:",string"`
				Decks       []string
				Roots       []vectors.Bytes
			}
		}
	}
	vectors.Load(t, "kozel_deals.json", &file)
	var tiles []string
	for low := range 7 {
		for high := low; high < 7; high++ {
			tiles = append(tiles, fmt.Sprintf("%d-%d", high, low))
		}
	}
	redeals := 0
	for _, match := range file.Matches {
		decks, err := NewDecks(match.Match, match.MatchSeed, len(tiles))
		if err != nil {
			t.Fatal(err)
		}
		for _, round := range match.Rounds {
			if len(round.Decks) == 0 || len(round.Decks) != len(round.Roots) {
				t.Fatalf("%d decks and %d roots", len(round.Decks), len(round.Roots))
			}
			redeals += len(round.Decks) - 1
			for redeal, told := range round.Decks {
				made, err := decks.Deck(round.Block, round.Hand, int64(redeal))
				if err != nil {
					t.Fatal(err)
				}
				var texts []string
				for _, item := range made.Deck {
					texts = append(texts, tiles[item])
				}
				if strings.Join(texts, " ") != told || !bytes.Equal(made.Root[:], round.Roots[redeal]) {
					t.Errorf("%s, hand %d, redeal %d: %v with root %x", match.Match, round.Hand, redeal, texts, made.Root)
				}
			}
		}
	}
	if redeals == 0 {
		t.Error("no redeal among the vectors")
	}
}

func TestSeedsThatAreNotTheCommittedOnesAreRefused(t *testing.T) {
	referee, own := bytes.Repeat([]byte{7}, SeedBytes), bytes.Repeat([]byte{8}, SeedBytes)
	commitment, err := CommitReferee("match", referee)
	if err != nil {
		t.Fatal(err)
	}
	made, err := CommitSeat("match", 2, own, commitment)
	if err != nil {
		t.Fatal(err)
	}
	right := func() MatchSeeds {
		return MatchSeeds{"match", slices.Clone(referee), []SeatSeed{{1, nil, nil}, {2, made, slices.Clone(own)}}}
	}
	if err := right().Check(commitment); err != nil {
		t.Fatal(err)
	}
	for fault, change := range map[string]func(*MatchSeeds){
		"the referee's seed is not the committed one": func(seeds *MatchSeeds) { seeds.RefereeSeed[0]++ },
		"seat 2's seed is not the committed one":      func(seeds *MatchSeeds) { seeds.Seats[1].Seed[0]++ },
		"the referee's seed has 31 bytes":             func(seeds *MatchSeeds) { seeds.RefereeSeed = seeds.RefereeSeed[1:] },
		"seat 2 gave 31 bytes":                        func(seeds *MatchSeeds) { seeds.Seats[1].Seed = seeds.Seats[1].Seed[1:] },
		"ascending":                                   func(seeds *MatchSeeds) { slices.Reverse(seeds.Seats) },
		"is not a match's name":                       func(seeds *MatchSeeds) { seeds.Match = "a match" },
		"0 seats":                                     func(seeds *MatchSeeds) { seeds.Seats = nil },
	} {
		seeds := right()
		change(&seeds)
		if err := seeds.Check(commitment); err == nil || !strings.Contains(err.Error(), fault) {
			t.Errorf("got %v; want %s", err, fault)
		}
	}
}

func TestDecksThatCannotBeAreRefused(t *testing.T) {
	key := make([]byte, SeedBytes)
	for _, items := range []int{0, maxItems + 1} {
		if _, err := NewDecks("match", key, items); err == nil {
			t.Errorf("a deck of %d", items)
		}
	}
	if _, err := NewDecks("match", key[1:], CardItems); err == nil {
		t.Error("a short key")
	}
	decks, err := NewDecks("match", key, CardItems)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := decks.Deck(0, -1, 0); err == nil {
		t.Error("a negative hand")
	}
	deck, err := decks.Deck(0, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	opening := deck.Open(3)
	opening.Salt = opening.Salt[1:]
	if VerifyOpening(deck.Deal, deck.Root, opening) == nil {
		t.Error("a short salt")
	}
	other := deck.Deal
	other.Hand++
	if VerifyOpening(other, deck.Root, deck.Open(3)) == nil {
		t.Error("an opening fits another hand")
	}
}

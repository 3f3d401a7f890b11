package referee

import (
	"fmt"
	"strings"
)

// Tile is a tile of Kozel as a small integer (KOZ-1): 0-0, 1-0 ... 6-0, 1-1, 2-1 ... 6-6, counted from 0.
type Tile int8

// UnknownTile is a tile that the seat may not see; it is written ?-?.
const UnknownTile Tile = -1

const (
	highestNumber = 6
	tileCount     = 28
	handTiles     = 7
)

// halves are the higher and the lower number of each tile.
var halves = func() (all [tileCount][2]int) {
	at := 0
	for low := 0; low <= highestNumber; low++ {
		for high := low; high <= highestNumber; high++ {
			all[at] = [2]int{high, low}
			at++
		}
	}
	return all
}()

func (t Tile) isKnown() bool { return t >= 0 && t < tileCount }

// High returns the higher number of a tile, Low the lower one; -1 for an unknown tile.
func (t Tile) High() int {
	if !t.isKnown() {
		return -1
	}
	return halves[t][0]
}

// Low returns the lower number of a tile; -1 for an unknown tile.
func (t Tile) Low() int {
	if !t.isKnown() {
		return -1
	}
	return halves[t][1]
}

// Pips returns what both halves show together; 0 for an unknown tile.
func (t Tile) Pips() int {
	if !t.isKnown() {
		return 0
	}
	return t.High() + t.Low()
}

// IsDouble says whether both halves show one number.
func (t Tile) IsDouble() bool { return t.isKnown() && t.High() == t.Low() }

// Bears says whether one of the halves shows the number.
func (t Tile) Bears(number int) bool { return t.isKnown() && (t.High() == number || t.Low() == number) }

// Other returns what the tile shows beside one of its numbers; the same number for its double.
func (t Tile) Other(number int) int {
	if t.Low() == number {
		return t.High()
	}
	return t.Low()
}

// String writes a tile as ParseTile reads it, such as 6-5.
func (t Tile) String() string {
	if !t.isKnown() {
		return "?-?"
	}
	return fmt.Sprintf("%d-%d", t.High(), t.Low())
}

// ParseTile reads one tile such as 6-5, the higher half first; ?-? is an unknown tile.
func ParseTile(text string) (Tile, error) {
	if text == "?-?" {
		return UnknownTile, nil
	}
	for tile := Tile(0); tile < tileCount; tile++ {
		if tile.String() == text {
			return tile, nil
		}
	}
	return UnknownTile, fmt.Errorf("%q is not a tile; expected two halves of 0 to 6, the higher one first, such as 6-5", text)
}

// TilesText writes tiles in the order given, with spaces between them.
func TilesText(tiles []Tile) string {
	texts := make([]string, len(tiles))
	for at, tile := range tiles {
		texts[at] = tile.String()
	}
	return strings.Join(texts, " ")
}

func tilesOf(texts []string) ([]Tile, error) {
	tiles := make([]Tile, len(texts))
	for at, text := range texts {
		tile, err := ParseTile(text)
		if err != nil {
			return nil, err
		}
		tiles[at] = tile
	}
	return tiles, nil
}

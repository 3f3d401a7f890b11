package main

import (
	"strings"

	"irish.example/referee"
)

// plainKozel lays a double if it may, else the tile with the most pips; the first of several.
func plainKozel(decision *referee.KozelDecision) referee.KozelProposal {
	best := decision.Moves[0]
	for _, move := range decision.Moves[1:] {
		if worth(move.Tile) > worth(best.Tile) {
			best = move
		}
	}
	return decision.Lay(best)
}

func worth(tile referee.Tile) int {
	if tile.IsDouble() {
		return 100 + tile.Pips()
	}
	return tile.Pips()
}

// conformanceKozel does what the name of the match wishes, as conformance does at poker.
func conformanceKozel(decision *referee.KozelDecision) referee.KozelProposal {
	name, isWish := strings.CutPrefix(decision.MatchName, "conformance.")
	if !isWish {
		return plainKozel(decision)
	}
	moves := decision.Moves
	wish, _, _ := strings.Cut(name, ".")
	switch {
	case wish == "last-move":
		return decision.Lay(moves[len(moves)-1])
	case wish == "counted-move":
		return decision.Lay(moves[counted(decision)%len(moves)])
	case wish == "wrong-tile" && decision.Refusal == nil:
		return decision.Lay(referee.Move{Tile: notHeld(decision.OwnTiles)})
	case wish == "no-end" && decision.Refusal == nil:
		if tile, fits := fitsBothEnds(moves); fits {
			return decision.Lay(referee.Move{Tile: tile})
		}
	}
	return decision.LayFirst()
}

// counted is the sum of all that is to be known at a decision.
func counted(decision *referee.KozelDecision) int {
	sum := len(decision.Chain) + decision.LeftNumber + decision.RightNumber + decision.BoneyardCount + decision.Carry
	for _, tile := range decision.OwnTiles {
		sum += tile.Pips()
	}
	for _, player := range decision.Players {
		sum += player.Seat*player.Tiles + player.Account.Score + player.Account.Remembered
	}
	return sum
}

// notHeld is the first tile that is not among these.
func notHeld(tiles []referee.Tile) referee.Tile {
	held := map[referee.Tile]bool{}
	for _, tile := range tiles {
		held[tile] = true
	}
	tile := referee.Tile(0)
	for held[tile] {
		tile++
	}
	return tile
}

// fitsBothEnds is the first tile that two moves name.
func fitsBothEnds(moves []referee.Move) (referee.Tile, bool) {
	for at, move := range moves {
		for _, other := range moves[at+1:] {
			if move.Tile == other.Tile {
				return move.Tile, true
			}
		}
	}
	return referee.UnknownTile, false
}

package referee

import (
	"bytes"
	"fmt"
	"slices"

	"irish.example/referee/deals"
	pb "irish.example/referee/refereepb"
)

// maxHandsChecked is how many hands of a match are kept for the check: the newest.
const maxHandsChecked = 20_000

// dealCheck is a player's own check of the deals: from what the referee published before, when the seeds are shown at
// the end. docs/fair-deals.md says what this proves, and what it does not.
type dealCheck struct {
	// checked counts the hands whose decks were found to be those that the seeds make.
	checked int
	// fault says what was wrong first; empty when nothing was.
	fault string

	seed   []byte
	opened *pb.TableOpened
	closed *pb.CommitmentsClosed
	hands  []seenDeal
}

// over keeps what was seen of the cards of a hand that is over.
func (c *dealCheck) over(hand seenDeal) {
	c.hands = append(c.hands, hand)
	if len(c.hands) > maxHandsChecked {
		c.hands = slices.Delete(c.hands, 0, 1)
	}
}

// ended checks all hands by the seeds that are shown now; without what was published before nothing is checked.
func (c *dealCheck) ended(shown *pb.MatchSeeds, deckItems int) {
	if c.opened == nil || c.closed == nil {
		return
	}
	if err := c.checkAll(shown, deckItems); err != nil {
		c.fault = err.Error()
	}
}

func (c *dealCheck) checkAll(shown *pb.MatchSeeds, deckItems int) error {
	if len(shown.GetSeats()) == 0 {
		if len(c.hands) > 0 {
			return fmt.Errorf("hands were dealt, and the seeds are not shown")
		}
		return nil
	}
	seeds, err := c.checkSeeds(shown)
	if err != nil {
		return err
	}
	matchSeed, err := seeds.MatchSeed()
	if err != nil {
		return err
	}
	decks, err := deals.NewDecks(seeds.Match, matchSeed, deckItems)
	if err != nil {
		return err
	}
	for _, hand := range c.hands {
		if err := hand.check(decks); err != nil {
			return err
		}
		c.checked++
	}
	return nil
}

func (c *dealCheck) checkSeeds(shown *pb.MatchSeeds) (*deals.MatchSeeds, error) {
	seeds := &deals.MatchSeeds{Match: shown.GetMatchName(), RefereeSeed: shown.GetRefereeSeed()}
	for _, one := range shown.GetSeats() {
		seeds.Seats = append(seeds.Seats, deals.SeatSeed{
			Seat: int(one.GetSeat()), Commitment: one.GetCommitment(), Seed: one.GetSeed(),
		})
	}
	if seeds.Match != c.opened.GetMatchName() {
		return nil, fmt.Errorf("the seeds are those of match %s, not %s", seeds.Match, c.opened.GetMatchName())
	}
	if err := seeds.Check(c.opened.GetDealCommitment()); err != nil {
		return nil, err
	}
	published := map[int][]byte{}
	for _, one := range c.closed.GetCommitments() {
		published[int(one.GetSeat())] = one.GetCommitment()
	}
	seats := c.closed.GetSeats()
	sameSeat := func(seat int32, seed deals.SeatSeed) bool { return int(seat) == seed.Seat }
	if !slices.EqualFunc(seats, seeds.Seats, sameSeat) {
		return nil, fmt.Errorf("the match has other seats than when the commitments were closed")
	}
	ownSeedUsed := len(c.seed) == 0
	for _, one := range seeds.Seats {
		if !bytes.Equal(one.Commitment, published[one.Seat]) {
			return nil, fmt.Errorf("seat %d was committed to another seed when the commitments were closed", one.Seat)
		}
		ownSeedUsed = ownSeedUsed || (bytes.Equal(one.Seed, c.seed) && len(one.Commitment) > 0)
	}
	if !ownSeedUsed {
		return nil, fmt.Errorf("the own seed is not among those that were used")
	}
	return seeds, nil
}

// Package deals rebuilds the decks of a match from its seeds and checks what was committed to, by referee-deal/1
// (docs/fair-deals.md, which also says what this proves and what not).
package deals

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"irish.example/referee/merkle"
)

// Derivation is the name and version of everything that is derived here.
const Derivation = "referee-deal/1"

const (
	// SeedBytes is the length of seeds and commitments.
	SeedBytes = 32
	// SaltBytes is the length of a position's salt.
	SaltBytes = 16
	// CardItems is how many items a deck of cards has, TileItems how many Kozel's has.
	CardItems = 52
	TileItems = 28

	maxItems = 1024
	maxSeats = 1024
)

// Error says what is wrong with seeds, decks or openings.
type Error struct{ Message string }

func (e *Error) Error() string { return e.Message }

func wrong(format string, values ...any) error {
	return &Error{fmt.Sprintf(format, values...)}
}

// SeatSeed is a seat's commitment and seed; what it did not give is empty.
type SeatSeed struct {
	Seat       int
	Commitment []byte
	Seed       []byte
}

// counted is what enters the match seed: the seed, else the commitment, else zeros.
func (s SeatSeed) counted() []byte {
	switch {
	case len(s.Seed) > 0:
		return s.Seed
	case len(s.Commitment) > 0:
		return s.Commitment
	}
	return make([]byte, SeedBytes)
}

// MatchSeeds is everything that a match's decks follow from; seats in ascending order.
type MatchSeeds struct {
	Match       string
	RefereeSeed []byte
	Seats       []SeatSeed
}

// Check checks each revealed seed against its commitment, the referee's before the seats'. It cannot tell when anything
// was sent, except that a seat's commitment is made from the referee's and so came after it.
func (m MatchSeeds) Check(refereeCommitment []byte) error {
	if err := m.checkShape(); err != nil {
		return err
	}
	if made, err := CommitReferee(m.Match, m.RefereeSeed); err != nil {
		return err
	} else if !hmac.Equal(made, refereeCommitment) {
		return wrong("the referee's seed is not the committed one")
	}
	for _, seat := range m.Seats {
		if len(seat.Seed) == 0 {
			continue
		}
		made, err := CommitSeat(m.Match, seat.Seat, seat.Seed, refereeCommitment)
		if err != nil {
			return err
		}
		if !hmac.Equal(made, seat.Commitment) {
			return wrong("seat %d's seed is not the committed one", seat.Seat)
		}
	}
	return nil
}

// MatchSeed returns the match's 32 secret bytes, from which everything else follows.
func (m MatchSeeds) MatchSeed() ([]byte, error) {
	if err := m.checkShape(); err != nil {
		return nil, err
	}
	material := append([]byte(nil), m.RefereeSeed...)
	numbers := make([]string, len(m.Seats))
	for at, seat := range m.Seats {
		material = append(material, seat.counted()...)
		numbers[at] = strconv.Itoa(seat.Seat)
	}
	salt := Derivation + "/match/" + m.Match
	return hkdf.Key(sha256.New, material, []byte(salt), Derivation+"/seats/"+strings.Join(numbers, ","), SeedBytes)
}

func (m MatchSeeds) checkShape() error {
	if err := checkMatch(m.Match); err != nil {
		return err
	}
	if len(m.RefereeSeed) != SeedBytes {
		return wrong("the referee's seed has %d bytes; expected %d", len(m.RefereeSeed), SeedBytes)
	}
	seats := make([]int, len(m.Seats))
	for at, seat := range m.Seats {
		seats[at] = seat.Seat
		for _, some := range [][]byte{seat.Seed, seat.Commitment} {
			if len(some) != 0 && len(some) != SeedBytes {
				return wrong("seat %d gave %d bytes; expected %d", seat.Seat, len(some), SeedBytes)
			}
		}
	}
	return checkSeats(seats)
}

// CommitReferee returns the referee's commitment to its seed for a match.
func CommitReferee(match string, seed []byte) ([]byte, error) {
	return commit(match, 0, nil, seed)
}

// CommitSeat returns a seat's commitment to its seed. It contains the referee's, so it cannot have been made before.
func CommitSeat(match string, seat int, seed, refereeCommitment []byte) ([]byte, error) {
	if err := checkSeats([]int{seat}); err != nil {
		return nil, err
	}
	if len(refereeCommitment) != SeedBytes {
		return nil, wrong("the referee's commitment has %d bytes; expected %d", len(refereeCommitment), SeedBytes)
	}
	return commit(match, seat, refereeCommitment, seed)
}

func commit(match string, seat int, refereeCommitment, seed []byte) ([]byte, error) {
	if err := checkMatch(match); err != nil {
		return nil, err
	}
	if len(seed) != SeedBytes {
		return nil, wrong("a seed has %d bytes; expected %d", len(seed), SeedBytes)
	}
	hash := sha256.New()
	fmt.Fprintf(hash, "%s/commit/%s/%d/", Derivation, match, seat)
	hash.Write(refereeCommitment)
	hash.Write(seed)
	return hash.Sum(nil), nil
}

func checkMatch(match string) error {
	for _, letter := range []byte(match) {
		switch {
		case 'A' <= letter && letter <= 'Z', 'a' <= letter && letter <= 'z', '0' <= letter && letter <= '9':
		case letter == '.', letter == '_', letter == '-':
		default:
			return wrong("%q is not a match's name; expected 1 to 64 of A-Z a-z 0-9 . _ -", match)
		}
	}
	if len(match) < 1 || len(match) > 64 {
		return wrong("%q is not a match's name; expected 1 to 64 of A-Z a-z 0-9 . _ -", match)
	}
	return nil
}

func checkSeats(seats []int) error {
	if len(seats) < 1 || len(seats) > maxSeats {
		return wrong("%d seats; expected 1 to %d", len(seats), maxSeats)
	}
	for at, seat := range seats {
		if seat < 1 || (at > 0 && seats[at-1] >= seat) {
			return wrong("seats %v: expected numbers from 1, ascending, each once", seats)
		}
	}
	return nil
}

// Decks are the decks of a match: they depend on its seeds, the block and the hand alone.
type Decks struct {
	match string
	key   []byte
	items int
}

// NewDecks returns the decks of a match by its match seed; items is CardItems for cards.
func NewDecks(match string, matchSeed []byte, items int) (*Decks, error) {
	if err := checkMatch(match); err != nil {
		return nil, err
	}
	if len(matchSeed) != SeedBytes {
		return nil, wrong("a match seed of %d bytes; expected %d", len(matchSeed), SeedBytes)
	}
	if items < 1 || items > maxItems {
		return nil, wrong("a deck of %d; expected 1 to %d", items, maxItems)
	}
	return &Decks{match, append([]byte(nil), matchSeed...), items}, nil
}

// FirstButton returns the seat that has the first button (SEAT-6); seats in ascending order.
func (d *Decks) FirstButton(seats []int) (int, error) {
	if err := checkSeats(seats); err != nil {
		return 0, err
	}
	return seats[d.stream("button").below(len(seats))], nil
}

// Deal names a deck of a match. Block, hand and redeal are not negative; redeal is 0 for cards.
type Deal struct {
	Match               string
	Items               int
	Block, Hand, Redeal int64
}

func (d Deal) path() string {
	return fmt.Sprintf("%d/%d/%d/%d", d.Items, d.Block, d.Hand, d.Redeal)
}

// CommittedDeck is a deck, position 0 dealt first, with the salts and the root that commit to it. A card is 4 * rank +
// suit, as in the SDK.
type CommittedDeck struct {
	Deal  Deal
	Deck  []int
	Salts [][]byte
	Root  merkle.Hash

	leaves []merkle.Hash
}

// Deck returns the deck of a hand with what commits to it.
func (d *Decks) Deck(block, hand, redeal int64) (*CommittedDeck, error) {
	deal := Deal{d.match, d.items, block, hand, redeal}
	for _, number := range []int64{block, hand, redeal} {
		if number < 0 {
			return nil, wrong("deal %s: numbers are not negative", deal.path())
		}
	}
	salts := d.stream("salt/" + deal.path())
	committed := &CommittedDeck{Deal: deal, Deck: d.stream("deck/" + deal.path()).shuffled(d.items)}
	for position, item := range committed.Deck {
		salt := salts.bytes(SaltBytes)
		committed.Salts = append(committed.Salts, salt)
		committed.leaves = append(committed.leaves, Leaf(deal, position, item, salt))
	}
	committed.Root = merkle.Root(committed.leaves)
	return committed, nil
}

// Opening is one opened position of a deck: its item, its salt, and the hashes that lead to the root, lowest first.
type Opening struct {
	Position int
	Item     int
	Salt     []byte
	Path     []merkle.Hash
}

// Open opens one position; it panics when the deck has no such position.
func (c *CommittedDeck) Open(position int) Opening {
	return Opening{position, c.Deck[position], c.Salts[position], merkle.InclusionProof(c.leaves, position)}
}

// Leaf returns the hash of one position's leaf. It names the deal, so that an opening fits no other hand.
func Leaf(deal Deal, position, item int, salt []byte) merkle.Hash {
	text := fmt.Sprintf("%s/card/%s/%s/%d/%d/", Derivation, deal.Match, deal.path(), position, item)
	return merkle.LeafHash(append([]byte(text), salt...))
}

// VerifyOpening checks an opened position against the root that was published for the deal. It shows what was
// committed to, not that the deck follows from the seeds.
func VerifyOpening(deal Deal, root merkle.Hash, opening Opening) error {
	if opening.Item < 0 || opening.Item >= deal.Items {
		return wrong("position %d: item %d of a deck of %d", opening.Position, opening.Item, deal.Items)
	}
	if len(opening.Salt) != SaltBytes {
		return wrong("position %d: a salt of %d bytes; expected %d", opening.Position, len(opening.Salt), SaltBytes)
	}
	leaf := Leaf(deal, opening.Position, opening.Item, opening.Salt)
	if err := merkle.VerifyInclusion(leaf, int64(opening.Position), int64(deal.Items), opening.Path, root); err != nil {
		return wrong("position %d: %v", opening.Position, err)
	}
	return nil
}

// stream is the endless bytes of a label: HMAC-SHA256 of the label, a slash, and 0, 1, 2 ...
type stream struct {
	key    []byte
	label  string
	number int
	rest   []byte
}

func (d *Decks) stream(label string) *stream {
	return &stream{key: d.key, label: Derivation + "/" + label}
}

func (s *stream) bytes(count int) []byte {
	for len(s.rest) < count {
		mac := hmac.New(sha256.New, s.key)
		fmt.Fprintf(mac, "%s/%d", s.label, s.number)
		s.rest = mac.Sum(s.rest)
		s.number++
	}
	some := s.rest[:count:count]
	s.rest = s.rest[count:]
	return some
}

// below returns a number from 0 to bound - 1, each as likely.
func (s *stream) below(bound int) int {
	accepted := 65536 - 65536%bound
	for {
		if number := int(binary.BigEndian.Uint16(s.bytes(2))); number < accepted {
			return number % bound
		}
	}
}

// shuffled returns the items 0 to count - 1 shuffled by Fisher-Yates from the top.
func (s *stream) shuffled(count int) []int {
	items := make([]int, count)
	for at := range items {
		items[at] = at
	}
	for top := count - 1; top > 0; top-- {
		other := s.below(top + 1)
		items[top], items[other] = items[other], items[top]
	}
	return items
}

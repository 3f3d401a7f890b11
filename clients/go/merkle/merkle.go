// Package merkle hashes and checks append-only Merkle trees as RFC 6962 and RFC 9162 (2.1) define them: SHA-256, leaves
// and nodes kept apart by a byte in front.
package merkle

import (
	"crypto/sha256"
	"fmt"
	"math/bits"
)

// HashBytes is the length of every hash.
const HashBytes = sha256.Size

// Hash is the hash of a leaf or a node.
type Hash = [HashBytes]byte

// EmptyRoot returns the root of a tree without leaves.
func EmptyRoot() Hash { return sha256.Sum256(nil) }

// LeafHash hashes a leaf's bytes.
func LeafHash(data []byte) Hash {
	hash := sha256.New()
	hash.Write([]byte{0})
	hash.Write(data)
	return Hash(hash.Sum(nil))
}

// NodeHash hashes two hashes.
func NodeHash(left, right Hash) Hash {
	var both [1 + 2*HashBytes]byte
	both[0] = 1
	copy(both[1:], left[:])
	copy(both[1+HashBytes:], right[:])
	return sha256.Sum256(both[:])
}

// Root returns the root over hashes of leaves.
func Root(leaves []Hash) Hash {
	switch len(leaves) {
	case 0:
		return EmptyRoot()
	case 1:
		return leaves[0]
	}
	left := cut(len(leaves))
	return NodeHash(Root(leaves[:left]), Root(leaves[left:]))
}

// InclusionProof returns the hashes beside the path from a leaf to the root, the lowest first; it panics when there is
// no such leaf.
func InclusionProof(leaves []Hash, index int) []Hash {
	if index < 0 || index >= len(leaves) {
		panic(fmt.Sprintf("leaf %d of a tree of %d leaves", index, len(leaves)))
	}
	if len(leaves) == 1 {
		return nil
	}
	left := cut(len(leaves))
	if index < left {
		return append(InclusionProof(leaves[:left], index), Root(leaves[left:]))
	}
	return append(InclusionProof(leaves[left:], index-left), Root(leaves[:left]))
}

// cut returns how many leaves, of at least 2, go to the left: the largest power of two below the count.
func cut(count int) int {
	return 1 << (bits.Len(uint(count-1)) - 1)
}

// ShapeError says that sizes, an index or a number of hashes are such as no proof can have.
type ShapeError struct{ Message string }

func (e *ShapeError) Error() string { return e.Message }

// MismatchError says that a proof of the right shape leads to another root.
type MismatchError struct{ Message string }

func (e *MismatchError) Error() string { return e.Message }

// VerifyInclusion checks that the leaf of this hash is number index of the tree of size leaves with this root. The
// error is a *ShapeError or a *MismatchError.
func VerifyInclusion(leaf Hash, index, size int64, proof []Hash, root Hash) error {
	if index < 0 || index >= size {
		return &ShapeError{fmt.Sprintf("leaf %d of a tree of %d leaves", index, size)}
	}
	inner, border := parts(index, size)
	if err := checkCount(len(proof), inner+border, fmt.Sprintf("leaf %d of %d", index, size)); err != nil {
		return err
	}
	reached := leaf
	for level, other := range proof {
		if level >= inner || index>>level&1 == 1 {
			reached = NodeHash(other, reached)
		} else {
			reached = NodeHash(reached, other)
		}
	}
	if reached != root {
		return &MismatchError{fmt.Sprintf("leaf %d of %d: the proof leads to root %x, not %x", index, size, reached, root)}
	}
	return nil
}

// VerifyConsistency checks that the tree of size leaves with this root begins with the tree of oldSize and oldRoot. The
// error is a *ShapeError or a *MismatchError.
func VerifyConsistency(oldSize int64, oldRoot Hash, size int64, root Hash, proof []Hash) error {
	if oldSize < 0 || oldSize > size {
		return &ShapeError{fmt.Sprintf("an older tree of %d leaves in a tree of %d", oldSize, size)}
	}
	if oldSize == 0 || oldSize == size {
		return verifyTrivial(oldSize, oldRoot, size, root, proof)
	}
	level := bits.TrailingZeros64(uint64(oldSize))
	whole := oldSize == 1<<level
	inner, border := parts(oldSize-1, size)
	inner -= level
	expected := inner + border
	if !whole {
		expected++
	}
	if err := checkCount(len(proof), expected, fmt.Sprintf("%d leaves to %d", oldSize, size)); err != nil {
		return err
	}
	// A whole older tree is itself the subtree that the path starts from, so the proof leaves it out.
	start, path := oldRoot, proof
	if !whole {
		start, path = proof[0], proof[1:]
	}
	older, newer := start, start
	for step, other := range path {
		if step >= inner || (oldSize-1)>>(level+step)&1 == 1 {
			older = NodeHash(other, older)
			newer = NodeHash(other, newer)
		} else {
			newer = NodeHash(newer, other)
		}
	}
	if older != oldRoot {
		return &MismatchError{fmt.Sprintf("%d leaves: the proof leads to root %x, not %x", oldSize, older, oldRoot)}
	}
	if newer != root {
		return &MismatchError{fmt.Sprintf("%d leaves: the proof leads to root %x, not %x", size, newer, root)}
	}
	return nil
}

func verifyTrivial(oldSize int64, oldRoot Hash, size int64, root Hash, proof []Hash) error {
	if err := checkCount(len(proof), 0, fmt.Sprintf("%d leaves to %d", oldSize, size)); err != nil {
		return err
	}
	if size == 0 && root != EmptyRoot() {
		return &MismatchError{"a tree without leaves has another root"}
	}
	wanted := root
	if oldSize == 0 {
		wanted = EmptyRoot()
	}
	if oldRoot != wanted {
		return &MismatchError{fmt.Sprintf("two roots for %d leaves", oldSize)}
	}
	return nil
}

// parts returns how many hashes of the path from a leaf belong to the part where the tree is cut like a complete one,
// and to its right edge, where every hash stands on the left.
func parts(index, size int64) (inner, border int) {
	inner = bits.Len64(uint64(index ^ (size - 1)))
	return inner, bits.OnesCount64(uint64(index) >> inner)
}

func checkCount(count, expected int, what string) error {
	if count != expected {
		return &ShapeError{fmt.Sprintf("%s: a proof of %d hashes; expected %d", what, count, expected)}
	}
	return nil
}

// HashesOf reads the hashes of a proof from a message; the error is a *ShapeError when one has not 32 bytes.
func HashesOf(raw [][]byte) ([]Hash, error) {
	hashes := make([]Hash, len(raw))
	for at, some := range raw {
		hash, err := HashOf(some)
		if err != nil {
			return nil, err
		}
		hashes[at] = hash
	}
	return hashes, nil
}

// HashOf reads one hash; the error is a *ShapeError when it has not 32 bytes.
func HashOf(raw []byte) (Hash, error) {
	if len(raw) != HashBytes {
		return Hash{}, &ShapeError{fmt.Sprintf("a hash of %d bytes; expected %d", len(raw), HashBytes)}
	}
	return Hash(raw), nil
}

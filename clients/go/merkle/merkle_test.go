package merkle

import (
	"errors"
	"strconv"
	"testing"

	"irish.example/referee/internal/vectors"
)

type number int64

func (n *number) UnmarshalText(text []byte) error {
	value, err := strconv.ParseInt(string(text), 10, 64)
	*n = number(value)
	return err
}

// verdict is what a check of hashes that may be cut off says: empty, SHAPE or MISMATCH.
func verdict(t *testing.T, err error) string {
	t.Helper()
	var shape *ShapeError
	var mismatch *MismatchError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &shape):
		return "SHAPE"
	case errors.As(err, &mismatch):
		return "MISMATCH"
	}
	t.Errorf("unexpected error %v", err)
	return "?"
}

func all(raw []vectors.Bytes) [][]byte {
	hashes := make([][]byte, len(raw))
	for at, one := range raw {
		hashes[at] = one
	}
	return hashes
}

func TestVectors(t *testing.T) {
	var file struct {
		EmptyRoot vectors.Bytes `json:"empty_root"`
		Leaves    []struct{ Data, Hash vectors.Bytes }
		Nodes     []struct{ Left, Right, Hash vectors.Bytes }
		Roots     []struct {
			Size number
			Root vectors.Bytes
		}
		Inclusion []struct {
			Name        string
			Leaf        vectors.Bytes `json:"leaf_hash"`
			Index, Size number
			Proof       []vectors.Bytes
			Root        vectors.Bytes
			Fault       string
		}
		Consistency []struct {
			Name    string
			OldSize number        `json:"old_size"`
			OldRoot vectors.Bytes `json:"old_root"`
			Size    number
			Root    vectors.Bytes
			Proof   []vectors.Bytes
			Fault   string
		}
	}
	vectors.Load(t, "merkle.json", &file)
	if EmptyRoot() != Hash(file.EmptyRoot) {
		t.Error("empty root")
	}
	var leaves []Hash
	for _, leaf := range file.Leaves {
		leaves = append(leaves, LeafHash(leaf.Data))
		if leaves[len(leaves)-1] != Hash(leaf.Hash) {
			t.Errorf("leaf %x", leaf.Data)
		}
	}
	for _, node := range file.Nodes {
		if NodeHash(Hash(node.Left), Hash(node.Right)) != Hash(node.Hash) {
			t.Errorf("node %x", node.Hash)
		}
	}
	for _, root := range file.Roots {
		if Root(leaves[:root.Size]) != Hash(root.Root) {
			t.Errorf("root of %d", root.Size)
		}
	}
	for _, one := range file.Inclusion {
		hashes, err := HashesOf(append(all(one.Proof), one.Leaf, one.Root))
		if err == nil {
			rest := hashes[len(one.Proof):]
			err = VerifyInclusion(rest[0], int64(one.Index), int64(one.Size), hashes[:len(one.Proof)], rest[1])
		}
		if got := verdict(t, err); got != one.Fault {
			t.Errorf("inclusion, %s: got %q; want %q", one.Name, got, one.Fault)
		}
	}
	for _, one := range file.Consistency {
		hashes, err := HashesOf(append(all(one.Proof), one.OldRoot, one.Root))
		if err == nil {
			rest := hashes[len(one.Proof):]
			err = VerifyConsistency(int64(one.OldSize), rest[0], int64(one.Size), rest[1], hashes[:len(one.Proof)])
		}
		if got := verdict(t, err); got != one.Fault {
			t.Errorf("consistency, %s: got %q; want %q", one.Name, got, one.Fault)
		}
	}
	if len(file.Inclusion) == 0 || len(file.Consistency) == 0 || len(file.Roots) == 0 {
		t.Error("no vectors")
	}
}

func TestProofsThatAreMadeHereHoldAndNoOthers(t *testing.T) {
	var leaves []Hash
	for size := 1; size <= 20; size++ {
		leaves = append(leaves, LeafHash([]byte{byte(size)}))
		root := Root(leaves)
		for index := range leaves {
			proof := InclusionProof(leaves, index)
			if err := VerifyInclusion(leaves[index], int64(index), int64(size), proof, root); err != nil {
				t.Error(err)
			}
			if len(proof) > 0 {
				proof[len(proof)/2][0] ^= 1
				if VerifyInclusion(leaves[index], int64(index), int64(size), proof, root) == nil {
					t.Errorf("leaf %d of %d: a changed proof holds", index, size)
				}
			}
		}
	}
}

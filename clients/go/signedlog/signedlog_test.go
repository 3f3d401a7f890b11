package signedlog

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"irish.example/referee/internal/vectors"
	"irish.example/referee/merkle"
)

func faultOf(err error) string {
	var format *FormatError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &format):
		return "FORMAT"
	case errors.Is(err, ErrSignature):
		return "SIGNATURE"
	case errors.Is(err, ErrUntrusted):
		return "UNTRUSTED"
	}
	return err.Error()
}

func TestVectors(t *testing.T) {
	var file struct {
		Keys []struct {
			Text, Name string
			Type       byte
			Public     vectors.Bytes
			KeyID      vectors.Bytes `json:"key_id"`
		}
		BadKeys []struct{ Name, Text string } `json:"bad_keys"`
		Trusted struct {
			Origin      string
			LogKeys     []string `json:"log_keys"`
			WitnessKeys []string `json:"witness_keys"`
		}
		Notes []struct {
			Name            string
			Note            vectors.Bytes
			Fault           string
			FaultByLogAlone string `json:"fault_by_log_alone"`
			Size            string
			Root            vectors.Bytes
			Witnesses       []string
		}
	}
	vectors.Load(t, "checkpoints.json", &file)
	for _, one := range file.Keys {
		key, err := ParseVerifierKey(one.Text)
		if err != nil {
			t.Errorf("%s: %v", one.Text, err)
			continue
		}
		id := key.ID()
		if key.Name != one.Name || byte(key.Kind) != one.Type || !slices.Equal(key.Public, ed25519.PublicKey(one.Public)) ||
			!slices.Equal(id[:], one.KeyID) || key.String() != one.Text {
			t.Errorf("%s is read as %v", one.Text, key)
		}
	}
	for _, one := range file.BadKeys {
		if key, err := ParseVerifierKey(one.Text); err == nil {
			t.Errorf("%s: read as %v", one.Name, key)
		}
	}
	logAlone, err := ParseKeys(strings.Join(file.Trusted.LogKeys, "\n"))
	if err != nil || logAlone.Origin != file.Trusted.Origin {
		t.Fatal(logAlone, err)
	}
	everybody, err := ParseKeys(strings.Join(append(file.Trusted.LogKeys, file.Trusted.WitnessKeys...), "\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range file.Notes {
		verified, err := VerifyCheckpoint(one.Note, everybody, 1_800_000_000, 0)
		if got := faultOf(err); got != one.Fault {
			t.Errorf("%s: got %q; want %q", one.Name, got, one.Fault)
		}
		if err == nil {
			if strconv.FormatInt(verified.Size, 10) != one.Size || !slices.Equal(verified.Root[:], one.Root) ||
				!slices.Equal(verified.Witnesses(), one.Witnesses) {
				t.Errorf("%s: read as %v", one.Name, verified)
			}
			quorum := len(one.Witnesses)
			if _, err := VerifyCheckpoint(one.Note, everybody, 0, quorum); err != nil {
				t.Errorf("%s: %v", one.Name, err)
			}
			if _, err := VerifyCheckpoint(one.Note, everybody, 0, quorum+1); !errors.Is(err, ErrQuorum) {
				t.Errorf("%s: %v", one.Name, err)
			}
		}
		_, err = VerifyCheckpoint(one.Note, logAlone, 1_800_000_000, 0)
		if got := faultOf(err); got != one.FaultByLogAlone {
			t.Errorf("%s, by the log's keys alone: got %q; want %q", one.Name, got, one.FaultByLogAlone)
		}
	}
	if len(file.Keys) == 0 || len(file.BadKeys) == 0 || len(file.Notes) == 0 {
		t.Error("no vectors")
	}
}

// signer is a secret key.
type signer struct {
	private ed25519.PrivateKey
	key     VerifierKey
}

func newSigner(name string, kind Kind, seed byte) signer {
	private := ed25519.NewKeyFromSeed([]byte(strings.Repeat(string(rune('a'+seed)), ed25519.SeedSize)))
	return signer{private, VerifierKey{name, kind, private.Public().(ed25519.PublicKey)}}
}

func (s signer) line(text string, seconds uint64) string {
	id := s.key.ID()
	raw := id[:]
	if s.key.Kind == CosignatureKind {
		raw = binary.BigEndian.AppendUint64(raw, seconds)
		raw = append(raw, ed25519.Sign(s.private, fmt.Appendf(nil, "cosignature/v1\ntime %d\n%s", seconds, text))...)
	} else {
		raw = append(raw, ed25519.Sign(s.private, []byte(text))...)
	}
	return fmt.Sprintf("— %s %s\n", s.key.Name, base64.StdEncoding.EncodeToString(raw))
}

func text(size int64, root merkle.Hash) string {
	return fmt.Sprintf("a.log\n%d\n%s\n", size, base64.StdEncoding.EncodeToString(root[:]))
}

func TestKeysAreBelievedWithinTheirBoundsOnly(t *testing.T) {
	log, witness := newSigner("a.log", NoteKind, 1), newSigner("a.witness", CosignatureKind, 2)
	head := text(7, merkle.LeafHash(nil))
	note := []byte(head + "\n" + log.line(head, 0) + witness.line(head, 500))
	for bounds, want := range map[string]struct {
		fault     error
		witnesses int
	}{
		"":                                 {nil, 1},
		" from_size 7 until_size 8":        {nil, 1},
		" until_size 7":                    {ErrKeyValidity, 0},
		" from_size 8":                     {ErrKeyValidity, 0},
		" from_unix_s 1000":                {nil, 1},
		" from_unix_s 1001":                {ErrKeyValidity, 0},
		" until_unix_s 1000":               {ErrKeyValidity, 0},
		"\nother.log+":                     {nil, -1},
		" until_size 0":                    {nil, -1},
		" from_size 5 until_size 5":        {nil, -1},
		" from_size":                       {nil, -1},
		" from_size 1 from_size 2":         {nil, -1},
		" since 3":                         {nil, -1},
		" from_size -3":                    {nil, -1},
		"\n" + log.key.String():            {nil, -1},
		"\n" + newKey(t, "b.log").String(): {nil, -1},
		" # no comment behind a key":       {nil, -1},
		"\n# a comment\n\n":                {nil, 1},
	} {
		list := log.key.String() + bounds + "\n" + witness.key.String() + "\n"
		ring, err := ParseKeys(list)
		if want.witnesses < 0 {
			if err == nil {
				t.Errorf("%q is read as a list of keys", list)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		verified, err := VerifyCheckpoint(note, ring, 1000, 0)
		if !errors.Is(err, want.fault) || (want.fault == nil && err != nil) {
			t.Errorf("%q: got %v; want %v", bounds, err, want.fault)
		}
		if err == nil && len(verified.Witnesses()) != want.witnesses {
			t.Errorf("%q: witnesses %v", bounds, verified.Witnesses())
		}
	}
	ring, err := ParseKeys(log.key.String() + "\n" + witness.key.String() + " from_unix_s 501\n")
	if err != nil {
		t.Fatal(err)
	}
	if verified, err := VerifyCheckpoint(note, ring, 1000, 0); err != nil || len(verified.Witnesses()) != 0 {
		t.Errorf("a cosignature is judged at the time that it tells: %v %v", verified, err)
	}
}

func newKey(t *testing.T, name string) VerifierKey {
	t.Helper()
	return newSigner(name, NoteKind, 9).key
}

func TestAHeadThatDoesNotGoOnFromTheKnownOneIsAFork(t *testing.T) {
	leaves := make([]merkle.Hash, 8)
	for at := range leaves {
		leaves[at] = merkle.LeafHash([]byte{byte(at)})
	}
	known := Checkpoint{Origin: "a.log", Size: 4, Root: merkle.Root(leaves[:4])}
	newer := Checkpoint{Origin: "a.log", Size: 8, Root: merkle.Root(leaves)}
	proof := []merkle.Hash{merkle.Root(leaves[4:])}
	if err := CheckGrowth(known, newer, proof); err != nil {
		t.Error(err)
	}
	other, smaller, changed := newer, known, newer
	other.Origin, smaller.Size, changed.Root = "b.log", 3, merkle.LeafHash(nil)
	for _, head := range []Checkpoint{other, smaller, changed} {
		if err := CheckGrowth(known, head, proof); !errors.Is(err, ErrFork) {
			t.Errorf("%v: %v", head, err)
		}
	}
	if err := VerifyPiece([]byte{5}, 5, merkle.InclusionProof(leaves, 5), newer); err != nil {
		t.Error(err)
	}
	if VerifyPiece([]byte{6}, 5, merkle.InclusionProof(leaves, 5), newer) == nil {
		t.Error("another piece is proven")
	}
}

func TestALargeOrLongNoteIsRefused(t *testing.T) {
	if _, err := ParseNote(make([]byte, maxNoteBytes+1)); err == nil {
		t.Error("a note that is too large")
	}
	log := newSigner("a.log", NoteKind, 1)
	head := text(1, merkle.LeafHash(nil))
	if _, err := ParseNote([]byte(head + "\n" + strings.Repeat(log.line(head, 0), maxSignatures+1))); err == nil {
		t.Error("a note of too many signatures")
	}
}

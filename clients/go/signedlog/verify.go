package signedlog

import (
	"crypto/ed25519"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"irish.example/referee/merkle"
)

// Why a checkpoint that can be read is not believed; errors.Is tells them apart.
var (
	// ErrSignature says that the signature of a known key does not fit the text, which spoils the whole note.
	ErrSignature = errors.New("a signature does not fit")
	// ErrUntrusted says that the checkpoint is another log's, or that none of the log's keys has signed it.
	ErrUntrusted = errors.New("not signed by the log")
	// ErrKeyValidity says that only keys of the log have signed that were not valid.
	ErrKeyValidity = errors.New("signed outside the key's validity")
	// ErrQuorum says that too few known witnesses have cosigned.
	ErrQuorum = errors.New("too few witnesses")
	// ErrFork says that a head does not go on from one that is known: the log shows two histories.
	ErrFork = errors.New("the log does not go on from what is known")
)

// Signed is a verified signature of a known key.
type Signed struct {
	Key VerifierKey
	// HasTime says whether the signature tells when it was made; TimeUnixS is that moment in seconds.
	HasTime   bool
	TimeUnixS int64
	// Valid says whether the key was valid then, and for this size.
	Valid bool
}

// Verified is a checkpoint that a valid key of its log has signed.
type Verified struct {
	Checkpoint
	ByLog       []Signed
	ByWitnesses []Signed
	// Unknown names those whose keys the verifier does not know: their signatures say nothing.
	Unknown []string
}

// Witnesses returns the names of the witnesses whose valid keys have cosigned, each once, sorted.
func (v *Verified) Witnesses() []string {
	var names []string
	for _, signed := range v.ByWitnesses {
		if signed.Valid {
			names = append(names, signed.Key.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// VerifyCheckpoint verifies a signed checkpoint of the ring's log. atUnixS is when it was made as far as the verifier
// knows, or now; a cosignature is judged at the time that it tells. quorum is how many different witnesses must have
// cosigned. It does not check that the head fits earlier ones: CheckGrowth does.
func VerifyCheckpoint(data []byte, ring *KeyRing, atUnixS int64, quorum int) (*Verified, error) {
	note, err := ParseNote(data)
	if err != nil {
		return nil, err
	}
	checkpoint, err := ParseCheckpoint(note.Text)
	if err != nil {
		return nil, err
	}
	if checkpoint.Origin != ring.Origin {
		return nil, fmt.Errorf("%w: a checkpoint of log %q, not %q", ErrUntrusted, checkpoint.Origin, ring.Origin)
	}
	verified := &Verified{Checkpoint: *checkpoint}
	for _, signature := range note.Signatures {
		if err := verified.add(note.Text, signature, ring, atUnixS); err != nil {
			return nil, err
		}
	}
	if len(verified.ByLog) == 0 {
		return nil, fmt.Errorf("%w: not by any known key of %s", ErrUntrusted, ring.Origin)
	}
	if !slices.ContainsFunc(verified.ByLog, func(signed Signed) bool { return signed.Valid }) {
		return nil, fmt.Errorf("%w: size %d of %s", ErrKeyValidity, checkpoint.Size, ring.Origin)
	}
	if witnesses := len(verified.Witnesses()); witnesses < quorum {
		return nil, fmt.Errorf("%w: %d known ones have cosigned; expected %d", ErrQuorum, witnesses, quorum)
	}
	return verified, nil
}

func (v *Verified) add(text string, signature Signature, ring *KeyRing, atUnixS int64) error {
	isBy := func(trusted TrustedKey) bool {
		return trusted.Key.Name == signature.Name && trusted.Key.ID() == signature.KeyID
	}
	for _, group := range []struct {
		keys []TrustedKey
		into *[]Signed
	}{{ring.Log, &v.ByLog}, {ring.Witnesses, &v.ByWitnesses}} {
		at := slices.IndexFunc(group.keys, isBy)
		if at < 0 {
			continue
		}
		trusted := group.keys[at]
		signed, err := verify(text, signature, trusted.Key)
		if err != nil {
			return err
		}
		judgedAt := atUnixS
		if signed.HasTime {
			judgedAt = signed.TimeUnixS
		}
		signed.Valid = trusted.covers(judgedAt, v.Size)
		*group.into = append(*group.into, signed)
		return nil
	}
	v.Unknown = append(v.Unknown, signature.Name)
	return nil
}

func verify(text string, signature Signature, key VerifierKey) (Signed, error) {
	signed, raw, message := Signed{Key: key}, signature.Bytes, text
	if key.Kind == CosignatureKind {
		if len(raw) != 8+ed25519.SignatureSize {
			return Signed{}, fmt.Errorf("%w: %s: a cosignature of %d bytes", ErrSignature, key.Name, len(raw))
		}
		seconds := binary.BigEndian.Uint64(raw)
		if seconds > math.MaxInt64 {
			return Signed{}, fmt.Errorf("%w: %s: time %d is out of range", ErrSignature, key.Name, seconds)
		}
		signed.HasTime, signed.TimeUnixS = true, int64(seconds)
		raw, message = raw[8:], fmt.Sprintf("cosignature/v1\ntime %d\n%s", seconds, text)
	}
	if len(raw) != ed25519.SignatureSize || !ed25519.Verify(key.Public, []byte(message), raw) {
		return Signed{}, fmt.Errorf("%w: %s (key %x)", ErrSignature, key.Name, key.ID())
	}
	return signed, nil
}

// CheckGrowth checks that a new head's log begins with the known head's records, by a proof of consistency. An error is
// ErrFork: a head of another log, a smaller one (which may only be late), another root, or a proof that shows nothing.
func CheckGrowth(known, newer Checkpoint, proof []merkle.Hash) error {
	if newer.Origin != known.Origin {
		return fmt.Errorf("%w: a head of log %q, not %q", ErrFork, newer.Origin, known.Origin)
	}
	if newer.Size < known.Size {
		return fmt.Errorf("%w: a head of %d records; %d are known", ErrFork, newer.Size, known.Size)
	}
	if err := merkle.VerifyConsistency(known.Size, known.Root, newer.Size, newer.Root, proof); err != nil {
		return fmt.Errorf("%w: %v", ErrFork, err)
	}
	return nil
}

// VerifyPiece checks that a sealed piece of a table's record, by the bytes of its Seal, is number index of the log with
// this head. The error is a *merkle.ShapeError or a *merkle.MismatchError.
func VerifyPiece(seal []byte, index int64, proof []merkle.Hash, head Checkpoint) error {
	return merkle.VerifyInclusion(merkle.LeafHash(seal), index, head.Size, proof, head.Root)
}

package signedlog

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is what a signature says.
type Kind byte

const (
	// NoteKind is Ed25519 over a note's text: this is the log's head.
	NoteKind Kind = 0x01
	// CosignatureKind is Ed25519 over the text and the time of signing: the largest head seen by then, which fits all
	// those before.
	CosignatureKind Kind = 0x04

	maxNameLetters = 255
	maxKeys        = 1024
)

// KeyError says what is wrong with a key, or with a list of keys.
type KeyError struct{ Message string }

func (e *KeyError) Error() string { return e.Message }

func badKey(format string, values ...any) error { return &KeyError{fmt.Sprintf(format, values...)} }

// VerifierKey is a public key under a name.
type VerifierKey struct {
	Name   string
	Kind   Kind
	Public ed25519.PublicKey
}

// ID returns the four bytes that tell keys of one name apart. They are too few to identify a key.
func (k VerifierKey) ID() [keyIDBytes]byte {
	sum := sha256.Sum256(slices.Concat([]byte(k.Name), []byte{'\n', byte(k.Kind)}, k.Public))
	return [keyIDBytes]byte(sum[:keyIDBytes])
}

// String writes the key as ParseVerifierKey reads it: name, id and key, parted by plus signs.
func (k VerifierKey) String() string {
	encoded := base64.StdEncoding.EncodeToString(append([]byte{byte(k.Kind)}, k.Public...))
	return fmt.Sprintf("%s+%x+%s", k.Name, k.ID(), encoded)
}

// ParseVerifierKey reads a key; the error is a *KeyError.
func ParseVerifierKey(text string) (VerifierKey, error) {
	parts := strings.SplitN(text, "+", 3)
	if len(parts) != 3 {
		return VerifierKey{}, badKey("%q is not a key; expected name+id+key", text)
	}
	raw, err := decodeBase64(parts[2])
	if err != nil {
		return VerifierKey{}, badKey("key %q: %v", parts[0], err)
	}
	if len(raw) != 1+ed25519.PublicKeySize {
		return VerifierKey{}, badKey("key %q: %d bytes; expected a type and %d", parts[0], len(raw), ed25519.PublicKeySize)
	}
	key := VerifierKey{parts[0], Kind(raw[0]), raw[1:]}
	if key.Kind != NoteKind && key.Kind != CosignatureKind {
		return VerifierKey{}, badKey("key %q: signature type %d is not known", parts[0], raw[0])
	}
	if fault := nameFault(key.Name); fault != "" {
		return VerifierKey{}, badKey("%s", fault)
	}
	if id := key.ID(); hex.EncodeToString(id[:]) != parts[1] {
		return VerifierKey{}, badKey("key %q: its id is %x, not %s", parts[0], id, parts[1])
	}
	return key, nil
}

func nameFault(name string) string {
	if letters := utf8.RuneCountInString(name); letters < 1 || letters > maxNameLetters {
		return fmt.Sprintf("a key's name of %d letters; expected 1 to %d", letters, maxNameLetters)
	}
	bad := func(letter rune) bool { return unicode.IsSpace(letter) || letter == '+' || letter < ' ' }
	if strings.ContainsFunc(name, bad) {
		return fmt.Sprintf("%q is not a key's name: spaces, plus signs and control characters are not allowed", name)
	}
	return ""
}

// TrustedKey is a key, and when it is valid: from a time up to another (seconds), from a size of the log up to another.
// The ends are outside; 0 means no end.
type TrustedKey struct {
	Key        VerifierKey
	FromUnixS  int64
	UntilUnixS int64
	FromSize   int64
	UntilSize  int64
}

func (t TrustedKey) covers(unixS, size int64) bool {
	return t.FromUnixS <= unixS && (t.UntilUnixS == 0 || unixS < t.UntilUnixS) &&
		t.FromSize <= size && (t.UntilSize == 0 || size < t.UntilSize)
}

// KeyRing is the keys that a verifier was given for one log: its own, which bear its name, and its witnesses'.
type KeyRing struct {
	Origin    string
	Log       []TrustedKey
	Witnesses []TrustedKey
}

// ParseKeys reads a list of keys as the server writes it to log.keys: one key a line, followed by its bounds, comments
// after #. Keys that sign plainly are the log's own, keys that cosign are witnesses'. The error is a *KeyError.
func ParseKeys(text string) (*KeyRing, error) {
	ring := &KeyRing{}
	seen := map[string]bool{}
	for at, line := range strings.Split(text, "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		trusted, err := parseTrusted(words)
		if err != nil {
			return nil, badKey("line %d: %v", at+1, err)
		}
		if name := trusted.Key.String(); seen[name] {
			return nil, badKey("line %d: key %s is there twice", at+1, name)
		} else if seen[name] = true; len(seen) > maxKeys {
			return nil, badKey("line %d: more than %d keys", at+1, maxKeys)
		}
		if trusted.Key.Kind == NoteKind {
			ring.Log = append(ring.Log, trusted)
		} else {
			ring.Witnesses = append(ring.Witnesses, trusted)
		}
	}
	if len(ring.Log) == 0 {
		return nil, badKey("no key of a log")
	}
	ring.Origin = ring.Log[0].Key.Name
	for _, trusted := range ring.Log {
		if trusted.Key.Name != ring.Origin {
			return nil, badKey("key %s does not bear the name of log %s", trusted.Key.Name, ring.Origin)
		}
	}
	return ring, nil
}

func parseTrusted(words []string) (TrustedKey, error) {
	key, err := ParseVerifierKey(words[0])
	if err != nil {
		return TrustedKey{}, err
	}
	trusted := TrustedKey{Key: key}
	bounds := map[string]*int64{
		"from_unix_s": &trusted.FromUnixS, "until_unix_s": &trusted.UntilUnixS,
		"from_size": &trusted.FromSize, "until_size": &trusted.UntilSize,
	}
	if len(words)%2 == 0 {
		return TrustedKey{}, badKey("%q has no value", words[len(words)-1])
	}
	for at := 1; at < len(words); at += 2 {
		bound := bounds[words[at]]
		if bound == nil {
			return TrustedKey{}, badKey("%q is not a bound's name, or is there twice", words[at])
		}
		delete(bounds, words[at])
		value, err := strconv.ParseUint(words[at+1], 10, 63)
		if err != nil {
			return TrustedKey{}, badKey("%s %q is not a number", words[at], words[at+1])
		}
		*bound = int64(value)
		if strings.HasPrefix(words[at], "until") && value == 0 {
			return TrustedKey{}, badKey("%s 0: the key is never valid", words[at])
		}
	}
	return trusted, emptyRange(trusted)
}

func emptyRange(trusted TrustedKey) error {
	ends := func(until int64) int64 {
		if until == 0 {
			return math.MaxInt64
		}
		return until
	}
	if ends(trusted.UntilUnixS) <= trusted.FromUnixS || ends(trusted.UntilSize) <= trusted.FromSize {
		return badKey("key %s is never valid", trusted.Key.Name)
	}
	return nil
}

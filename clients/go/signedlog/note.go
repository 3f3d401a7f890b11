// Package signedlog reads and verifies what the referee's signed log shows: checkpoints (C2SP signed-note, tlog-checkpoint
// and tlog-cosignature, Ed25519), the keys that are believed, and proofs that a piece of a record is in the log or that a
// later head goes on from an earlier one (docs/signed-log.md).
package signedlog

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"irish.example/referee/merkle"
)

const (
	maxNoteBytes  = 256 * 1024
	maxSignatures = 64
	keyIDBytes    = 4
	start         = "— "
)

// FormatError says where a note or checkpoint cannot be read: each has one spelling, and any other is refused.
type FormatError struct {
	Line    int
	Message string
}

func (e *FormatError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Message) }

func unreadable(line int, format string, values ...any) error {
	return &FormatError{line, fmt.Sprintf(format, values...)}
}

// Signature is one line of a note: who says that he signed, the id of his key, and the signature. Nothing is verified.
type Signature struct {
	Name  string
	KeyID [keyIDBytes]byte
	Bytes []byte
}

// Note is a text, which ends with a newline, and its signatures. Nothing in it may be believed before they are verified.
type Note struct {
	Text       string
	Signatures []Signature
}

// ParseNote reads a note; the error is a *FormatError.
func ParseNote(data []byte) (*Note, error) {
	text, err := noteText(data)
	if err != nil {
		return nil, err
	}
	if !strings.HasSuffix(text, "\n") {
		return nil, unreadable(strings.Count(text, "\n")+1, "the last line has no end")
	}
	split := strings.LastIndex(text, "\n\n")
	if split < 0 {
		return nil, unreadable(strings.Count(text, "\n")+1, "no empty line between text and signatures")
	}
	note := &Note{Text: text[:split+1]}
	first := strings.Count(text[:split+2], "\n") + 1
	signed := strings.TrimSuffix(text[split+2:], "\n")
	if signed == "" {
		return nil, unreadable(first, "no signature after the last empty line")
	}
	for at, line := range strings.Split(signed, "\n") {
		if at == maxSignatures {
			return nil, unreadable(first+at, "more than %d signatures", maxSignatures)
		}
		signature, err := parseSignature(first+at, line)
		if err != nil {
			return nil, err
		}
		note.Signatures = append(note.Signatures, signature)
	}
	return note, nil
}

func noteText(data []byte) (string, error) {
	if len(data) > maxNoteBytes {
		return "", unreadable(1, "a note of %d bytes; expected at most %d", len(data), maxNoteBytes)
	}
	for at := 0; at < len(data); {
		letter, size := utf8.DecodeRune(data[at:])
		if letter == utf8.RuneError && size == 1 {
			return "", unreadable(bytes.Count(data[:at], []byte("\n"))+1, "not UTF-8")
		}
		if letter < ' ' && letter != '\n' {
			return "", unreadable(bytes.Count(data[:at], []byte("\n"))+1, "control character %q", letter)
		}
		at += size
	}
	return string(data), nil
}

func parseSignature(number int, line string) (Signature, error) {
	rest, isOne := strings.CutPrefix(line, start)
	if !isOne {
		return Signature{}, unreadable(number, "a signature begins with an em dash and a space")
	}
	name, encoded, isWhole := strings.Cut(rest, " ")
	if !isWhole {
		return Signature{}, unreadable(number, "expected a key's name, a space, and a signature")
	}
	if fault := nameFault(name); fault != "" {
		return Signature{}, unreadable(number, "%s", fault)
	}
	raw, err := decodeBase64(encoded)
	if err != nil {
		return Signature{}, unreadable(number, "%v", err)
	}
	if len(raw) <= keyIDBytes {
		return Signature{}, unreadable(number, "%d bytes are too few for a key's id and a signature", len(raw))
	}
	return Signature{name, [keyIDBytes]byte(raw[:keyIDBytes]), raw[keyIDBytes:]}, nil
}

// decodeBase64 reads standard base64 with padding and refuses any other spelling, so that no two texts mean the same.
func decodeBase64(text string) ([]byte, error) {
	raw, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || base64.StdEncoding.EncodeToString(raw) != text {
		return nil, fmt.Errorf("%q is not the usual base64 of any bytes", text)
	}
	return raw, nil
}

// Checkpoint is the head of a log: its name, how many records it has, and the root of the tree over them.
type Checkpoint struct {
	Origin string
	Size   int64
	Root   merkle.Hash
	// Extensions are further lines, of which nothing is known.
	Extensions []string
}

// ParseCheckpoint reads a note's text as a checkpoint; the error is a *FormatError.
func ParseCheckpoint(text string) (*Checkpoint, error) {
	lines := strings.Split(text, "\n")
	if lines[len(lines)-1] != "" {
		return nil, unreadable(len(lines), "the last line has no end")
	}
	lines = lines[:len(lines)-1]
	if len(lines) < 3 {
		return nil, unreadable(len(lines)+1, "%d lines; expected a log's name, a size and a root", len(lines))
	}
	for at, line := range lines {
		if line == "" || strings.ContainsFunc(line, func(letter rune) bool { return letter < ' ' }) {
			return nil, unreadable(at+1, "%q is no line of a checkpoint", line)
		}
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil || size < 0 || strconv.FormatInt(size, 10) != lines[1] {
		return nil, unreadable(2, "%q is not a size: digits without a leading zero", lines[1])
	}
	raw, err := decodeBase64(lines[2])
	if err != nil {
		return nil, unreadable(3, "%v", err)
	}
	root, err := merkle.HashOf(raw)
	if err != nil {
		return nil, unreadable(3, "%v", err)
	}
	if size == 0 && root != merkle.EmptyRoot() {
		return nil, unreadable(3, "a log without records has another root")
	}
	return &Checkpoint{lines[0], size, root, lines[3:]}, nil
}

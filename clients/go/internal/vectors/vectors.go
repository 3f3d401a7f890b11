// Package vectors reads the test vectors that clients of every language share: clients/vectors.
package vectors

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// Load reads a file of vectors; a test fails where it is missing.
func Load(t *testing.T, name string, into any) {
	t.Helper()
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		text, err := os.ReadFile(filepath.Join(folder, "vectors", name))
		if err == nil {
			if err := json.Unmarshal(text, into); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return
		}
		above := filepath.Dir(folder)
		if above == folder {
			t.Fatalf("clients/vectors/%s is missing", name)
		}
		folder = above
	}
}

// Bytes are bytes written in hexadecimal.
type Bytes []byte

// UnmarshalText reads them.
func (b *Bytes) UnmarshalText(text []byte) error {
	raw, err := hex.DecodeString(string(text))
	*b = raw
	return err
}

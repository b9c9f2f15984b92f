package stream

import (
	"crypto/rand"
	"encoding/hex"
)

// nonce is a random name.
func nonce() string {
	b := make([]byte, 8)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// The keys of results: the first of a unit, and one that came later from a worker.
func firstKey(unit string) string          { return "first." + unit }
func secondKey(unit, worker string) string { return "later." + unit + "." + worker }

package experiment

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"

	"metalab/solvers"
	"metalab/solvers/record"
)

// A Key identifies a unit by all that decides its result, and by the requested schedule parameters,
// which decide its time: the SHA-256 of the JSON object with its solver, variant, revision,
// backend, params, instance (its SHA-256), budget, schedule (if one was requested) and seed, in
// this order.
type Key [sha256.Size]byte

// String returns the key in 64 hexadecimal digits.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// ParseKey parses the output of String.
func ParseKey(s string) (k Key, err error) {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != len(k) {
		return k, fmt.Errorf("experiment: key is %q, want %d hexadecimal digits", s, 2*len(k))
	}
	copy(k[:], b)
	return k, nil
}

// A Unit is one run of an experiment.
type Unit struct {
	Number int    // in its experiment, from 1
	Key    Key    // see there
	Label  string // in tables: setting and varied parameters

	Solver   string
	Variant  string
	Revision int // of the variant's algorithm
	Backend  string
	Params   record.Values // all that bear on the result, resolved
	Instance record.InstanceRef
	Seed     uint64
	Budget   record.Budget
	Schedule record.Values // requested schedule parameters

	// The following fields are no part of the key.

	Preset string
	Varied record.Values // the choice of the varied parameters
	Device int           // the number of the GPU; 0: any
}

// keyHead is the text that is hashed for a key, up to the seed.
type keyHead []byte

// head is the part of the key that units have in common which differ in the seed only.
func (u *Unit) head() (keyHead, error) {
	b, err := json.Marshal(struct {
		Solver   string        `json:"solver"`
		Variant  string        `json:"variant"`
		Revision int           `json:"revision"`
		Backend  string        `json:"backend"`
		Params   record.Values `json:"params"`
		Instance string        `json:"instance"`
		Budget   record.Budget `json:"budget"`
		Schedule record.Values `json:"schedule,omitempty"`
	}{
		u.Solver, u.Variant, u.Revision, u.Backend, u.Params, u.Instance.SHA256, u.Budget, u.Schedule,
	})
	if err != nil {
		return nil, fmt.Errorf("key of %s: %w", u.Label, err)
	}
	return append(b[:len(b)-1], `,"seed":`...), nil
}

// key is the key of the unit with a seed.
func (h keyHead) key(seed uint64) Key {
	b := append(h[:len(h):len(h)], strconv.FormatUint(seed, 10)...)
	return sha256.Sum256(append(b, '}'))
}

// MakeKey computes the unit's key.
func (u *Unit) MakeKey() (Key, error) {
	h, err := u.head()
	if err != nil {
		return Key{}, fmt.Errorf("experiment: %w", err)
	}
	return h.key(u.Seed), nil
}

// Where returns the name or path by which a Loader finds the unit's instance.
func (u *Unit) Where() string {
	if u.Instance.Path != "" {
		return u.Instance.Path
	}
	return u.Instance.Name
}

// Config returns the configuration that opens the unit as a run. The caller fills in the instance.
func (u *Unit) Config() solvers.Config {
	params := record.Values{}
	for n, v := range u.Params {
		params[n] = v
	}
	for n, v := range u.Schedule {
		params[n] = v
	}
	var devices []int
	if u.Backend != "cpu" {
		devices = []int{u.Device}
	}
	return solvers.Config{
		Solver: u.Solver, Variant: u.Variant, Backend: u.Backend, Path: u.Instance.Path,
		Seed: u.Seed, Preset: u.Preset, Params: params, Devices: devices,
	}
}

// pathOf returns the instance's name if it is a path, and nothing for a published name.
func pathOf(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return ""
}

package stream

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"unicode"
	"unicode/utf8"

	"metalab/solvers/experiment"
	"metalab/solvers/record"
)

// format is the version of all messages. A message of another one is refused.
const format = 1

// Greatest sizes of messages in bytes, and of what is in them.
const (
	maxMessage   = 512 << 10
	maxWord      = 300
	maxParams    = 1000
	maxVariants  = 4096
	maxDropped   = 4096
	maxSlots     = 1 << 16
	maxOutcome   = 64 << 20 // and outcomeEach for each place of the solution
	outcomeEach  = 64
	maxInstance  = 2 << 30
	maxErrorText = 64 << 10
)

// name matches the names of workers and users.
var name = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// read reads a message: one JSON object without fields that it does not have.
func read(data []byte, most int, to any) error {
	if len(data) > most {
		return fmt.Errorf("stream: a message has %d bytes, want at most %d", len(data), most)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return fmt.Errorf("stream: %T: %w", to, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("stream: %T: there is more than one object", to)
	}
	return nil
}

// isFormat refuses messages of other versions.
func isFormat(v int) error {
	if v != format {
		return fmt.Errorf("stream: a message is of format %d, want %d: both sides must be of one "+
			"version of metalab", v, format)
	}
	return nil
}

// isText refuses what is no short printable text.
func isText(what, s string, most int) error {
	if len(s) > most || !utf8.ValidString(s) {
		return fmt.Errorf("stream: %s is %.40q…, want UTF-8 of at most %d bytes", what, s, most)
	}
	for _, r := range s {
		if !unicode.IsPrint(r) {
			return fmt.Errorf("stream: %s is %.40q, want printable text", what, s)
		}
	}
	return nil
}

// A task is a unit on its way to a worker.
type task struct {
	Format   int                `json:"format"`
	Key      string             `json:"key"` // of the unit, which is computed again by the reader
	Label    string             `json:"label"`
	Solver   string             `json:"solver"`
	Variant  string             `json:"variant"`
	Revision int                `json:"revision"`
	Backend  string             `json:"backend"`
	Params   record.Values      `json:"params"`
	Instance record.InstanceRef `json:"instance"` // without its path
	Seed     uint64             `json:"seed"`
	Budget   record.Budget      `json:"budget"`
	Schedule record.Values      `json:"schedule,omitempty"`
	Preset   string             `json:"preset,omitempty"`
	Device   int                `json:"device,omitempty"`
	Code     string             `json:"code,omitempty"` // the hash of a user's source
}

// writeTask is the message of a unit, with the hash of the source that it needs, if it does.
func writeTask(u *experiment.Unit, code string) ([]byte, error) {
	t := task{
		Format: format, Key: u.Key.String(), Label: u.Label, Solver: u.Solver, Variant: u.Variant,
		Revision: u.Revision, Backend: u.Backend, Params: u.Params, Instance: u.Instance, Seed: u.Seed,
		Budget: u.Budget, Schedule: u.Schedule, Preset: u.Preset, Device: u.Device,
		Code: code,
	}
	t.Instance.Path, t.Instance.Unverified, t.Instance.Own = "", "", nil
	b, err := json.Marshal(&t)
	if err != nil {
		return nil, fmt.Errorf("stream: unit %d: %w", u.Number, err)
	}
	if len(b) > maxMessage {
		return nil, fmt.Errorf("stream: unit %d is a message of %d bytes, want at most %d", u.Number,
			len(b), maxMessage)
	}
	return b, nil
}

// readTask reads the message of a unit and the hash of its source, and checks the key against the
// contents.
func readTask(data []byte) (u experiment.Unit, code string, err error) {
	var t task
	if err := read(data, maxMessage, &t); err != nil {
		return u, "", err
	}
	if err := isFormat(t.Format); err != nil {
		return u, "", err
	}
	if u, err = t.unit(); err == nil {
		err = isCode(&u, t.Code)
	}
	return u, t.Code, err
}

// unit is the unit of a message.
func (t *task) unit() (u experiment.Unit, err error) {
	for what, s := range map[string]string{
		"solver": t.Solver, "variant": t.Variant, "backend": t.Backend, "preset": t.Preset,
		"instance": t.Instance.Name, "kind": t.Instance.Kind,
	} {
		err = errors.Join(err, isText(what, s, maxWord))
	}
	err = errors.Join(err, isText("label", t.Label, maxMessage))
	switch {
	case err != nil:
		return u, err
	case t.Instance.Path != "":
		return u, fmt.Errorf("stream: a unit names the path %.100q: instances go by their hash",
			t.Instance.Path)
	case len(t.Params) > maxParams || len(t.Schedule) > maxParams:
		return u, fmt.Errorf("stream: a unit has %d parameters, want at most %d",
			max(len(t.Params), len(t.Schedule)), maxParams)
	case t.Device < 0 || t.Device > maxSlots || t.Revision < 0 || t.Instance.Size < 0:
		return u, fmt.Errorf("stream: a unit has device %d, revision %d and size %d, want none below 0",
			t.Device, t.Revision, t.Instance.Size)
	case !hash.MatchString(t.Instance.SHA256):
		return u, fmt.Errorf("stream: the hash of an instance is %.80q, want 64 hexadecimal digits",
			t.Instance.SHA256)
	}
	u = experiment.Unit{
		Label: t.Label, Solver: t.Solver, Variant: t.Variant, Revision: t.Revision, Backend: t.Backend,
		Params: t.Params, Instance: t.Instance, Seed: t.Seed, Budget: t.Budget, Schedule: t.Schedule,
		Preset: t.Preset, Device: t.Device,
	}
	if u.Key, err = u.MakeKey(); err != nil {
		return u, err
	}
	if u.Key.String() != t.Key {
		return u, fmt.Errorf("stream: a unit has the key %.80q, and its content that of %v", t.Key, u.Key)
	}
	return u, nil
}

var hash = regexp.MustCompile(`^[0-9a-f]{64}$`)

// number is a float64 that may be none and infinite, too.
type number float64

// MarshalJSON writes the shortest text that is read back as the same bits; a word where it is no
// number of JSON's.
func (n number) MarshalJSON() ([]byte, error) {
	return json.Marshal(strconv.FormatFloat(float64(n), 'g', -1, 64))
}

// UnmarshalJSON reads what MarshalJSON writes.
func (n *number) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	v, err := strconv.ParseFloat(s, 64)
	*n = number(v)
	return err
}

// An outcome is a result on its way to who asked. It has no times of day: clocks differ.
type outcome struct {
	Format      int             `json:"format"`
	Key         string          `json:"key"` // of the unit
	Worker      string          `json:"worker"`
	Machine     string          `json:"machine"`
	Device      string          `json:"device,omitempty"`
	Best        number          `json:"best"`
	Iterations  int64           `json:"iterations"`
	Evaluations int64           `json:"evaluations"`
	Wall        number          `json:"wall_s"`
	CPU         number          `json:"cpu_s"`
	Digest      uint64          `json:"digest"`
	Why         string          `json:"why,omitempty"`
	Error       string          `json:"error,omitempty"`
	Trace       []step          `json:"trace,omitempty"`
	Solution    record.Solution `json:"solution"`
}

// A step is a row of a trace.
type step struct {
	Iteration   int64  `json:"i"`
	Evaluations int64  `json:"e"`
	Wall        number `json:"w"`
	CPU         number `json:"c"`
	Best        number `json:"b"`
}

// writeOutcome is the message of a result.
func writeOutcome(key experiment.Key, worker string, r *experiment.Result) ([]byte, error) {
	o := outcome{
		Format: format, Key: key.String(), Worker: worker, Machine: r.Machine, Device: r.Device,
		Best: number(r.Best), Iterations: r.Iterations, Evaluations: r.Evaluations,
		Wall: number(r.Wall), CPU: number(r.CPU), Digest: r.Digest, Why: r.Why, Error: r.Error,
		Solution: r.Solution,
	}
	for _, p := range r.Trace {
		o.Trace = append(o.Trace, step{
			p.Iteration, p.Evaluations, number(p.Wall), number(p.CPU), number(p.Best),
		})
	}
	return json.Marshal(&o)
}

// readOutcome reads the message of a result.
func readOutcome(data []byte, most int) (key experiment.Key, worker string, r experiment.Result,
	err error,
) {
	var o outcome
	if err := read(data, most, &o); err != nil {
		return key, "", r, err
	}
	key, err = experiment.ParseKey(o.Key)
	err = errors.Join(err, isFormat(o.Format), isText("machine", o.Machine, maxWord),
		isText("device", o.Device, maxWord), isText("why", o.Why, maxWord))
	switch {
	case err != nil:
		return key, "", r, err
	case !name.MatchString(o.Worker):
		return key, "", r, fmt.Errorf("stream: a worker is called %.80q, want letters, digits, - and _",
			o.Worker)
	case len(o.Error) > maxErrorText || !utf8.ValidString(o.Error):
		return key, "", r, fmt.Errorf("stream: the error of a unit has %d bytes, want UTF-8 of at "+
			"most %d", len(o.Error), maxErrorText)
	case !(o.Wall >= 0) || !(o.CPU >= 0) || math.IsInf(float64(o.Wall+o.CPU), 0):
		return key, "", r, fmt.Errorf("stream: a unit took %v s and %v CPU s, want numbers from 0 on",
			o.Wall, o.CPU)
	case o.Iterations < 0 || o.Evaluations < 0:
		return key, "", r, fmt.Errorf("stream: a unit made %d iterations and %d evaluations",
			o.Iterations, o.Evaluations)
	}
	r = experiment.Result{
		Best: float64(o.Best), Iterations: o.Iterations, Evaluations: o.Evaluations,
		Wall: float64(o.Wall), CPU: float64(o.CPU), Digest: o.Digest, Why: o.Why, Error: o.Error,
		Machine: o.Machine, Device: o.Device, Solution: o.Solution,
		Gap: math.NaN(), Optimum: math.NaN(),
	}
	before := step{}
	for i, p := range o.Trace {
		if p.Iteration < 0 || i > 0 && p.Iteration <= before.Iteration || p.Iteration > o.Iterations ||
			p.Evaluations < 0 {
			return key, "", r, fmt.Errorf("stream: row %d of a trace is of iteration %d, after %d of %d",
				i+1, p.Iteration, before.Iteration, o.Iterations)
		}
		if !(p.Wall >= 0) || !(p.CPU >= 0) || math.IsInf(float64(p.Wall+p.CPU), 0) {
			return key, "", r, fmt.Errorf("stream: row %d of a trace is at %v s and %v CPU s, want numbers "+
				"from 0 on", i+1, p.Wall, p.CPU)
		}
		r.Trace = append(r.Trace, experiment.TracePoint{
			Iteration: p.Iteration, Evaluations: p.Evaluations, Wall: float64(p.Wall),
			CPU: float64(p.CPU), Best: float64(p.Best),
		})
		before = p
	}
	return key, o.Worker, r, nil
}

// sum hashes a result without measured times and places: two results of a unit of a deterministic
// search have the same sum.
func sum(r *experiment.Result) [sha256.Size]byte {
	o := outcome{
		Best: number(r.Best), Iterations: r.Iterations, Evaluations: r.Evaluations, Digest: r.Digest,
		Why: r.Why, Error: r.FirstLine(), Solution: r.Solution,
	}
	for _, p := range r.Trace {
		o.Trace = append(o.Trace, step{
			Iteration: p.Iteration, Evaluations: p.Evaluations, Best: number(p.Best),
		})
	}
	b, err := json.Marshal(&o)
	if err != nil { // of a solution with a number that JSON lacks, which no cost function takes
		b = []byte(err.Error())
	}
	return sha256.Sum256(b)
}

// A made records which worker made a unit, and the hash of the result. It is the value of a key
// that is created once.
type made struct {
	Format int    `json:"format"`
	SHA256 string `json:"sha256"` // of the outcome, which is an object of that name
	Worker string `json:"worker"`
}

func readMade(data []byte) (m made, err error) {
	if err := read(data, 4096, &m); err != nil {
		return m, err
	}
	if !hash.MatchString(m.SHA256) || !name.MatchString(m.Worker) {
		return m, fmt.Errorf("stream: a result is named %.80q by %.80q", m.SHA256, m.Worker)
	}
	return m, isFormat(m.Format)
}

// A Hello is a worker's report about itself.
type Hello struct {
	Format   int      `json:"format"`
	Name     string   `json:"name"`
	Build    string   `json:"build"` // the version of metalab and of Go
	Machine  string   `json:"machine"`
	Cores    int      `json:"cores"` // units on the processor side by side
	GPUs     int      `json:"gpus"`
	Variants []string `json:"variants"` // that it makes, as "acs/seq on cpu, revision 3"

	Made     int64    `json:"made"`
	Failed   int64    `json:"failed"` // of Made
	UpS      float64  `json:"up_s"`   // seconds since it joined
	Memory   uint64   `json:"memory"` // bytes that the process has of the system
	Making   []string `json:"making"` // units under way, in words
	Draining bool     `json:"draining"`
	Why      []string `json:"why,omitempty"` // why there are units that it does not get
}

// readHello reads what a worker says of itself.
func readHello(data []byte) (h Hello, err error) {
	if err := read(data, maxMessage, &h); err != nil {
		return h, err
	}
	err = errors.Join(isFormat(h.Format), isText("build", h.Build, maxWord),
		isText("machine", h.Machine, maxWord))
	for _, list := range [][]string{h.Variants, h.Making, h.Why} {
		if len(list) > maxVariants {
			return h, fmt.Errorf("stream: a worker lists %d things, want at most %d", len(list), maxVariants)
		}
		for _, s := range list {
			err = errors.Join(err, isText("a line of a worker", s, 4*maxWord))
		}
	}
	switch {
	case err != nil:
		return h, err
	case !name.MatchString(h.Name):
		return h, fmt.Errorf("stream: a worker is called %.80q, want letters, digits, - and _", h.Name)
	case h.Cores < 0 || h.Cores > maxSlots || h.GPUs < 0 || h.GPUs > maxSlots:
		return h, fmt.Errorf("stream: worker %s has %d cores and %d GPUs, want 0 to %d", h.Name, h.Cores,
			h.GPUs, maxSlots)
	case h.Made < 0 || h.Failed < 0 || h.Failed > h.Made || !(h.UpS >= 0):
		return h, fmt.Errorf("stream: worker %s made %d units, of which %d failed, in %v s", h.Name,
			h.Made, h.Failed, h.UpS)
	}
	return h, nil
}

// The commands to a worker.
const (
	Drain = "drain" // end when the work in progress is done
	Stop  = "stop"  // end now: what is under way goes back
)

// An order tells a worker to end, or all workers that units are no longer wanted.
type order struct {
	Format int      `json:"format"`
	Do     string   `json:"do,omitempty"`   // Drain or Stop
	Keys   []string `json:"keys,omitempty"` // of units
	Why    string   `json:"why,omitempty"`  // in the place of both: its results are refused
}

func readOrder(data []byte) (o order, err error) {
	if err := read(data, maxMessage, &o); err != nil {
		return o, err
	}
	if o.Do != "" && o.Do != Drain && o.Do != Stop || len(o.Keys) > maxDropped {
		return o, fmt.Errorf("stream: an order is %.40q with %d keys, want %s or %s", o.Do, len(o.Keys),
			Drain, Stop)
	}
	if err := isText("why", o.Why, 4*maxWord); err != nil {
		return o, err
	}
	for _, k := range o.Keys {
		if !hash.MatchString(k) {
			return o, fmt.Errorf("stream: an order names the unit %.80q, want 64 hexadecimal digits", k)
		}
	}
	return o, isFormat(o.Format)
}

// kindOf names the algorithm of a unit in words, and token in a subject.
func kindOf(solver, variant, backend string, revision int) string {
	return fmt.Sprintf("%s/%s on %s, revision %d", solver, variant, cmp.Or(backend, "cpu"), revision)
}

func token(kind string) string { return tokenOf(format, kind) }

// tokenOf returns the token of messages of a format: readers of another format get none of them.
func tokenOf(format int, kind string) string {
	s := sha256.Sum256(fmt.Appendf(nil, "%d %s", format, kind))
	return hex.EncodeToString(s[:12])
}

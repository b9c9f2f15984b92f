package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A Series is a run that was repeated with several seeds: the common setting, and the result of
// each seed. A record holds one series per setting.
type Series struct {
	Params  Values // all but those of class schedule, from iteration 0 on
	Backend string
	Budget  Budget
	Changes []Change // sets that each seed applies at their iterations, as the run did
	Seeds   []Seeded // by seed
}

// A Budget limits each seed of a series: it ends at the first of these limits.
type Budget struct {
	Iterations int64   `json:"n,omitempty"`
	Wall       float64 `json:"wall,omitempty"`  // seconds
	CPU        float64 `json:"cpu,omitempty"`   // seconds
	Until      string  `json:"until,omitempty"` // a condition, as users type it

	// Evaluations counts in the solver's own unit; used by experiments only.
	Evaluations int64 `json:"evaluations,omitempty"`
}

// Timeless reports whether the budget ends at the same iteration on every machine.
func (b Budget) Timeless() bool { return b.Wall == 0 && b.CPU == 0 && b.Until == "" }

// String describes the budget, such as "100 iterations".
func (b Budget) String() string {
	var out []string
	num := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	switch {
	case b.Iterations == 1:
		out = append(out, "1 iteration")
	case b.Iterations > 0:
		out = append(out, fmt.Sprintf("%d iterations", b.Iterations))
	}
	if b.Evaluations > 0 {
		out = append(out, fmt.Sprintf("%d evaluations", b.Evaluations))
	}
	if b.Wall > 0 {
		out = append(out, num(b.Wall)+" s")
	}
	if b.CPU > 0 {
		out = append(out, num(b.CPU)+" CPU s")
	}
	if b.Until != "" {
		out = append(out, "until "+b.Until)
	}
	return strings.Join(out, " or ")
}

// Seeded is the result of one seed of a series.
type Seeded struct {
	Seed   uint64
	Iter   int64   // number of iterations
	Best   float64 // after them
	Digest uint64  // chained, after them
	Why    string  // the condition that ended it; empty: the number of iterations
	Curve  Curve

	Wall float64 // seconds; never compared
	CPU  float64 // seconds; never compared
}

// A Curve is the best so far over time: at some iterations, among them the first and the last. All
// fields have one length.
type Curve struct {
	Iter []int64   `json:"i"`
	Best []float64 `json:"best"`
	Wall []float64 `json:"wall_s"` // never compared
	CPU  []float64 `json:"cpu_s"`  // never compared
}

// Seeds returns the number of results in all series of the record.
func (r *Record) Seeds() int {
	n := 0
	for i := range r.Repeats {
		n += len(r.Repeats[i].Seeds)
	}
	return n
}

// Same reports whether results under both settings belong to one series.
func (s *Series) Same(o *Series) bool {
	return s.Budget == o.Budget && s.Backend == o.Backend && maps.Equal(s.Params, o.Params) &&
		s.SameChanges(o.Changes)
}

// SameChanges reports whether the series applies these changes.
func (s *Series) SameChanges(cs []Change) bool {
	return slices.EqualFunc(s.Changes, cs, func(a, b Change) bool {
		return a.Iter == b.Iter && a.Name == b.Name && a.New == b.New
	})
}

// Has returns the result of a seed, nil if there is none.
func (s *Series) Has(seed uint64) *Seeded {
	if i, ok := slices.BinarySearchFunc(s.Seeds, seed, bySeed); ok {
		return &s.Seeds[i]
	}
	return nil
}

// Put adds the result of a seed, and replaces an earlier one.
func (s *Series) Put(x Seeded) {
	i, ok := slices.BinarySearchFunc(s.Seeds, x.Seed, bySeed)
	if ok {
		s.Seeds[i] = x
		return
	}
	s.Seeds = slices.Insert(s.Seeds, i, x)
}

func bySeed(x Seeded, seed uint64) int {
	switch {
	case x.Seed < seed:
		return -1
	case x.Seed > seed:
		return 1
	}
	return 0
}

// seriesLine opens a series; n counts from 1.
type seriesLine struct {
	Series  int    `json:"series"`
	Params  Values `json:"params"`
	Backend string `json:"backend"`
	Budget  Budget `json:"budget"`

	Changes []Change `json:"changes,omitempty"`
}

// seededLine is the line of a seed.
type seededLine struct {
	Series int      `json:"series"`
	Seed   uint64   `json:"seed"`
	Iter   int64    `json:"i"`
	Best   *float64 `json:"best"`
	Why    string   `json:"why,omitempty"`
	Digest string   `json:"digest"`
	Wall   float64  `json:"wall_s"`
	CPU    float64  `json:"cpu_s"`
	Curve  Curve    `json:"curve"`
}

// AppendSeries appends the line that opens series n, which counts from 1.
func AppendSeries(b []byte, n int, s Series) ([]byte, error) {
	return appendJSON(b, seriesLine{n, s.Params, s.Backend, s.Budget, s.Changes})
}

// AppendSeeded appends the line of a seed of series n.
func AppendSeeded(b []byte, n int, x Seeded) ([]byte, error) {
	l := seededLine{
		Series: n, Seed: x.Seed, Iter: x.Iter, Why: x.Why, Digest: string(appendHex(nil, x.Digest)),
		Wall: micro(x.Wall), CPU: micro(x.CPU), Curve: x.Curve,
	}
	if finite(x.Best) {
		l.Best = &x.Best
	}
	l.Curve.Wall, l.Curve.CPU = micros(x.Curve.Wall), micros(x.Curve.CPU)
	return appendJSON(b, l)
}

// seriesOrSeed takes in a line that speaks of a series.
func (r *Record) seriesOrSeed(line []byte, seeded bool) error {
	if !seeded {
		var l seriesLine
		if err := json.Unmarshal(line, &l); err != nil {
			return err
		}
		if l.Series != len(r.Repeats)+1 {
			return fmt.Errorf("series is %d after %d", l.Series, len(r.Repeats))
		}
		r.Repeats = append(r.Repeats, Series{
			Params: l.Params, Backend: l.Backend, Budget: l.Budget, Changes: l.Changes,
		})
		return nil
	}
	var l seededLine
	if err := json.Unmarshal(line, &l); err != nil {
		return err
	}
	if l.Series < 1 || l.Series > len(r.Repeats) {
		return fmt.Errorf("series is %d, want 1 to %d", l.Series, len(r.Repeats))
	}
	d, err := strconv.ParseUint(l.Digest, 16, 64)
	if err != nil {
		return fmt.Errorf("digest is %q, want 16 hexadecimal digits", l.Digest)
	}
	if n := len(l.Curve.Iter); len(l.Curve.Best) != n || len(l.Curve.Wall) != n ||
		len(l.Curve.CPU) != n {
		return errors.New("the fields of curve are not of one length")
	}
	r.Repeats[l.Series-1].Put(Seeded{
		Seed: l.Seed, Iter: l.Iter, Best: orInf(l.Best), Digest: d, Why: l.Why, Curve: l.Curve,
		Wall: l.Wall, CPU: l.CPU,
	})
	return nil
}

// encodeRepeats appends the lines of all series.
func (r *Record) encodeRepeats(b []byte) (_ []byte, err error) {
	for i, s := range r.Repeats {
		if b, err = AppendSeries(b, i+1, s); err != nil {
			return b, err
		}
		for _, x := range s.Seeds {
			if b, err = AppendSeeded(b, i+1, x); err != nil {
				return b, err
			}
		}
	}
	return b, nil
}

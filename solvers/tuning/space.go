package tuning

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/experiment"
	"metalab/solvers/record"
)

// A Dimension is a parameter that is tuned, live or structural: its Values, or the range from Low
// to High.
type Dimension struct {
	Name      string
	Values    []record.Value // choices; empty: a range
	Low, High float64
	Log       bool // drawn on a logarithmic scale

	integer bool // by the declaration
}

// ParseDimension reads a dimension as it is typed: 0.5..0.99, 1..1000:log, or 1,2,4,8.
func ParseDimension(name, text string) (d Dimension, err error) {
	d.Name = name
	from, to, isRange := strings.Cut(text, "..")
	if !isRange {
		for w := range strings.SplitSeq(text, ",") {
			d.Values = append(d.Values, record.Parse(strings.TrimSpace(w)))
		}
		return d, d.check()
	}
	to, d.Log = strings.CutSuffix(to, ":log")
	var low, high error
	d.Low, low = strconv.ParseFloat(from, 64)
	d.High, high = strconv.ParseFloat(to, 64)
	if low != nil || high != nil {
		return d, fmt.Errorf("tuning: %s is %q, want a range as 0.5..0.99 or 1..1000:log, or values as "+
			"1,2,4", name, text)
	}
	return d, d.check()
}

// String is the dimension as ParseDimension reads it, without its name.
func (d Dimension) String() string {
	if len(d.Values) == 0 {
		s := record.Num(d.Low).String() + ".." + record.Num(d.High).String()
		if d.Log {
			s += ":log"
		}
		return s
	}
	words := make([]string, len(d.Values))
	for i, v := range d.Values {
		words[i] = v.String()
	}
	return strings.Join(words, ",")
}

// check returns what is wrong with the dimension by itself.
func (d *Dimension) check() error {
	switch {
	case d.Name == "":
		return fmt.Errorf("tuning: a parameter has no name")
	case len(d.Values) == 1 || slices.Contains(d.Values, record.Text("")):
		return fmt.Errorf("tuning: %s has %d values, want 2 or more, none empty", d.Name, len(d.Values))
	case len(d.Values) > 0:
		return nil
	case !(d.Low < d.High) || math.IsInf(d.High-d.Low, 0):
		return fmt.Errorf("tuning: %s is from %v to %v, want a range that goes up", d.Name, d.Low, d.High)
	case d.Log && d.Low <= 0:
		return fmt.Errorf("tuning: %s begins at %v, want above 0 on a logarithmic scale", d.Name, d.Low)
	}
	return nil
}

// declared compares the dimensions with the solver's parameters on an instance, and returns the
// values that these have there.
func (p *Plan) declared(ctx context.Context, load experiment.Loader) (record.Values, error) {
	if ctx == nil || load == nil {
		return nil, errors.New("tuning: the context, or what loads instances, is nil")
	}
	inst, err := load(ctx, p.Instances[0])
	if err != nil {
		return nil, fmt.Errorf("tuning: instance %s: %w", p.Instances[0], err)
	}
	s := &p.Setting
	first := record.Values{}
	maps.Copy(first, s.Params)
	maps.Copy(first, p.Own)
	v, params, err := solvers.Resolve(solvers.Config{
		Solver: s.Solver, Variant: s.Variant, Backend: s.Backend, Preset: s.Preset, Params: first,
		Instance: inst,
	})
	if err != nil {
		return nil, fmt.Errorf("tuning: %w", err)
	}
	p.Setting.Variant = v.Name
	p.Space = slices.Clone(p.Space)
	own := record.Values{}
	for i := range p.Space {
		d := &p.Space[i]
		at := slices.IndexFunc(params, func(q record.Param) bool { return q.Name == d.Name })
		if at < 0 {
			return nil, fmt.Errorf("tuning: %s/%s has no parameter %s", v.Solver, v.Name, d.Name)
		}
		q := params[at]
		numeric := q.Type == record.Float || q.Type == record.Int
		switch {
		case q.Class == record.Schedule:
			return nil, fmt.Errorf("tuning: %s is of the schedule and never changes a result; want a live "+
				"or structural parameter", d.Name)
		case len(d.Values) == 0 && !numeric:
			return nil, fmt.Errorf("tuning: %s takes no numbers; want values with commas between them",
				d.Name)
		case len(d.Values) == 0 && (d.Low < q.Min || d.High > q.Max):
			return nil, fmt.Errorf("tuning: %s is from %v to %v, want within %v to %v", d.Name, d.Low,
				d.High, q.Min, q.Max)
		}
		d.integer = q.Type == record.Int
		if d.integer && len(d.Values) == 0 && math.Ceil(d.Low) > math.Floor(d.High) {
			return nil, fmt.Errorf("tuning: %s is from %v to %v, and no integer is there", d.Name, d.Low,
				d.High)
		}
		own[d.Name] = q.Value
	}
	return own, nil
}

// at returns the value at a place u in [0, 1), in few digits.
func (d *Dimension) at(u float64) record.Value {
	if n := len(d.Values); n > 0 {
		return d.Values[min(n-1, int(u*float64(n)))]
	}
	low, high := d.Low, d.High
	if d.integer { // each integer has as much room
		low, high = math.Ceil(low), math.Floor(high)
		if d.Log {
			v := math.Exp(math.Log(low-0.5) + u*(math.Log(high+0.5)-math.Log(low-0.5)))
			return record.Num(min(high, max(low, math.Round(v))))
		}
		return record.Num(min(high, low+math.Floor(u*(high-low+1))))
	}
	v, size := low+u*(high-low), high-low
	if d.Log {
		v = math.Exp(math.Log(low) + u*(math.Log(high)-math.Log(low)))
		size = v
	}
	// Three digits of the range, or on a logarithmic scale of the value.
	digits := 3 - int(math.Floor(math.Log10(size)))
	if d.Log {
		digits--
	}
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'f', max(0, digits), 64), 64)
	if err != nil {
		short = v // cannot fail: FormatFloat made the text
	}
	return record.Num(min(high, max(low, short)))
}

// place is where a value lies: its u in [0, 1], for a choice the middle of its part.
func (d *Dimension) place(v record.Value) float64 {
	if n := len(d.Values); n > 0 {
		return (float64(max(0, slices.Index(d.Values, v))) + 0.5) / float64(n)
	}
	x, _ := v.Float()
	u := (x - d.Low) / (d.High - d.Low)
	if d.Log {
		u = (math.Log(max(x, d.Low)) - math.Log(d.Low)) / (math.Log(d.High) - math.Log(d.Low))
	}
	return min(1, max(0, u))
}

// Purposes of the draws. Those of trial number n in round r have the stream with iteration r and
// agent n.
const (
	purposeTrial = 0x71
	purposeLatin = 0x72 // agent: the dimension
)

// random is a configuration drawn from the whole space.
func (p *Plan) random(round, number int) record.Values {
	s := arith.NewStream(p.Seed, uint64(round), uint32(number), purposeTrial)
	out := record.Values{}
	for i := range p.Space {
		out[p.Space[i].Name] = p.Space[i].at(s.Float64())
	}
	return out
}

// latin are n configurations of a Latin hypercube.
func (p *Plan) latin(n int) []record.Values {
	out := make([]record.Values, n)
	for k := range out {
		out[k] = record.Values{}
	}
	for i := range p.Space {
		s := arith.NewStream(p.Seed, 0, uint32(i), purposeLatin)
		order := make([]int32, n)
		for k := range order {
			order[k] = int32(k)
		}
		s.Shuffle(order)
		for k := range out {
			u := (float64(order[k]) + s.Float64()) / float64(n)
			out[k][p.Space[i].Name] = p.Space[i].at(u)
		}
	}
	return out
}

// near is a configuration near another: numbers by a normal distribution that gets narrower with
// every round, choices the same with growing probability.
func (p *Plan) near(
	from record.Values, round, number int, width float64, rounds int,
) record.Values {
	s := arith.NewStream(p.Seed, uint64(round), uint32(number), purposeTrial)
	out := record.Values{}
	for i := range p.Space {
		d := &p.Space[i]
		stay, u := s.Float64(), s.Float64()
		v := from[d.Name]
		if len(d.Values) > 0 {
			if stay < float64(round)/float64(rounds) {
				out[d.Name] = v
			} else {
				out[d.Name] = d.at(u)
			}
			continue
		}
		// Cut off at the ends of the range, by the inverse of its distribution.
		m := d.place(v)
		cdf := func(x float64) float64 { return math.Erfc((m-x)/(width*math.Sqrt2)) / 2 }
		c := cdf(0) + u*(cdf(1)-cdf(0))
		x := m + width*math.Sqrt2*math.Erfinv(2*c-1)
		out[d.Name] = d.at(min(math.Nextafter(1, 0), max(0, x)))
	}
	return out
}

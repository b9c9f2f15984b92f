package tuning

import (
	"math"
	"strings"
	"testing"

	"metalab/solvers/experiment"
	"metalab/solvers/record"

	"pgregory.net/rapid"
)

func TestParseDimension(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"0.5..0.99", "1..1000:log", "1,2,4", "2opt,3opt", "-3..-1"} {
		d, err := ParseDimension("x", s)
		if err != nil || d.String() != s {
			t.Errorf("%q is read as %q, %v", s, d, err)
		}
	}
	for s, want := range map[string]string{
		"2..1": "goes up", "0..5:log": "above 0", "a..b": "want a range",
		"7": "has 1 values", "1,,2": "none empty",
	} {
		if _, err := ParseDimension("x", s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", s, err, want)
		}
	}
}

// A value lies in the range, and near the place that it is asked for.
func TestPlaces(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := Dimension{Name: "x", Log: rapid.Bool().Draw(t, "log")}
		d.integer = rapid.Bool().Draw(t, "integer")
		d.Low = rapid.Float64Range(1, 50).Draw(t, "low")
		d.High = d.Low * rapid.Float64Range(1.5, 1000).Draw(t, "times")
		if d.integer {
			d.Low, d.High = math.Floor(d.Low), math.Ceil(d.High)
		}
		u := rapid.Float64Range(0, 0.999999).Draw(t, "u")
		v, _ := d.at(u).Float()
		if v < d.Low || v > d.High || d.integer && v != math.Trunc(v) {
			t.Fatalf("%v at %v is %v", d, u, v)
		}
		room := 0.01
		if d.integer {
			room = 1 / math.Min(d.High-d.Low, math.Log(d.High/d.Low)*d.Low)
		}
		if p := d.place(record.Num(v)); math.Abs(p-u) > room {
			t.Fatalf("%v at %v is %v, whose place is %v", d, u, v, p)
		}
	})
}

// Every part of a dimension has one sample of a Latin hypercube; all draws are of the seed.
func TestLatin(t *testing.T) {
	t.Parallel()
	p := Plan{Space: []Dimension{{Name: "x", High: 1}, {Name: "y", Low: 2, High: 4}}, Seed: 3}
	all := p.latin(10)
	for i := range p.Space {
		seen := map[int]bool{}
		for _, v := range all {
			// At the end of a part a value may be rounded into the next.
			seen[int(math.Floor(10*p.Space[i].place(v[p.Space[i].Name])-1e-9))] = true
		}
		if len(seen) < 9 {
			t.Errorf("%s has samples in %d of 10 parts", p.Space[i].Name, len(seen))
		}
	}
	if again := p.latin(10); again[7]["x"] != all[7]["x"] {
		t.Error("the same seed has other samples")
	}
	if p.Seed++; p.latin(10)[7]["x"] == all[7]["x"] {
		t.Error("another seed has the same samples")
	}
}

// Draws near a configuration get narrower and stay in the range.
func TestNear(t *testing.T) {
	t.Parallel()
	p := Plan{Space: []Dimension{{Name: "x", High: 1}}, Seed: 1}
	spread := func(width float64) (s float64) {
		for k := range 200 {
			v, _ := p.near(record.Of("x", 0.95), 1, k, width, 3)["x"].Float()
			if v < 0 || v > 1 {
				t.Fatalf("%v", v)
			}
			s += math.Abs(v-0.95) / 200
		}
		return s
	}
	if wide, narrow := spread(0.5), spread(0.05); !(narrow < wide/3 && narrow > 0) {
		t.Errorf("mean distances %v and %v", wide, narrow)
	}
}

// A race drops the trial that is the worst on every block, and none of equals.
func TestWorse(t *testing.T) {
	t.Parallel()
	for _, test := range []string{FriedmanTest, TTest} {
		x := &tuner{}
		x.h.Plan = Plan{Test: test, Alpha: 0.05, Instances: []string{"i"}}
		x.h.Trials = make([]Trial, 4)
		for k := range 8 {
			x.h.Blocks = append(x.h.Blocks, Block{Instance: "i"})
			for i := range x.h.Trials {
				v := 100 + float64((k*7+i*3)%5)
				if i == 3 {
					v += 20
				}
				x.h.Trials[i].Best = append(x.h.Trials[i].Best, v)
			}
		}
		x.without(4, 8)
		if got := x.worse([]int{0, 1, 2, 3}, 8); !got[3] || got[0] || got[1] || got[2] {
			t.Errorf("%s drops %v, want trial 3", test, got)
		}
		if got := x.worse([]int{1, 3}, 8); !got[3] || got[1] {
			t.Errorf("%s of two drops %v, want trial 3", test, got)
		}
	}
}

// without notes that no optimum is known of the trials' blocks.
func (t *tuner) without(trials, blocks int) {
	t.known = map[experiment.Key]experiment.Row{}
	for i := range trials {
		t.keys = append(t.keys, make([]experiment.Key, blocks))
		for k := range blocks {
			t.keys[i][k][0], t.keys[i][k][1] = byte(i), byte(k)
			var r experiment.Row
			r.Result.Optimum = math.NaN()
			t.known[t.keys[i][k]] = r
		}
	}
}

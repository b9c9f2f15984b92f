package conform

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"metalab/solvers"
	"metalab/solvers/record"
)

func checkDeclarations(t *testing.T, c Case, v solvers.Variant) {
	if v.Title == "" || v.Revision < 1 || len(v.Kinds) == 0 {
		t.Errorf("the variant lacks a title, a revision or kinds: %+v", v)
	}
	r := c.open(t, "a")
	ps, err := r.Params(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range ps {
		if p.Doc == "" {
			t.Errorf("parameter %s has no sentence", p.Name)
		}
		if (p.Type == record.Float || p.Type == record.Int) && p.Min >= p.Max {
			t.Errorf("parameter %s has the range %v to %v", p.Name, p.Min, p.Max)
		}
	}
	said := map[string]string{}
	for _, p := range v.AllPresets() {
		if !strings.HasSuffix(p.Doc, ".") || said[p.Doc] != "" {
			t.Errorf("preset %s has the sentence %q, %s the same", p.Name, p.Doc, said[p.Doc])
		}
		said[p.Doc] = p.Name
		if c.Presets != nil && !slices.Contains(c.Presets, p.Name) {
			continue
		}
		name := p.Name
		q, err := solvers.Open(solvers.Config{
			Solver: c.Solver, Variant: c.Variant, Backend: c.Backend, Instance: c.Instance, Preset: name,
		})
		if err != nil {
			t.Errorf("preset %s: %v", name, err)
			continue
		}
		if best, err := q.Params(context.Background()); name == "best" &&
			(err != nil || defaultsOf(best) != defaultsOf(ps)) {
			t.Errorf("preset best is not the default: %s, %s, %v", defaultsOf(best), defaultsOf(ps), err)
		}
		q.Close()
	}
}

// defaultsOf returns the default values of parameters.
func defaultsOf(ps []record.Param) string {
	var b strings.Builder
	for _, p := range ps {
		fmt.Fprintf(&b, "%s=%s ", p.Name, p.Default)
	}
	return b.String()
}

// checkSet looks at single changes: refused ones change nothing, accepted ones are in
// the journal at the right iteration.
func checkSet(t *testing.T, c Case) {
	ctx := context.Background()
	r := c.open(t, "a")
	step(t, r, 3)
	ps, err := r.Params(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range ps {
		bad := record.Text("no such value")
		if p.Type == record.Float || p.Type == record.Int {
			bad = record.Num(math.Nextafter(p.Max, math.Inf(1)) + 1)
		}
		if _, err := r.Set(ctx, record.Values{p.Name: bad}, "test"); err == nil {
			t.Errorf("%s=%v is accepted", p.Name, bad)
		}
		if p.Class == record.Structural {
			if v, ok := c.another(p, 1); ok {
				_, err := r.Set(ctx, record.Values{p.Name: v}, "test")
				var fixed *solvers.StructuralError
				if !errors.As(err, &fixed) || fixed.Name != p.Name || fixed.Now != p.Value {
					t.Errorf("structural %s=%v mid-run: error %v", p.Name, v, err)
				}
			}
			continue
		}
		v, ok := c.another(p, 1)
		if !ok {
			continue
		}
		before := len(r.Journal())
		made, err := r.Set(ctx, record.Values{p.Name: v}, "test")
		if err != nil {
			t.Errorf("%s=%v: %v", p.Name, v, err)
			continue
		}
		j := r.Journal()
		if len(j) != before+1 || len(made) != 1 || !reflect.DeepEqual(made[0], j[before]) {
			t.Errorf("%s=%v: the journal has %v as new entries, and %v is returned, want one",
				p.Name, v, j[before:], made)
			continue
		}
		e := made[0]
		if at := r.Last().Iter; e.Iter != at || e.Name != p.Name || e.Old != p.Value || e.New != v ||
			e.Who != "test" {
			t.Errorf("%s=%v after iteration %d: entry %+v", p.Name, v, at, e)
		}
		step(t, r, 1)
		if _, err := r.Set(ctx, record.Values{p.Name: p.Value}, "test"); err != nil {
			t.Errorf("%s back to %v: %v", p.Name, p.Value, err)
		}
	}
	if _, err := r.Set(ctx, record.Values{"no_such_parameter": record.Num(1)}, "test"); err == nil {
		t.Error("a parameter that does not exist is accepted")
	}
}

// another returns a legal value of p that is not its present one, the k-th of some.
func (c Case) another(p record.Param, k int) (record.Value, bool) {
	lo, hi := p.Min, p.Max
	if g, ok := c.Ranges[p.Name]; ok {
		lo, hi = max(lo, g[0]), min(hi, g[1])
	}
	now, _ := p.Value.Float()
	var vs []record.Value
	switch p.Type {
	case record.Int:
		if _, ok := c.Ranges[p.Name]; !ok {
			lo, hi = max(lo, 1), min(hi, max(2*now, 4)) // not the largest: it may take for ever
		}
		for _, x := range []float64{lo, math.Floor((lo + hi) / 2), hi, now + 1, now - 1} {
			if x >= p.Min && x <= p.Max && x <= max(hi, now) {
				vs = append(vs, record.Num(x))
			}
		}
	case record.Float:
		for _, f := range []float64{0, 0.25, 0.5, 0.9, 1} {
			vs = append(vs, record.Num(lo+f*(min(hi, lo+10)-lo)))
		}
	case record.Enum:
		for _, w := range p.Options {
			vs = append(vs, record.Text(w))
		}
	default:
		vs = []record.Value{record.Bool(true), record.Bool(false)}
	}
	vs = slices.DeleteFunc(vs, func(v record.Value) bool { return v == p.Value })
	if len(vs) == 0 {
		return record.Value{}, false
	}
	return vs[k%len(vs)], true
}

func checkSchedule(t *testing.T, c Case) {
	ctx := context.Background()
	ref := c.open(t, "ref")
	step(t, ref, c.Iterations)
	want := recordOf(t, ref)
	ps, err := ref.Params(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range ps {
		if p.Class != record.Schedule {
			continue
		}
		for k := range 4 {
			v, ok := c.another(p, k)
			if !ok {
				continue
			}
			r := c.open(t, "a")
			step(t, r, c.Iterations/2)
			if _, err := r.Set(ctx, record.Values{p.Name: v}, "test"); err != nil {
				t.Fatal(err)
			}
			step(t, r, c.Iterations-c.Iterations/2)
			same(t, fmt.Sprintf("%s=%v", p.Name, v), want, recordOf(t, r))
		}
	}
}

func checkStructural(t *testing.T, c Case) {
	ctx := context.Background()
	for i, with := range c.Structural {
		r := c.open(t, "a")
		step(t, r, c.Iterations/2)
		f, err := r.Fork(ctx, solvers.Fork{Name: "f", With: with})
		if err != nil {
			t.Errorf("fork with %v: %v", with, err)
			continue
		}
		t.Cleanup(f.Close)
		step(t, f, c.Iterations/2)
		if d, err := solvers.Replay(
			ctx, recordOf(t, f), c.Instance, solvers.ReplayOptions{},
		); err != nil || d != nil {
			t.Errorf("fork %d with %v does not replay: difference %v, error %v", i, with, d, err)
		}
	}
}

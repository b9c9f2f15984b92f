package lab

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"metalab/solvers/record"
)

type inner struct {
	a  int8
	b  []string
	up *inner
}

// everything has a field of each kind that a state keeps.
type everything struct {
	T     float64 `param:"t,0..1"`
	B     bool
	n     int
	u     uint16
	f     float32
	c     complex128
	s     string
	ints  []int
	small []int8
	bits  []bool
	empty []float64
	grid  [][]float64
	pair  [2]inner
	m     map[string][]int
	k     map[[2]int]float64
	p, q  *inner
	skip  func() `state:"-"`
	prob  *Problem
}

func (*everything) Init(*Problem, *Rand) error         { return nil }
func (*everything) Step(int64, *Rand) (float64, error) { return 0, nil }
func (*everything) Best() (value float64, perm []int)  { return 0, nil }
func described1(t testing.TB, s Solver) (d *described) { return must(t)(describe("s", s)) }
func must(t testing.TB) func(*described, error) *described {
	return func(d *described, err error) *described {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
}

// draw makes any value of a solver's fields.
func draw(t *rapid.T) *everything {
	ints := rapid.SliceOfN(rapid.Int(), 0, 5)
	e := &everything{
		B: rapid.Bool().Draw(t, "B"), n: rapid.Int().Draw(t, "n"), u: rapid.Uint16().Draw(t, "u"),
		f: rapid.Float32().Draw(t, "f"),
		c: complex(rapid.Float64().Draw(t, "re"), 1), s: rapid.String().Draw(t, "s"),
		ints:  ints.Draw(t, "ints"),
		small: rapid.SliceOfN(rapid.Int8(), 0, 5).Draw(t, "small"),
		bits:  rapid.SliceOfN(rapid.Bool(), 0, 5).Draw(t, "bits"),
		m:     rapid.MapOfN(rapid.String(), ints, 0, 4).Draw(t, "m"),
		k:     map[[2]int]float64{{1, 2}: math.Inf(1), {0, 7}: 3},
		p:     &inner{a: 3, b: []string{"x", ""}}, skip: func() {}, empty: []float64{}, prob: nil,
	}
	e.grid = [][]float64{{1, 2}, nil, {}}
	e.pair[1].b = []string{rapid.String().Draw(t, "pair")}
	if rapid.Bool().Draw(t, "shared") {
		e.q = e.p
		e.p.up = e.p
	}
	return e
}

// A state read into another solver is the same state, and is written the same again.
func TestState(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		a, b := draw(rt), draw(rt)
		da, db := described1(t, a), described1(t, b)
		s, err := da.snapshot()
		if err != nil {
			rt.Fatal(err)
		}
		notes, err := db.restore(s)
		if err != nil || len(notes) > 0 {
			rt.Fatal(notes, err)
		}
		a.skip, b.skip = nil, nil
		if !reflect.DeepEqual(a, b) || (a.q == a.p) != (b.q == b.p) {
			rt.Fatalf("%+v became %+v", a, b)
		}
		again, err := db.snapshot()
		if err != nil || string(again) != string(s) {
			rt.Fatal("another state", err)
		}
	})
}

// Whatever bytes a state holds, they end in an error or a state.
func FuzzState(f *testing.F) {
	rapid.Check(f, func(rt *rapid.T) {
		s, err := described1(f, draw(rt)).snapshot()
		if err != nil {
			rt.Fatal(err)
		}
		f.Add(s)
	})
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		d := described1(t, &everything{})
		if _, err := d.restore(b); err != nil {
			return
		}
		if _, err := d.snapshot(); err != nil {
			t.Fatal(err)
		}
	})
}

// Two slices of one memory are refused: read back, they would be two memories.
func TestSharedMemory(t *testing.T) {
	t.Parallel()
	e := &everything{ints: make([]int, 10)}
	e.m = map[string][]int{"x": e.ints[3:5]}
	if _, err := described1(t, e).snapshot(); err == nil ||
		!strings.Contains(err.Error(), "fields ints and m share memory") {
		t.Error(err)
	}
	e.m["x"] = []int{1}
	if _, err := described1(t, e).snapshot(); err != nil {
		t.Error(err)
	}
}

type (
	noRange struct {
		everything
		X float64 `param:"x"`
	}
	badName struct {
		everything
		X float64 `param:"X,0..1"`
	}
	coded struct {
		everything
		X float64 `param:"code,0..1"`
	}
	outside struct {
		everything
		X int `param:"x,5..9"`
	}
	wordless struct {
		everything
		X string `param:"x,a|b"`
	}
	odd struct {
		everything
		X float64 `param:"x,0..1,lively"`
	}
	twice struct {
		everything
		X, Y float64 `param:"x,0..1"`
	}
	channel struct {
		everything
		X chan int
	}
	deep struct {
		everything
		X map[string]*struct{ f []any }
	}
	measured struct {
		everything
		X string `measure:"x"`
	}
	good struct {
		everything
		X int     `param:"x, structural, 0..9, step=2, unit=ants" doc:"of all ants"`
		Y string  `param:"y,a|b,schedule"`
		Z float64 `measure:"z"`
	}
)

func TestTags(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		s    Solver
		says string
	}{
		{&noRange{}, "no range"},
		{&badName{}, "small letters"},
		{&coded{}, "it is the code itself"},
		{&outside{}, "want 5 to 9"},
		{&wordless{}, "one of its words"},
		{&odd{}, `"lively"`},
		{&twice{}, "two parameters are called x"},
		{&channel{}, "a chan int cannot be kept"},
		{&deep{}, "a interface {} in struct"},
		{&measured{}, "want a number"},
	} {
		if _, err := describe("s", c.s); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%T: %v, want %q", c.s, err, c.says)
		}
	}
	if _, err := describe("a b", &good{Y: "a"}); err == nil {
		t.Error("a name with a space")
	}
	g := &good{X: 3, Y: "a", Z: 0.5}
	d := described1(t, g)
	want := record.Param{
		Name: "x", Class: record.Structural, Type: record.Int, Max: 9, Step: 2,
		Unit: "ants", Doc: "of all ants", Default: record.Num(3), Value: record.Num(3),
	}
	if got := d.hello.Params[1]; !reflect.DeepEqual(got, want) {
		t.Errorf("x is %+v, want %+v", got, want)
	}
	if c := d.set(record.Values{
		"x": record.Num(4), "y": record.Text("a"),
		"unknown": record.Num(1),
	}); len(c) != 1 || g.X != 4 {
		t.Errorf("set changed %v, x is %d", c, g.X)
	}
	if v := d.values(nil); len(v) != 1 || v[0] != 0.5 {
		t.Errorf("measures %v", v)
	}
}

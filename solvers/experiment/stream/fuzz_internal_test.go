package stream

import (
	"context"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/solvers/experiment"
	"metalab/solvers/internal/toy"
	"metalab/solvers/record"
)

func init() { toy.Register() }

// unitsOf are units of the toy search.
func unitsOf(t testing.TB, n int) []experiment.Unit {
	t.Helper()
	p := experiment.Plan{
		Settings:  []experiment.Setting{{Solver: "toy", Variant: "swap"}},
		Instances: []string{"rand-60-1"}, Seeds: n, First: 1, Budget: record.Budget{Iterations: 20},
	}
	out, err := p.Units(t.Context(), loadHere)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Each message that is read is written as it was, and read again as the same.
func FuzzTask(f *testing.F) {
	u := unitsOf(f, 1)[0]
	b, err := writeTask(&u, "")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	own := coded(f, u)
	if b, err = writeTask(&own, shaOf([]byte(ownSource))); err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte(`{"format":1,"key":"","params":{"a":1e400}}`))
	f.Add([]byte(strings.Replace(string(b), `"seed":1`, `"seed":2`, 1)))
	f.Fuzz(func(t *testing.T, b []byte) {
		u, code, err := readTask(b)
		if err != nil {
			return
		}
		if u.Instance.Path != "" {
			t.Fatalf("it names the path %q", u.Instance.Path)
		}
		if (code != "") != isOwn(&u) {
			t.Fatalf("source %q with %v", code, u.Params)
		}
		again, err := writeTask(&u, code)
		if err != nil {
			t.Fatal(err)
		}
		v, same, err := readTask(again)
		if err != nil || v.Key != u.Key || same != code {
			t.Fatalf("%v: %v and %v", err, u, v)
		}
	})
}

func FuzzOutcome(f *testing.F) {
	r := experiment.Result{
		Best: 7, Iterations: 3, Digest: math.MaxUint64, Machine: "m", Error: "panic\nstack",
		Trace:    []experiment.TracePoint{{Iteration: 1, Best: 9}, {Iteration: 3, Best: math.Inf(1)}},
		Solution: record.Solution{Perm: []int32{1, 0}},
	}
	b, err := writeOutcome(experiment.Key{}, "w", &r)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte(`{"best":"NaN"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		key, w, r, err := readOutcome(b, maxOutcome)
		if err != nil {
			return
		}
		again, err := writeOutcome(key, w, &r)
		if err != nil {
			t.Fatal(err)
		}
		k2, w2, r2, err := readOutcome(again, maxOutcome)
		if err != nil || k2 != key || w2 != w || sum(&r2) != sum(&r) {
			t.Fatalf("%v: %v and %v", err, r, r2)
		}
	})
}

// same tests that a message that is read is the same when it is written and read again.
func same[T any](t *testing.T, read func([]byte) (T, error), b []byte) {
	t.Helper()
	m, err := read(b)
	if err != nil {
		return
	}
	again, err := json.Marshal(&m)
	if err != nil {
		t.Fatal(err)
	}
	n, err := read(again)
	if err != nil {
		t.Fatal(err)
	}
	last, err := json.Marshal(&n)
	if err != nil || string(last) != string(again) {
		t.Fatalf("%v: %s and %s", err, again, last)
	}
}

func FuzzMade(f *testing.F) {
	f.Add([]byte(`{"format":1,"sha256":"` + strings.Repeat("0a", 32) + `","worker":"w"}`))
	f.Fuzz(func(t *testing.T, b []byte) { same(t, readMade, b) })
}

func FuzzHello(f *testing.F) {
	f.Add([]byte(`{"format":1,"name":"w","build":"b","cores":2,"up_s":1.5,"making":["a"],"made":3}`))
	f.Fuzz(func(t *testing.T, b []byte) { same(t, readHello, b) })
}

func FuzzOrder(f *testing.F) {
	f.Add([]byte(`{"format":1,"do":"drain","keys":["` + strings.Repeat("0a", 32) + `"]}`))
	f.Fuzz(func(t *testing.T, b []byte) { same(t, readOrder, b) })
}

func FuzzInstance(f *testing.F) {
	b, err := packInstance(pentagon(f))
	if err != nil || b == nil {
		f.Fatal(err, b)
	}
	f.Add(b, pentagon(f).SHA256())
	f.Add([]byte(`{"format":1,"name":"a-k3","kind":"colouring","colours":3,`+
		`"text":"p edge 2 1\ne 1 2"}`), "")
	f.Fuzz(func(t *testing.T, b []byte, sha string) {
		inst, err := readInstance(b, sha)
		if err == nil && inst.SHA256() != sha {
			t.Fatal("other data")
		}
	})
}

// pentagon is an instance that no name generates.
func pentagon(t testing.TB) datasets.Instance {
	t.Helper()
	inst, err := datasets.ReadTSP(strings.NewReader("NAME : five\nTYPE : TSP\nDIMENSION : 5\n"+
		"EDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 9 0\n3 12 8\n4 4 14\n5 -3 8\nEOF\n"),
		"five")
	if err != nil {
		t.Fatal(err)
	}
	return inst
}

// Clocks of machines may differ by hours: no message has a time of day.
func TestNoClocks(t *testing.T) {
	var look func(reflect.Type)
	look = func(x reflect.Type) {
		switch {
		case x == reflect.TypeFor[time.Time]():
			t.Errorf("a message has a time of day")
		case x.Kind() == reflect.Struct:
			for i := range x.NumField() {
				look(x.Field(i).Type)
			}
		case x.Kind() == reflect.Slice || x.Kind() == reflect.Pointer:
			look(x.Elem())
		}
	}
	for _, m := range []any{task{}, outcome{}, made{}, Hello{}, order{}, packed{}} {
		look(reflect.TypeOf(m))
	}
}

// What a message may not say is refused, with a reason.
func TestRefused(t *testing.T) {
	u := unitsOf(t, 1)[0]
	b, err := writeTask(&u, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, with, want string }{
		{`"seed":1`, `"seed":2`, "its content that of"},
		{`"format":1`, `"format":2`, "format 2"},
		{`"kind":"tsp"`, `"kind":"tsp","path":"/etc/passwd"`, "/etc/passwd"},
		{`"seed":1`, `"seed":1,"run":"rm"`, "unknown field"},
		{`"solver":"toy"`, `"solver":"to\u001by"`, "printable"},
	} {
		if !strings.Contains(string(b), c.old) {
			t.Fatalf("%s has no %s", b, c.old)
		}
		_, _, err := readTask([]byte(strings.Replace(string(b), c.old, c.with, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.with, err, c.want)
		}
	}
}

func loadHere(ctx context.Context, name string) (datasets.Instance, error) {
	return datasets.LoadContext(ctx, name)
}

func FuzzKept(f *testing.F) {
	f.Add([]byte(`{"format":1,"sha256":"` + strings.Repeat("0a", 32) + `","i":3}`))
	f.Add([]byte(`{"format":1,"sha256":"../x","i":-3}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		k, err := readSaved(b)
		if err != nil {
			return
		}
		again, err := json.Marshal(&k)
		if err != nil {
			t.Fatal(err)
		}
		if l, err := readSaved(again); err != nil || l != k || l.Iteration < 1 {
			t.Fatalf("%v: %+v and %+v", err, k, l)
		}
	})
}

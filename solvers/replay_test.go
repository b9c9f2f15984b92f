package solvers_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/internal/toy"
	"metalab/solvers/record"
)

func TestSaveLoadReplay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.run")
	r := open(t, nil)
	mustStep(t, r, 1500)
	if _, err := r.Set(t.Context(), record.Values{"heat": record.Num(2)}, "ann"); err != nil {
		t.Fatal(err)
	}
	mustStep(t, r, 700)
	if err := r.Save(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	l, err := solvers.Load(t.Context(), path, r.Instance(), "l")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	mustStep(t, r, 300)
	mustStep(t, l, 300)
	a, b := paper(t, r), paper(t, l)
	if a.Digest != b.Digest || len(a.Points) != len(b.Points) || len(b.Journal) != 1 ||
		b.Journal[0].Who != "ann" {
		t.Errorf(
			"loaded run differs: %x %d, %x %d %v", a.Digest, len(a.Points), b.Digest, len(b.Points),
			b.Journal,
		)
	}
	rec, err := record.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d, err := solvers.Replay(t.Context(), rec, r.Instance(), solvers.ReplayOptions{}); d != nil ||
		err != nil {
		t.Errorf("replay: %v %v", d, err)
	}
	if _, err := solvers.Load(t.Context(), path, grid(t, 21), ""); err == nil ||
		!strings.Contains(err.Error(), "other data") {
		t.Errorf("loading with other data: %v", err)
	}
}

func TestDiffNamesThePlace(t *testing.T) {
	// The variant "broken" of the toy walks as "swap" does until its iteration 1<<62;
	// here it is made to part at 17.
	solvers.Register(solvers.Variant{
		Solver: "parting", Name: "swap", Backend: "cpu", Revision: 1, Default: true,
		Kinds: []datasets.Kind{datasets.KindTSP}, Deterministic: true, Title: "walks as it should",
		New: func(i datasets.Instance) (solvers.Algorithm, error) {
			return toy.New(
				i.(*datasets.TSP),
			), nil
		},
	})
	solvers.Register(solvers.Variant{
		Solver: "parting", Name: "swap", Backend: "other", Revision: 1,
		Kinds: []datasets.Kind{datasets.KindTSP}, Deterministic: true, Title: "parts at 1700",
		New: func(i datasets.Instance) (solvers.Algorithm, error) {
			s := toy.New(i.(*datasets.TSP))
			s.Broken = 1700
			return s, nil
		},
	})
	inst := grid(t, 20)
	var recs []*record.Record
	for _, on := range []string{"cpu", "other"} {
		r, err := solvers.Open(solvers.Config{
			Solver: "parting", Backend: on, Instance: inst, Seed: 3,
			Params: record.Values{"accept": record.Text("always")},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		mustStep(t, r, 1000)
		if _, err := r.Set(t.Context(), record.Values{"moves": record.Num(5)}, ""); err != nil {
			t.Fatal(err)
		}
		mustStep(t, r, 2000)
		recs = append(recs, paper(t, r))
	}
	rep, err := solvers.Diff(t.Context(), recs[0], recs[1], inst)
	if err != nil {
		t.Fatal(err)
	}
	if rep.First == nil || rep.First.Iter != 1700 || rep.First.Agent != 1 ||
		rep.First.What != "solution" {
		t.Errorf("difference %v, want iteration 1700, agent 1", rep.First)
	}
	if rep, err = solvers.Diff(t.Context(), recs[0], recs[0], inst); err != nil || !rep.Identical() {
		t.Errorf("a record differs from itself: %+v %v", rep, err)
	}
}

func TestRepeatIsTheRunByItself(t *testing.T) {
	cfg := solvers.Config{Solver: "toy", Instance: grid(t, 20)}
	seeds := []uint64{4, 9, 1, 77}
	var done []uint64
	res, err := solvers.Repeat(t.Context(), cfg, seeds, solvers.Budget{
		Iterations: 40,
	}, func(r solvers.Result) { done = append(done, r.Seed) })
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(done)
	if !slices.Equal(done, []uint64{1, 4, 9, 77}) {
		t.Errorf("told of %v", done)
	}
	for i, seed := range seeds {
		cfg.Seed = seed
		r, err := solvers.Open(cfg)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		mustStep(t, r, 40)
		if got, want := res[i].Point.Digest, r.Last().Digest; got != want || res[i].Seed != seed {
			t.Errorf("seed %d: digest %x, by itself %x", seed, got, want)
		}
	}
	cfg.Params = record.Values{"agents": record.Num(63)}
	if _, err := solvers.Repeat(
		t.Context(), cfg, seeds, solvers.Budget{Iterations: 1}, nil,
	); err == nil {
		t.Error("a configuration that cannot be opened gives no error")
	}
}

// TestUnverifiedDataAreNoted: where the data came by plain http and nothing vouches for them, the
// record says from where, beside their hash.
func TestUnverifiedDataAreNoted(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "NAME: mine3\nTYPE: TSP\nDIMENSION: 4\nEDGE_WEIGHT_TYPE: "+
			"EUC_2D\nNODE_COORD_SECTION\n"+
			"1 0 0\n2 3 4\n3 6 8\n4 6 0\nEOF\n")
	}))
	defer s.Close()
	inst, err := datasets.Load(
		"mine3", datasets.Folders(), datasets.Cache(""), datasets.Homes(datasets.HomeURLs{VLSI: s.URL}),
	)
	if err != nil {
		t.Fatal(err)
	}
	r, err := solvers.Open(solvers.Config{Solver: "toy", Instance: inst})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if ref := r.Header().Instance; ref.Unverified != s.URL+"/mine3.tsp" ||
		ref.SHA256 != inst.SHA256() {
		t.Errorf("the record says of the instance %+v", ref)
	}
	if ref := open(t, nil).Header().Instance; ref.Unverified != "" {
		t.Errorf("the record says of an instance that was made here %+v", ref)
	}
}

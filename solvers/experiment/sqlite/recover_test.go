package sqlite_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metalab/solvers/experiment"
	"metalab/solvers/experiment/sqlite"
	"metalab/solvers/record"
)

// madeStore is a store with experiment e of so many units of each of three settings, all made, and
// f, of which none is. Its traces and its solutions take several pages.
func madeStore(t *testing.T, path string, seeds int) *sqlite.Store {
	t.Helper()
	ctx := t.Context()
	s := open(t, path)
	p := plan(seeds, 40)
	for _, name := range []string{"e", "f"} {
		if _, err := s.Add(ctx, name, p, units(t, p)); err != nil {
			t.Fatal(err)
		}
		if err := s.Note(ctx, name, "planned"); err != nil {
			t.Fatal(err)
		}
	}
	q, err := s.Queue(ctx, "e", false)
	if err != nil {
		t.Fatal(err)
	}
	for {
		u, ok, err := q.Take(ctx, "cpu")
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			break
		}
		if err := q.Finish(ctx, u, made(u.Number)); err != nil {
			t.Fatal(err)
		}
	}
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	return s
}

// made is a result that no solver has to make; that of unit 5 is larger than a page.
func made(number int) experiment.Result {
	r := experiment.Result{
		Best: float64(1000 - number), Iterations: 40, Wall: 0.25, CPU: 0.5, Digest: uint64(number) << 40,
		Machine: "here",
	}
	for i := range 20 {
		r.Trace = append(r.Trace, experiment.TracePoint{
			Iteration: int64(2*i + 2), Wall: float64(i) / 76, CPU: float64(i) / 38,
			Best: r.Best + float64(19-i),
		})
	}
	n := 40
	if number == 5 {
		n = 9000
	}
	r.Solution = record.Solution{Perm: make([]int32, n)}
	for i := range n {
		r.Solution.Perm[i] = int32((i + number) % n)
	}
	return r
}

// pagesOf are the pages of the b-tree of a table or an index, its root first, by SQLite itself.
func pagesOf(t *testing.T, path, name string) (out []int64) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var root int64
	if err := db.QueryRow("SELECT rootpage FROM sqlite_schema WHERE name = ?", name).
		Scan(&root); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var walk func(int64)
	walk = func(n int64) {
		out = append(out, n)
		b := data[(n-1)*4096 : n*4096]
		if b[0] != 2 && b[0] != 5 {
			return
		}
		for i := range int(binary.BigEndian.Uint16(b[3:])) {
			at := binary.BigEndian.Uint16(b[12+2*i:])
			walk(int64(binary.BigEndian.Uint32(b[at:])))
		}
		walk(int64(binary.BigEndian.Uint32(b[8:])))
	}
	walk(root)
	return out
}

// closed fills a store and closes it.
func closed(t *testing.T, seeds int) (path string, data []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "x.sqlite")
	if err := madeStore(t, path, seeds).Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, data
}

// wrong is what a store has that differs from what was made, as far as it has it.
func wrong(ctx context.Context, s experiment.Store) (n, traces, solutions int, err error) {
	for r, err := range s.Rows(ctx, "e") {
		if err != nil {
			return 0, 0, 0, err
		}
		if r.State == experiment.Waiting {
			continue
		}
		if want := made(r.Unit.Number); r.Result.Best != want.Best || r.Result.Digest != want.Digest {
			return 0, 0, 0, fmt.Errorf("unit %d is %+v", r.Unit.Number, r.Result)
		}
		if k, err := r.Unit.MakeKey(); err != nil || k != r.Unit.Key {
			return 0, 0, 0, fmt.Errorf("unit %d has another key, %w", r.Unit.Number, err)
		}
		n++
	}
	for x, err := range s.Traces(ctx, "e") {
		if err != nil {
			return 0, 0, 0, err
		}
		if !slices.Equal(x.Points, made(x.Number).Trace) {
			return 0, 0, 0, fmt.Errorf("unit %d has another trace: %v", x.Number, x.Points)
		}
		traces++
	}
	for x, err := range s.Solutions(ctx, "e") {
		if err != nil {
			return 0, 0, 0, err
		}
		if !slices.Equal(x.Solution.Perm, made(x.Number).Solution.Perm) {
			return 0, 0, 0, fmt.Errorf("unit %d has another solution", x.Number)
		}
		solutions++
	}
	return n, traces, solutions, nil
}

// A damaged file is named and left as it is; what of it can be read is saved, and it is kept.
func TestRecover(t *testing.T) {
	t.Parallel()
	const seeds = 40
	const all = 3 * seeds
	_, data := closed(t, seeds)
	blank := func(d []byte, pages ...int64) []byte {
		for _, n := range pages {
			clear(d[(n-1)*4096 : n*4096])
		}
		return d
	}
	first := filepath.Join(t.TempDir(), "of.sqlite")
	if err := os.WriteFile(first, data, 0o600); err != nil {
		t.Fatal(err)
	}
	us, trs := pagesOf(t, first, "units"), pagesOf(t, first, "trace")
	keys, sols := pagesOf(t, first, "units_by_key"), pagesOf(t, first, "solutions")
	settings := pagesOf(t, first, "settings")
	if len(us) < 5 || len(trs) < 10 || len(keys) < 3 || len(sols) < 3 {
		t.Fatalf("units %v, traces %v, keys %v, solutions %v: too few pages to damage", us, trs, keys,
			sols)
	}
	half := func(d []byte) []byte { clear(d[us[2]*4096-1500 : us[2]*4096-700]); return d }
	oops := func(d []byte) []byte { return bytes.Repeat([]byte("oops"), len(d)/4) }
	for name, c := range map[string]struct {
		damage func([]byte) []byte
		units  int // that are saved at least, of e, with results
		traces int
		solved int
		says   string
	}{
		"header": {
			func(d []byte) []byte { clear(d[:100]); return d }, all, all, all, "not a database",
		},
		"first page": {func(d []byte) []byte { return blank(d, 1) }, all, all, all, "not a database"},
		"root of units": {
			func(d []byte) []byte { return blank(d, us[0]) }, all, all, all, "",
		},
		"leaf of units": {
			func(d []byte) []byte { return blank(d, us[2]) }, all - 40, all - 40, all - 40, "",
		},
		"leaf of traces":  {func(d []byte) []byte { return blank(d, trs[4]) }, all, all - 12, all, ""},
		"root of traces":  {func(d []byte) []byte { return blank(d, trs[0]) }, all, all - 60, all, ""},
		"index":           {func(d []byte) []byte { return blank(d, keys...) }, all, all, all, ""},
		"solutions":       {func(d []byte) []byte { return blank(d, sols[1]) }, all, all, all - 30, ""},
		"half a page":     {half, all - 40, all - 40, all - 40, ""},
		"truncated":       {func(d []byte) []byte { return d[:len(d)*3/4] }, 1, 1, 1, ""},
		"middle of a row": {func(d []byte) []byte { return d[:len(d)-2048] }, 1, 1, 1, ""},
		"settings":        {func(d []byte) []byte { return blank(d, settings...) }, -1, 0, 0, ""},
		"nothing":         {oops, -1, 0, 0, "not a database"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			path := filepath.Join(t.TempDir(), "exp.sqlite")
			bad := c.damage(slices.Clone(data))
			if err := os.WriteFile(path, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			var damage *sqlite.DamageError
			s, err := sqlite.Open(path)
			if err == nil {
				t.Fatalf("it opens: %v", s.Close())
			}
			if !errors.As(err, &damage) || damage.Path != path || !strings.Contains(err.Error(), path) ||
				!strings.Contains(err.Error(), c.says) {
				t.Errorf("%v", err)
			}
			if is, err := os.ReadFile(path); err != nil || !bytes.Equal(is, bad) {
				t.Errorf("the file was changed, %v", err)
			}
			r, err := sqlite.Recover(ctx, path, false)
			if c.units < 0 {
				if !errors.Is(err, sqlite.ErrNothing) {
					t.Errorf("%+v, %v", r, err)
				}
				if is, err := os.ReadFile(path); err != nil || !bytes.Equal(is, bad) {
					t.Errorf("the file was changed, %v", err)
				}
				if r, err = sqlite.Recover(ctx, path, true); err != nil {
					t.Fatal(err)
				}
				if all, err := open(t, path).Experiments(ctx); err != nil || len(all) != 0 {
					t.Errorf("%v, %v", all, err)
				}
			}
			if err != nil && c.units >= 0 {
				t.Fatal(err)
			}
			if is, err := os.ReadFile(r.Aside); err != nil || !bytes.Equal(is, bad) {
				t.Errorf("what is aside is not what was there, %v", err)
			}
			names, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*part*"))
			if err != nil || len(names) > 0 {
				t.Errorf("%v is left, %v", names, err)
			}
			if c.units < 0 {
				return
			}
			s = open(t, path)
			n, traces, solved, err := wrong(ctx, s)
			if err != nil || n < c.units || traces < c.traces || solved < c.solved {
				t.Errorf("%d units, %d traces, %d solutions are saved, want %d, %d, %d; %v", n, traces, solved,
					c.units, c.traces, c.solved, err)
			}
			i := slices.IndexFunc(r.Experiments, func(x sqlite.Recovered) bool { return x.Name == "e" })
			if i < 0 {
				t.Fatalf("%+v", r)
			}
			x := r.Experiments[i]
			if x.Results != n || x.Traces != traces || x.Solutions != solved ||
				x.Units+len(x.Lost) > all || r.Bad == 0 {
				t.Errorf("%d, %d, %d are saved: %+v", n, traces, solved, r)
			}
			t.Logf("%+v", r)
			// The same line makes what is lost.
			p := plan(seeds, 40)
			for _, name := range []string{"e", "f"} {
				if _, err := s.Add(ctx, name, p, units(t, p)); err != nil {
					t.Error(err)
				}
				if i, err := s.Info(ctx, name); err != nil || i.Units != all {
					t.Errorf("%+v, %v", i, err)
				}
			}
			if err := s.Check(ctx); err != nil {
				t.Error(err)
			}
		})
	}
}

// Whatever bytes are written over, nothing panics, and what is said to be saved is what was made.
func TestRecoverRandom(t *testing.T) {
	t.Parallel()
	_, data := closed(t, 5)
	for seed := range uint64(60) {
		g := rand.New(rand.NewPCG(seed, 24))
		bad := slices.Clone(data)
		for range 1 + g.IntN(6) {
			at := g.IntN(len(bad))
			for i := range bad[at:min(len(bad), at+1+g.IntN(5000))] {
				bad[at+i] = byte(g.Uint32())
			}
		}
		if g.IntN(4) == 0 {
			bad = bad[:g.IntN(len(bad))]
		}
		path := filepath.Join(t.TempDir(), "x.sqlite")
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := sqlite.Recover(t.Context(), path, false)
		if errors.Is(err, sqlite.ErrNothing) || errors.Is(err, sqlite.ErrWhole) {
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		s := open(t, path)
		for _, e := range []string{"e", "f"} {
			if _, err := s.Info(t.Context(), e); err != nil && !errors.Is(err, experiment.ErrUnknown) {
				t.Errorf("seed %d: %v", seed, err)
			}
		}
		if err := s.Check(t.Context()); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

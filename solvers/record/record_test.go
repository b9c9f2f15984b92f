package record_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"metalab/solvers/record"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func sample() *record.Record {
	h := record.NewHeader()
	h.Run, h.Solver, h.Variant, h.Revision, h.Backend, h.Seed = "a", "acs", "seq", 1, "cpu", 7
	best := 21282.0
	h.Instance = record.InstanceRef{Name: "x", Kind: "tsp", Size: 4, SHA256: "ab", Best: &best}
	h.Params = record.Values{
		"q0": record.Num(0.9), "storage": record.Text("matrix"), "reset": record.Bool(true),
	}
	h.Measures = []string{"branching"}
	h.StartedAt = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return &record.Record{
		Header: h,
		Points: []record.Point{
			{
				Iter: 1, Best: 30, IterBest: 30, Mean: 31.5, Measures: []float64{2.25}, Digest: 1,
				Improved: true,
			},
			{
				Iter: 2, Best: 30, IterBest: 33, Mean: 34, Measures: []float64{math.NaN()},
				Digest: math.MaxUint64, Wall: 0.5, CPU: 0.25,
			},
		},
		Journal: []record.Change{
			{
				Iter: 1, Kind: record.KindSet, Name: "q0", Old: record.Num(0.9), New: record.Num(0),
				Who: "prompt",
			},
		},
		Best: record.Best{Iter: 1, Value: 30, Solution: record.Solution{Perm: []int32{0, 2, 1, 3}}},
		Repeats: []record.Series{
			{Params: record.Values{
				"q0": record.Num(0.9),
			}, Backend: "cpu", Budget: record.Budget{Iterations: 2}, Seeds: []record.Seeded{
				{
					Seed: 7, Iter: 2, Best: 30, Digest: 1,
					Curve: record.Curve{
						Iter: []int64{1, 2}, Best: []float64{31, 30}, Wall: []float64{0.1, 0.2},
						CPU: []float64{0.1, 0.1},
					},
					Wall: 0.2, CPU: 0.1,
				},
				{
					Seed: math.MaxUint64, Iter: 2, Best: math.Inf(1), Digest: math.MaxUint64,
					Curve: record.Curve{Iter: []int64{}, Best: []float64{}, Wall: []float64{}, CPU: []float64{}},
				},
			}},
			{Params: record.Values{"q0": record.Num(0.9)}, Backend: "cpu", Budget: record.Budget{
				Wall: 1.5, Until: "gap<1",
			}, Seeds: []record.Seeded{
				{
					Seed: 7, Iter: 1, Best: 31, Why: "gap 0.5% reached",
					Curve: record.Curve{
						Iter: []int64{1}, Best: []float64{31}, Wall: []float64{0.1}, CPU: []float64{0.1},
					},
				},
			}},
		},
		End: 2, Digest: math.MaxUint64, Whole: true,
	}
}

func encode(t testing.TB, r *record.Record) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := r.Encode(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var options = cmp.Options{
	cmp.Comparer(func(a, b float64) bool { return a == b || (math.IsNaN(a) && math.IsNaN(b)) }),
	cmp.Comparer(func(a, b record.Value) bool { return a == b }),
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	r := sample()
	got, err := record.Decode(bytes.NewReader(encode(t, r)))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(r, got, options); d != "" {
		t.Error(d)
	}
}

// A whole number has all its digits below 10^15, and is written as JSON's floating point from there
// on; none is changed by the file.
func TestLargeNumbers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		value float64
		text  string
	}{
		{999999999999999, "999999999999999"},
		{-999999999999999, "-999999999999999"},
		{1e15, "1e+15"},
		{-1e15, "-1e+15"},
		{1 << 53, "9.007199254740992e+15"},
		{1 << 63, "9.223372036854776e+18"},
		{-1e300, "-1e+300"},
		{math.Inf(1), "null"},
		{.1, "0.1"},
	} {
		r := sample()
		r.Points[0].Best = c.value
		b := encode(t, r)
		if want := `{"i":1,"best":` + c.text + `,`; !bytes.Contains(b, []byte(want)) {
			t.Errorf("%v: no %s in %s", c.value, want, b)
		}
		got, err := record.Decode(bytes.NewReader(b))
		if err != nil || got.Points[0].Best != c.value {
			t.Errorf("%v is read as %+v, %v", c.value, got, err)
		}
	}
}

// Acts leaves arrivals out, wherever they stand, and nothing else.
func TestActs(t *testing.T) {
	t.Parallel()
	of := func(kinds ...string) (journal []record.Change) {
		for i, k := range kinds {
			journal = append(journal, record.Change{Iter: int64(i), Kind: k})
		}
		return journal
	}
	const set, came, stop = record.KindSet, record.KindArrival, record.KindStop
	for _, c := range []struct {
		journal []record.Change
		at      []int64 // the entries that stay
	}{
		{of(), nil},
		{of(came), nil},
		{of(set, stop), []int64{0, 1}},
		{of(came, set, came, came, record.KindMigrant, stop, came), []int64{1, 4, 5}},
		{of(set, came, record.KindFork, came, record.KindUndo), []int64{0, 2, 4}},
	} {
		var at []int64
		for _, a := range record.Acts(c.journal) {
			if a.Kind != c.journal[a.Iter].Kind {
				t.Errorf("entry %d is %q, was %q", a.Iter, a.Kind, c.journal[a.Iter].Kind)
			}
			at = append(at, a.Iter)
		}
		if d := cmp.Diff(c.at, at); d != "" {
			t.Errorf("%v: %s", c.journal, d)
		}
	}
}

// Evaluations are kept beside a measure that a solver of one's own may call so.
func TestEvals(t *testing.T) {
	for _, names := range [][]string{{"spread"}, {"evals"}} {
		r := record.Record{Header: record.NewHeader()}
		r.Header.Measures = names
		r.Points = []record.Point{{Iter: 1, Best: 2, IterBest: 2, Mean: 3, Measures: []float64{0.5}}}
		if names[0] != "evals" {
			r.Points[0].Evals = 1 << 40
		}
		r.End = 1
		var b bytes.Buffer
		if err := r.Encode(&b); err != nil {
			t.Fatal(err)
		}
		got, err := record.Decode(&b)
		if err != nil || got.Points[0].Evals != r.Points[0].Evals || got.Points[0].Measures[0] != 0.5 {
			t.Errorf("%v: %+v, %v", names, got, err)
		}
	}
}

// A record without repeats is one that earlier programs read.
func TestVersions(t *testing.T) {
	t.Parallel()
	s := sample()
	if b := encode(t, s); !bytes.HasPrefix(b, []byte(`{"metalab":"record","version":2,`)) {
		t.Errorf("with repeats: %.60s", b)
	}
	s.Repeats = nil
	if b := encode(t, s); !bytes.HasPrefix(b, []byte(`{"metalab":"record","version":1,`)) {
		t.Errorf("without: %.60s", b)
	}
}

func TestEveryLineIsJSON(t *testing.T) {
	t.Parallel()
	for i, line := range strings.Split(strings.TrimSpace(string(encode(t, sample()))), "\n") {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Errorf("line %d: %v: %s", i+1, err, line)
		}
	}
}

// TestCutAnywhere cuts the file at every byte: what is left is a record, or an error
// when not even the header is whole.
func TestCutAnywhere(t *testing.T) {
	t.Parallel()
	b := encode(t, sample())
	head := bytes.IndexByte(b, '\n')
	for n := range b {
		r, err := record.Decode(bytes.NewReader(b[:n]))
		switch {
		case n < head && err == nil:
			t.Fatalf("cut at %d: no error for half a header", n)
		case n >= head && err != nil:
			t.Fatalf("cut at %d: %v", n, err)
		case n >= head && r.Whole:
			t.Fatalf("cut at %d: the record says that it is whole", n)
		case n >= head && len(r.Points) > 0 && r.Digest != r.Points[len(r.Points)-1].Digest:
			t.Fatalf("cut at %d: end %d digest %x", n, r.End, r.Digest)
		}
		if _, d, err := record.DecodePart(bytes.NewReader(b[:n])); n >= head && (d != nil || err != nil) {
			t.Fatalf("cut at %d: damage %+v, %v", n, d, err)
		}
		for _, c := range safe(r) {
			if c.Iter > r.End {
				t.Fatalf("cut at %d: a change at %d after the end %d", n, c.Iter, r.End)
			}
		}
	}
}

// TestCutWithZeros cuts the file within each line and puts a zero byte there, as a disk that lost
// its power does: behind the header Decode returns what stands before, and DecodePart names the
// line.
func TestCutWithZeros(t *testing.T) {
	t.Parallel()
	b := encode(t, sample())
	for line, at := 1, 0; at < len(b); line++ {
		cut := append(bytes.Clone(b[:at+5]), 0)
		r, err := record.Decode(bytes.NewReader(cut))
		if (line == 1) != (err != nil) || line > 1 && r.Whole {
			t.Errorf("cut in line %d: %+v, %v", line, r, err)
		}
		_, d, err := record.DecodePart(bytes.NewReader(cut))
		if err != nil || d == nil || d.Line != line || d.Kept != int64(at) || d.Lost != 6 {
			t.Errorf("cut in line %d: damage %+v, %v", line, d, err)
		}
		at += bytes.IndexByte(b[at:], '\n') + 1
	}
}

func safe(r *record.Record) []record.Change {
	if r == nil {
		return nil
	}
	return r.Journal
}

func TestBadFiles(t *testing.T) {
	t.Parallel()
	good := string(encode(t, sample()))
	for name, c := range map[string]struct{ file, want string }{
		"empty":         {"", "line 1: the file is empty"},
		"not a record":  {"{}\n", "line 1: it does not begin with"},
		"rubbish":       {"\x00\x01\n", "line 1"},
		"other version": {strings.Replace(good, `"version":2`, `"version":9`, 1), "format version 9"},
		"bad point": {strings.Replace(
			good, `"digest":"0000000000000001"`, `"digest":"xyz"`, 1,
		), "line 2: digest is"},
		"no measure": {strings.Replace(
			good, `"branching":2.25,`, ``, 1,
		), `line 2: no measure "branching"`},
		"no series": {strings.Replace(
			good, `"series":2,"seed"`, `"series":3,"seed"`, 1,
		), "series is 3, want 1 to 2"},
		"series apart": {strings.Replace(
			good, `"series":2,"params"`, `"series":3,"params"`, 1,
		), "series is 3 after 1"},
		"half a curve": {strings.Replace(good, `"best":[31,30]`, `"best":[31]`, 1), "not of one length"},
		"out of order": {strings.Replace(
			good, `{"i":2,"best":30,"iter_best":33`, `{"i":1,"best":30,"iter_best":33`, 1,
		), "i is 1 after 1"},
	} {
		_, err := record.Decode(strings.NewReader(c.file))
		if !errors.Is(err, record.ErrFormat) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want it to contain %q", name, err, c.want)
		}
	}
}

func TestAtomicLeavesTheOldFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a.run")
	if err := sample().WriteFile(path); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(path)
	bad := sample()
	bad.Header.Params["q0"] = record.Num(math.NaN())
	if err := bad.WriteFile(path); err == nil {
		t.Error("a record with a value that JSON does not have was written")
	}
	after, _ := os.ReadFile(path)
	if !bytes.Equal(before, after) {
		t.Error("the old file changed")
	}
	if fs, _ := os.ReadDir(dir); len(fs) != 1 {
		t.Errorf("%d files are left, want 1", len(fs))
	}
}

func TestAppenderMakesARecord(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.run")
	s := sample()
	a, err := record.Create(path, s.Header)
	if err != nil {
		t.Fatal(err)
	}
	a.Point(s.Points[0], s.Header.Measures)
	a.Change(s.Journal[0])
	a.Point(s.Points[1], s.Header.Measures)
	a.Best(s.Best)
	for i, x := range s.Repeats {
		a.Series(i+1, x)
		for _, y := range x.Seeds {
			a.Seeded(i+1, y)
		}
	}
	a.Seeded(1, s.Repeats[0].Seeds[0]) // a seed that is made anew takes the place of the old one
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := record.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s.Whole = false
	if d := cmp.Diff(s, got, options); d != "" {
		t.Error(d)
	}
}

func TestValueParse(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]record.Value{
		"0.98": record.Num(0.98), "-3": record.Num(-3), "1e3": record.Num(1000),
		"true":  record.Bool(true),
		"false": record.Bool(false), "matrix": record.Text("matrix"), "nan": record.Text("nan"),
		"inf": record.Text("inf"), "": record.Text(""),
	} {
		if got := record.Parse(in); got != want {
			t.Errorf("Parse(%q) = %#v, want %#v", in, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		v := record.Num(rapid.Float64Range(-1e300, 1e300).Draw(t, "v"))
		if got := record.Parse(v.String()); got != v {
			t.Fatalf("Parse(%q) = %v", v, got)
		}
		j, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var w record.Value
		if err := json.Unmarshal(j, &w); err != nil || w != v {
			t.Fatalf("%v through JSON is %v, %v", v, w, err)
		}
	})
}

func FuzzDecode(f *testing.F) {
	b := encode(f, sample())
	f.Add(b)
	f.Add(b[:len(b)/2])
	f.Add([]byte(`{"metalab":"record","version":1}` + "\n" + `{"i":1,"change":"set"}` + "\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 4096 {
			t.Skip("large inputs only make it slow")
		}
		r, err := record.Decode(bytes.NewReader(b))
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := r.Encode(&out); err != nil {
			t.Skipf("not to be written: %v", err)
		}
		if _, err := record.Decode(&out); err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
	})
}

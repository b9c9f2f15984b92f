package datasets_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"metalab/datasets"
)

var update = flag.Bool(
	"update", false, "renew the hashes in known.tsv from METALAB_DATA and the generators",
)

// knownRows returns the rows of the table, without its sources.
func knownRows(t *testing.T) (lines []string, rows [][]string) {
	t.Helper()
	text, err := os.ReadFile("known.tsv")
	if err != nil {
		t.Fatal(err)
	}
	lines = strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for _, line := range lines {
		if !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "source\t") {
			rows = append(rows, strings.Split(line, "\t"))
		}
	}
	return lines, rows
}

func TestKnownTable(t *testing.T) {
	lines, rows := knownRows(t)
	seen := map[string]bool{}
	for _, row := range rows {
		if len(row) != 7 || seen[row[0]] || len(row[6]) != 64 && !*update {
			t.Errorf("bad row %q", row)
		}
		seen[row[0]] = true
	}
	if len(rows) < 270 {
		t.Errorf("%d rows, want at least 270", len(rows))
	}
	if !*update {
		return
	}
	dataFolder(t)
	for i, line := range lines {
		col := strings.Split(line, "\t")
		if len(col) != 7 {
			continue
		}
		inst, err := datasets.Load(col[0], datasets.Offline())
		if err != nil {
			t.Fatal(err)
		}
		col[6] = inst.SHA256()
		lines[i] = strings.Join(col, "\t")
	}
	if err := os.WriteFile("known.tsv", []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Every published instance loads by name and is what the table says.
func TestEveryKnownInstanceLoads(t *testing.T) {
	t.Parallel()
	dataFolder(t)
	_, rows := knownRows(t)
	for _, row := range rows {
		if testing.Short() && strings.HasSuffix(row[0], "1M.0") {
			continue
		}
		inst, err := datasets.Load(row[0], datasets.Offline(), datasets.Cache(""))
		if err != nil {
			t.Error(err)
			continue
		}
		best, ok := inst.BestKnown()
		value := strconv.FormatFloat(best.Value, 'f', -1, 64)
		if inst.Name() != row[0] || string(inst.Kind()) != row[1] ||
			strconv.Itoa(inst.Size()) != row[2] ||
			!ok || value != row[3] || best.Proven != (row[4] == "optimal") || best.Source == "" ||
			inst.SHA256() != row[6] {
			t.Errorf("%s is %s %s %d, best %s %v (%v), hash %s; want %q", row[0],
				inst.Name(), inst.Kind(), inst.Size(), value, best.Proven, ok, inst.SHA256(), row)
		}
	}
}

// The table holds the values of the data folder, but for the two whose notes say why.
func TestKnownValuesAreThePublishedOnes(t *testing.T) {
	t.Parallel()
	dir := dataFolder(t)
	_, rows := knownRows(t)
	values := map[string]string{}
	for _, row := range rows {
		values[row[0]] = row[3]
	}
	count := 0
	for _, file := range []string{"tsplib", "tsplib/atsp", "vlsi", "art", "dimacs"} {
		for name, o := range optima(t, filepath.Join(dir, file, "optima.json")) {
			want := strconv.FormatInt(o.Optimum, 10)
			if name == "linhp318" {
				want = "45214" // the path and the fixed edge
			}
			if values[name] != want {
				t.Errorf("%s has the value %s, want %s", name, values[name], want)
			}
			count++
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "qaplib", "bks.json"))
	if err != nil {
		t.Fatal(err)
	}
	var bks map[string]struct{ Value int64 }
	if err := json.Unmarshal(text, &bks); err != nil {
		t.Fatal(err)
	}
	for name, b := range bks {
		if values[name] != strconv.FormatInt(b.Value, 10) {
			t.Errorf("%s has the value %s, want %d", name, values[name], b.Value)
		}
		count++
	}
	if count != len(rows) {
		t.Errorf("the table has %d rows, want %d", len(rows), count)
	}
}

// A published instance is known by its numbers, whatever its file is called.
func TestBestKnownUnderAnotherName(t *testing.T) {
	t.Parallel()
	made, err := datasets.LoadTSP("E1k.0")
	if err != nil {
		t.Fatal(err)
	}
	want, ok := made.BestKnown()
	p, err := datasets.NewTSP("mine", made.Metric, made.X, made.Y)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if best, ok := p.BestKnown(); !ok || best != want {
		t.Errorf("E1k.0 called mine: %v %v, want %v", best, ok, want)
	}
	near := slices.Clone(made.X)
	near[7]++
	if p, err = datasets.NewTSP("E1k.0", made.Metric, near, made.Y); err != nil {
		t.Fatal(err)
	}
	if best, ok := p.BestKnown(); ok {
		t.Errorf("other numbers called E1k.0: %v", best)
	}
	q, err := datasets.Load("tai10a")
	if err != nil {
		t.Fatal(err)
	}
	if want, ok := q.BestKnown(); ok {
		a := q.(*datasets.QAP)
		b, err := datasets.NewQAP("mine", a.N, a.A, a.B)
		if err != nil {
			t.Fatal(err)
		}
		if best, ok := b.BestKnown(); !ok || best != want {
			t.Errorf("tai10a called mine: %v %v, want %v", best, ok, want)
		}
	}
}

func TestBestKnownIsOfThePublishedDataOnly(t *testing.T) {
	t.Parallel()
	x := make([]float64, 1002)
	p, err := datasets.NewTSP("pr1002", datasets.Euc2D, x, slices.Clone(x))
	if err != nil {
		t.Fatal(err)
	}
	if best, ok := p.BestKnown(); ok {
		t.Errorf("other cities called pr1002 have the best known value %v", best.Value)
	}
}

func TestLinhp318IsLin318(t *testing.T) {
	t.Parallel()
	dataFolder(t)
	a, err := datasets.LoadTSP("linhp318")
	if err != nil {
		t.Fatal(err)
	}
	b, err := datasets.LoadTSP("lin318")
	if err != nil {
		t.Fatal(err)
	}
	if a.Name() != "linhp318" || a.Title != "lin318" || len(a.Fixed) != 1 ||
		a.Fixed[0] != [2]int32{0, 213} {
		t.Errorf("linhp318: name %s, title %s, fixed %v", a.Name(), a.Title, a.Fixed)
	}
	if a.Unfixed().SHA256() != b.SHA256() || a.SHA256() == b.SHA256() || a.Dist(0, 213) != 3869 {
		t.Errorf("hashes %s and %s, fixed edge %d", a.SHA256(), b.SHA256(), a.Dist(0, 213))
	}
}

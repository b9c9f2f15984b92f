package host_test

import (
	"encoding/csv"
	"fmt"
	"io/fs"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/kernel/reply"
	"metalab/solvers"
)

// What of a record is false is not used, and load says so; a good one loads without a word.
func TestFalseRecords(t *testing.T) {
	t.Parallel()
	l := start(t, options(t))
	dir := t.TempDir()
	l.do("open walk rand-30-1 as a; step a 40; save a " + dir + "/a.run; open walk rand-30-1 as b " +
		"seed=9; step b 20; save b " + dir + "/b.run")
	read := func(path string) string {
		t.Helper()
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	good, state := read(dir+"/a.run"), read(solvers.StatePath(dir+"/a.run"))
	perm := regexp.MustCompile(`"perm":\[[0-9,]*\]`)
	zeros := `"perm":[` + strings.Repeat("0,", 29) + "0]"
	other := perm.FindString(read(dir + "/b.run"))
	for name, c := range map[string]struct{ record, state, want string }{
		"good": {good, state, ""},
		"size": {
			strings.Replace(good, `"size":30`, `"size":31`, 1), state,
			"the record says that rand-30-1 has size 31, and it has 30",
		},
		"zeros": {
			perm.ReplaceAllString(good, zeros), state,
			"the best solution in the record was not used: ",
		},
		"anothers_best": {
			perm.ReplaceAllString(good, other), state,
			"the best solution in the record was not used: its value is ",
		},
		"anothers_state": {
			good, read(solvers.StatePath(dir + "/b.run")),
			"the state beside the record was not used, the iterations were made again: ",
		},
		"garbage": {good, "garbage", "the state beside the record was not used"},
	} {
		path := fmt.Sprintf("%s/%s.run", dir, name)
		if c.record == good && c.want != "" && c.state == state {
			t.Fatalf("%s: the record was not changed", name)
		}
		for p, text := range map[string]string{path: c.record, solvers.StatePath(path): c.state} {
			if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		r := l.do("load " + path + " as " + name).(*reply.OpenReply)
		if (r.Unused == "") != (c.want == "") || !strings.HasPrefix(r.Unused, c.want) ||
			!strings.Contains(r.String(), c.want) || !strings.Contains(r.HTML(), reply.Escape(c.want)) {
			t.Errorf("%s: load says %q, want %q", name, r.Unused, c.want)
		}
		// A state that is of no use says nothing against the record.
		if r.Parts() != (c.record != good) {
			t.Errorf("%s: a false record: %v", name, r.Parts())
		}
		if d := l.do("replay " + path).(*reply.ReplayReply); d.Identical != (c.record == good) {
			t.Errorf("%s: %s", name, d)
		}
		if d := l.do("diff a " + name).(*reply.DiffReply); !d.Identical {
			t.Errorf("%s: the run is another: %s", name, d)
		}
	}
}

// The address of the dashboard, asked for by a page of another origin, is not said to be too old,
// and is good afterwards.
func TestTicketOfAnotherOrigin(t *testing.T) {
	t.Parallel()
	l := start(t, options(t))
	base, ticket := l.address()
	enter := `{"ticket":"` + ticket + `"}`
	page := func(origin string) *visitor {
		v := &visitor{
			lab: l, base: base, origin: origin, client: http.Client{Transport: &http.Transport{}},
		}
		t.Cleanup(v.client.CloseIdleConnections)
		return v
	}
	foreign := page(evil)
	body := foreign.refused("a page of another origin", enter, evil)
	if !strings.Contains(body, evil) || strings.Contains(body, "too late") {
		t.Errorf("the reason is %s", body)
	}
	old := foreign.refused("no ticket", `{"ticket":"`+strings.Repeat("0", 32)+`"}`, evil)
	if !strings.Contains(old, "too late") {
		t.Errorf("the reason is %s", old)
	}
	if status, _, body := page(base).ask("POST", "/v1/enter", enter, "Origin", base); status != 200 {
		t.Errorf("the dashboard's own page: %d %s", status, body)
	}
}

// What lies in folders of the user alone is the user's alone too.
func TestModes(t *testing.T) {
	t.Parallel()
	l := start(t, options(t))
	private := filepath.Join(t.TempDir(), "mine")
	if err := os.Mkdir(private, 0o700); err != nil {
		t.Fatal(err)
	}
	l.do("open walk rand-30-1 as a; step a 40; save a " + private + "/a.run; export a " + private +
		"/a.csv; export a " + private + "/a.tour; plot a to " + private + "/a.svg; experiment e " +
		"solvers=walk instances=rand-20-1 seeds=2 n=5; experiment e export to " + private + "/e.csv; " +
		"close a; open walk rand-20-1 as c; recover")
	files := 0
	for _, dir := range []string{l.o.StateDir, private} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.Type()&fs.ModeSocket != 0 {
				return err
			}
			st, err := d.Info()
			if err != nil {
				return err
			}
			files++
			if st.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s has mode %v", path, st.Mode())
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 10 {
		t.Errorf("only %d files were seen", files)
	}
}

// measured is a walk whose measure has a name that is a formula.
type measured struct{ *walk }

func (measured) Measures() []string { return []string{`=cmd,calc|"b"`} }

func init() {
	solvers.Register(solvers.Variant{
		Solver: "measured", Name: "swap", Backend: "cpu", Revision: 1, Default: true,
		Deterministic: true, Kinds: []datasets.Kind{datasets.KindTSP}, Title: "a walk with a measure",
		New: func(inst datasets.Instance) (solvers.Algorithm, error) {
			return measured{&walk{inst: inst.(*datasets.TSP), Moves: 10, best: math.Inf(1)}}, nil
		},
	})
}

// The measures of a solver, whose names anybody chooses, are cells of one line.
func TestExportedNamesAreText(t *testing.T) {
	t.Parallel()
	l := start(t, options(t))
	path := filepath.Join(t.TempDir(), "a.csv")
	l.do("open measured rand-20-1 as a; step a 3; export a " + path)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) != 4 {
		t.Fatalf("%q, %v", rows, err)
	}
	head := strings.Join(rows[0], "|")
	if !strings.HasSuffix(head, "|skipped|'=cmd,calc|\"b\"") {
		t.Errorf("the head is %s", head)
	}
}

package export_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/kernel/host/internal/hosttest"
	"metalab/solvers"
)

// The measures of a solver, whose names anybody chooses, are cells of one line.
func TestExportedNamesAreText(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	path := filepath.Join(t.TempDir(), "a.csv")
	l.Do("open measured rand-20-1 as a; step a 3; export a " + path)
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

// measured is a walk whose measure has a name that is a formula.
type measured struct{ *hosttest.Walk }

func (measured) Measures() []string { return []string{`=cmd,calc|"b"`} }

func init() {
	solvers.Register(solvers.Variant{
		Solver: "measured", Name: "swap", Backend: "cpu", Revision: 1, Default: true,
		Deterministic: true, Kinds: []datasets.Kind{datasets.KindTSP}, Title: "a walk with a measure",
		New: func(inst datasets.Instance) (solvers.Algorithm, error) {
			return measured{hosttest.NewWalk(inst)}, nil
		},
	})
}

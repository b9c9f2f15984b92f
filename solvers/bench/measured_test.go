package bench

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// Every figure that is kept belongs to a row of today's tables.
func TestMeasuredFiles(t *testing.T) {
	t.Parallel()
	for name, m := range measured() {
		table, err := Find(name)
		if err != nil || m.Table != name {
			t.Errorf("measured/%s.txt: %v", name, err)
			continue
		}
		tidy := m
		tidy.Rows = slices.Clone(m.Rows)
		tidy.Tidy(table)
		if got, want := tidy.String(), m.String(); got != want {
			t.Errorf("measured/%s.txt has rows that the table lacks, or another order; mend it by "+
				"go run ./solvers/bench/keep </dev/null", name)
		}
	}
}

// What is written is read again; merging replaces seeds of the same revision and adds others.
func TestMeasured(t *testing.T) {
	t.Parallel()
	table, err := Find("kang-2")
	if err != nil {
		t.Fatal(err)
	}
	row := &table.Rows[0]
	one := Kept{
		What: row.What, Instance: row.Instance, Settings: row.Settings(), Revision: 3,
		Seeds: []int{1, 2, 4}, Values: []float64{1.25, math.Inf(1), 18668723},
	}
	m := Measured{Table: "kang-2"}
	made := Made{"2026-11-22", "a machine", "go1", "bench kang-2"}
	if err := m.Merge(table, made, one); err != nil {
		t.Fatal(err)
	}
	again, err := ParseMeasured("kang-2.txt", m.String())
	if err != nil || again.String() != m.String() || !slices.Equal(again.Rows[0].Seeds, one.Seeds) ||
		!slices.Equal(again.Rows[0].Values, one.Values) {
		t.Fatalf("read again: %+v, %v", again, err)
	}
	one.Seeds, one.Values = []int{3, 4}, []float64{7, 8}
	if err := m.Merge(table, made, one); err != nil {
		t.Fatal(err)
	}
	if got := m.Rows[0]; !slices.Equal(got.Seeds, []int{1, 2, 3, 4}) ||
		!slices.Equal(got.Values, []float64{1.25, math.Inf(1), 7, 8}) {
		t.Errorf("merged: %+v", got)
	}
	one.Revision = 4
	if err := m.Merge(table, made, one); err != nil || !slices.Equal(m.Rows[0].Seeds, []int{3, 4}) {
		t.Errorf("seeds of another revision stay: %+v, %v", m.Rows, err)
	}
	one.Settings += " more=1"
	if err := m.Merge(table, made, one); err == nil || !strings.Contains(err.Error(), "more=1") {
		t.Errorf("a row that the table lacks is taken: %v", err)
	}
	m.Rows[0].Settings += " old=1"
	if m.Tidy(table); len(m.Rows) != 0 || len(m.Made) != 0 {
		t.Errorf("a row that the table lacks stays: %+v", m)
	}
}

// What was measured for a table stands also in a table of the paper that measures the same: tables
// 3 and 4 of the paper differ in the chip of the published figures alone.
func TestMeasuredOfOtherTables(t *testing.T) {
	t.Parallel()
	own := map[string][]float64{}
	for _, k := range measured()["mmas-4"].Rows {
		own[k.What] = k.Values
	}
	if len(own) == 0 {
		t.Fatal("mmas-4 has no kept figures")
	}
	table, err := Find("mmas-3")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := Recall(table, "GPU")
	if err != nil {
		t.Fatal(err)
	}
	shared := 0
	for _, o := range rows {
		want, ok := own[o.Row.What]
		if !ok || !o.Row.runs() {
			continue
		}
		if shared++; !slices.Equal(o.Values, want) || o.Made == 0 {
			t.Errorf("%s: %v made %d, want those of mmas-4, %v", o.Row.What, o.Values, o.Made, want)
		}
	}
	if shared != len(own) {
		t.Errorf("mmas-3 has %d rows of the %d of mmas-4", shared, len(own))
	}
}

func TestParseMeasuredRefuses(t *testing.T) {
	t.Parallel()
	head := "table: kang-2\nmade: a | b | c | d\n" + measuredColumns + "\n"
	for text, want := range map[string]string{
		"table: kang-2\n":                "there is no table",
		"tabel: x\n":                     `line 1: "tabel: x"`,
		"made: a | b\n":                  `line 1: made is "a | b"`,
		head + "1 | a\n":                 "line 4: 2 cells",
		head + "2|a|b|c|1|1|1\n":         `made is "2", want 1 to 1`,
		head + "1|a|b|c|x|1|1\n":         `revision is "x"`,
		head + "1|a|b|c|1|2-1|1\n":       `seeds are "2-1"`,
		head + "1|a|b|c|1|1-9999999|1\n": `seeds are "1-9999999"`,
		head + "1|a|b|c|1|1,1|1 1\n":     `seeds are "1,1"`,
		head + "1|a|b|c|1|1-2|1\n":       "1 figures of 2 seeds",
		head + "1|a|b|c|1|1|NaN\n":       `"NaN" is no figure`,
	} {
		_, err := ParseMeasured("x.txt", text)
		if err == nil || !strings.Contains(err.Error(), "measured/x.txt: ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// The GPU of a machine is the one that measured, not that whose host's core did.
func TestMadeGPU(t *testing.T) {
	t.Parallel()
	for machine, want := range map[string]string{
		"one H100, 16 cores of its host":                                 "H100",
		"two H200 (driver 580), 32 cores of a Xeon":                      "H200",
		"one NVIDIA H200 (driver 580), 16 cores of its host":             "H200",
		"Intel(R) Xeon(R) Processor, 2 cores; GPU NVIDIA H100 80GB HBM3": "H100",
		"a core of an H200's host, a Xeon, with others busy":             "",
		"Intel(R) Xeon(R) Processor, 2 cores":                            "",
		"Intel(R) Xeon(R) Processor, 2 cores, no GPU":                    "",
	} {
		if got := (Made{Machine: machine}).GPU(); got != want {
			t.Errorf("%q: %q, want %q", machine, got, want)
		}
	}
	for name, m := range measured() {
		for _, r := range m.Rows {
			if made := m.Made[r.Made-1]; strings.Contains(r.Settings, "backend=cuda") && made.GPU() == "" {
				t.Errorf("%s: %s is of a GPU, measured on %q", name, r.What, made.Machine)
			}
		}
	}
}

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalab/solvers/bench"
)

// What bench prints becomes a file, which a second reading brings up to date.
func TestKeep(t *testing.T) {
	t.Parallel()
	table, err := bench.Find("kang-2")
	if err != nil {
		t.Fatal(err)
	}
	row := &table.Rows[0]
	line := func(seeds, values string) string {
		return `{"verb":"bench","table":{"name":"kang-2"},"machine":"m","go":"go1","date":"2000-01-01",` +
			`"rows":[{"what":"` + row.What + `","instance":"` + row.Instance + `","settings":"` +
			row.Settings() + `","revision":1,"seeds":[` + seeds + `],"values":[` + values + `]},` +
			`{"what":"gone","settings":"x","seeds":[1],"values":[1]},` +
			`{"what":"failed","values":[],"error":"no GPU"}]}` + "\n"
	}
	dir := t.TempDir()
	var out strings.Builder
	in := "a line of something else\n" + line("1,2", "30,null") + line("4", "40")
	if err := keep(dir, "a small machine", "", nil, strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1 rows, 3 figures", "line 1 is passed over", `"gone"`, "no GPU"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
	if err := keep(dir, "", "", nil, strings.NewReader(line("3,4", "35,41")), &out); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "kang-2.txt"))
	if err != nil || !strings.Contains(string(text), "| 1 | 1-4 | 30 +Inf 35 41\n") ||
		!strings.Contains(string(text), "2000-01-01 | m | go1 | bench kang-2") {
		t.Errorf("the file is %v\n%s", err, text)
	}
	none := strings.NewReader(`{"verb":"bench","table":{"name":"nothing"}}`)
	err = keep(dir, "", "", nil, none, &out)
	if err == nil || !strings.Contains(err.Error(), `"nothing"`) {
		t.Errorf("a table that is not there: error %v", err)
	}
}

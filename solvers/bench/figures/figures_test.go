package figures

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

func TestTables(t *testing.T) {
	t.Parallel()
	list, err := read(files)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		if _, err := os.Stat("../../../" + f.About); err != nil {
			t.Errorf("%s is about %s: %v", f.Name, f.About, err)
		}
		date := regexp.MustCompile(`^\d{4}-\d\d(-\d\d)?$|not noted`)
		if !date.MatchString(f.Date) {
			t.Errorf("%s has the date %q, want as 2026-11-22", f.Name, f.Date)
		}
	}
}

// README.md shows what the files say; go generate writes it.
func TestPage(t *testing.T) {
	t.Parallel()
	have, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != Page() {
		t.Error("README.md differs from the files: go generate ./solvers/bench/figures")
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	const head = "title: Gaps\nabout: solvers/ils\nmachine: a core\ndate: 2026-11-22\ncommand: bench\n"
	got, err := parse("x", head+"note: One,\n  two.\nnote: Three.\n\na | b\n1 | 2\n | -\n")
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Notes) != 2 || got.Notes[0] != "One, two." || got.Columns[1] != "b" ||
		len(got.Rows) != 2 || got.Rows[0][0] != "1" || got.Rows[1][0] != "" {
		t.Errorf("read %+v", got)
	}
	for text, want := range map[string]string{
		"  a\n":                       "line 1: nothing goes before",
		"tittle: a\n":                 `line 1: key is "tittle", want title`,
		"title: a\ntitle: b\n":        "line 2: a second title",
		"title:\n":                    "line 1:",
		"title: a\n\na\n1\n":          "the head has no about",
		head + "\na | b\n1 | 2 | 3\n": "line 8: 3 columns, want 2",
		head + "\na | b\n":            "there is no table",
	} {
		_, err := read(fstest.MapFS{"x.txt": {Data: []byte(text)}})
		if err == nil || !strings.Contains(err.Error(), "x.txt: ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

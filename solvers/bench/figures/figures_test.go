package figures

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"metalab/solvers/bench/revision"
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
	const head = "title: Gaps\nabout: solvers/ils\nmachine: a core\ndate: 2026-11-22\n" +
		"command: bench\nrevisions: ils/queue 3\n"
	got, err := parse("x", head+"note: One,\n  two.\nnote: Three.\n\na | b\n1 | 2\n | -\n")
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Notes) != 2 || got.Notes[0] != "One, two." || got.Columns[1] != "b" ||
		len(got.Rows) != 2 || got.Rows[0][0] != "1" || got.Rows[1][0] != "" {
		t.Errorf("read %+v", got)
	}
	for text, want := range map[string]string{
		"  a\n":                              "line 1: nothing goes before",
		"tittle: a\n":                        `line 1: key is "tittle", want title`,
		"title: a\ntitle: b\n":               "line 2: a second title",
		"title:\n":                           "line 1:",
		"title: a\n\na\n1\n":                 "the head has no about",
		head + "\na | b\n1 | 2 | 3\n":        "line 9: 3 columns, want 2",
		head + "\na | b\n":                   "there is no table",
		head + "\na | revisions\n1 | none\n": "in the head and in a column",
		strings.Replace(head, "revisions: ils/queue 3\n", "", 1) + "\na | b\n1 | 2\n": `of revisions ""`,
	} {
		_, err := read(fstest.MapFS{"x.txt": {Data: []byte(text)}})
		if err == nil || !strings.Contains(err.Error(), "x.txt: ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// A row of another revision than today's says so, in whichever build; one of today's does not.
func TestEarlierRevisionsAreMarked(t *testing.T) {
	t.Parallel()
	now := revision.Of("ils/queue")
	was := fmt.Sprintf("ils/queue %d, ils/queue %d", now-1, now)
	got, err := parse("x", "title: Gaps\nabout: solvers/ils\nmachine: a core\ndate: 2026-11-22\n"+
		"command: bench\n\na | revisions\n1 | "+was+"\n2 | none\n")
	if err != nil {
		t.Fatal(err)
	}
	columns, rows := got.Marked()
	want := fmt.Sprintf("ils/queue %d (now %d), ils/queue %d", now-1, now, now)
	if len(columns) != 2 || columns[1] != "revision" || rows[0][1] != want || rows[1][1] != "" {
		t.Errorf("marked are %q %q, want %q", columns, rows, want)
	}
	for _, f := range All() {
		for _, list := range f.Revisions {
			for one := range strings.SplitSeq(list, ", ") {
				variant, r, _ := strings.Cut(one, " ")
				n, _ := strconv.Atoi(r)
				if list != "none" && (n < 1 || n > revision.Of(variant)) {
					t.Errorf("%s is of %s, whose revision is %d", f.Name, one, revision.Of(variant))
				}
			}
		}
	}
}

package tty_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"metalab/repl/internal/tty"
)

func TestEscapeEntry(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.SampledFrom([]rune("ab\\nr\n\r日"))).Draw(t, "entry")
		e := tty.EscapeEntry(s)
		if strings.ContainsAny(e, "\n\r") {
			t.Fatalf("%q escapes to %q", s, e)
		}
		if got := tty.UnescapeEntry(e); got != s {
			t.Fatalf("%q comes back as %q", s, got)
		}
	})
}

func TestHistoryFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "new", "folder", "history")
	if got, err := tty.LoadHistory(file); err != nil || got != nil {
		t.Fatalf("no file gives %q, %v", got, err)
	}
	want := []string{"open acs pr1002", "for {\n\tx()\n}", `back\slash \n`}
	for _, e := range want {
		if err := tty.AppendHistory(file, e); err != nil {
			t.Fatal(err)
		}
	}
	want[1] = "for {\n    x()\n}" // a line has no tabs
	got, err := tty.LoadHistory(file)
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("error %v, want -, got +:\n%s", err, d)
	}
}

func TestHistoryFileIsPrivate(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "history")
	if err := os.WriteFile(file, []byte("one\ntorn"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := tty.AppendHistory(file, "two"); err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if st.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, want 0600", st.Mode())
	}
	if got, _ := tty.LoadHistory(file); !slices.Equal(got, []string{"one", "torn", "two"}) {
		t.Errorf("got %q", got)
	}
}

func TestHistoryFileOfRubbish(t *testing.T) {
	t.Parallel()
	_, _, entry := tty.HistoryFileLimits()
	got := tty.ParseHistory([]byte("a\x00b\n\xff\xfe\n\x1b[31mred\n\n  \n" +
		strings.Repeat("x", 3*entry) + "\nlast"))
	if want := []string{"ab", "[31mred", "last"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, err := tty.LoadHistory(t.TempDir()); err == nil {
		t.Error("a folder is no history, but gives no error")
	}
	if err := tty.AppendHistory(filepath.Join(t.TempDir(), "no", "such", "folder"), "x"); err == nil {
		t.Error("nowhere to write, but no error")
	}
}

func FuzzParseHistory(f *testing.F) {
	f.Add([]byte("one\ntwo\\nlines\n\\\\"))
	f.Add([]byte("\x00\xff\r\n\\"))
	f.Fuzz(func(t *testing.T, b []byte) {
		entries := tty.ParseHistory(b)
		var lines []string
		for _, e := range entries {
			if strings.TrimSpace(e) == "" || strings.ContainsAny(e, "\x00\x1b\r\t") {
				t.Fatalf("entry %q", e)
			}
			lines = append(lines, tty.EscapeEntry(e))
		}
		if again := tty.ParseHistory([]byte(strings.Join(lines, "\n"))); !slices.Equal(again, entries) {
			t.Fatalf("%q is read as %q and then as %q", b, entries, again)
		}
	})
}

// Several processes append while one of them cuts the file down: nothing that
// was appended at the end is lost.
func TestHistoryFileShared(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "history")
	_, limit, _ := tty.HistoryFileLimits()
	if err := os.WriteFile(file, []byte(strings.Repeat(strings.Repeat("old ", 25)+"\n", limit/100)),
		0o600); err != nil {
		t.Fatal(err)
	}
	const writers, each = 4, 50
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				if err := tty.AppendHistory(file, fmt.Sprintf("writer %d entry %d", w, i)); err != nil {
					t.Error(err)
				}
				if w == 0 && i%10 == 0 {
					if _, err := tty.LoadHistory(file); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	got, err := tty.LoadHistory(file)
	if err != nil {
		t.Fatal(err)
	}
	for w := range writers {
		for i := range each {
			if e := fmt.Sprintf("writer %d entry %d", w, i); !slices.Contains(got, e) {
				t.Errorf("%q is lost", e)
			}
		}
	}
	if st, err := os.Stat(file); err != nil || st.Size() > int64(limit) {
		t.Errorf("size %d, error %v; want at most %d", st.Size(), err, limit)
	}
	left, err := filepath.Glob(file + "*")
	if err != nil || len(left) != 1 {
		t.Errorf("files left: %q", left)
	}
}

func TestFindHistory(t *testing.T) {
	t.Parallel()
	entries := []string{"step a 100", "Set a q0=0.9", "step a 100", "step b 7", "step a 200"}
	for _, c := range []struct {
		query string
		limit int
		want  []string
	}{
		{"", 2, []string{"step a 200", "step b 7"}},
		{"step", 9, []string{"step a 200", "step b 7", "step a 100"}},
		{"00 STEP", 9, []string{"step a 200", "step a 100"}},
		{"q0 set", 9, []string{"Set a q0=0.9"}},
		{"none", 9, nil},
	} {
		if d := cmp.Diff(c.want, tty.FindHistory(entries, c.query, c.limit)); d != "" {
			t.Errorf("%q: want -, got +:\n%s", c.query, d)
		}
	}
}

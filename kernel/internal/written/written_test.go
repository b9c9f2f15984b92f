package written_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"metalab/kernel/internal/written"
	"metalab/solvers/record"
)

// Whatever is written, changed and deleted in any order: a text that nobody but the book has
// written is never replaced by another one without force, and the book's own always is.
func TestNothingOfSomebodysIsReplaced(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		dir := filepath.Join(root, "files", string(rune('a'+n%26)))
		if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o700)); err != nil {
			t.Fatal(err)
		}
		book := written.Open(rapid.SampledFrom([]string{"", filepath.Join(dir, "book")}).Draw(t, "book"))
		path := filepath.Join(dir, "file")
		text := rapid.SampledFrom([]string{"one", "two", "three"})
		things := []written.Thing{
			{What: "a", Kind: "figure", Of: []string{"a"}},
			{What: "b", Kind: "figure", Of: []string{"b"}},
			{What: "a, b", Kind: "figure", Of: []string{"a", "b"}},
			{What: "a's history", Kind: "history", Of: []string{"a"}},
		}
		last := -1 // the thing that the book wrote and nobody changed
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			old, rerr := os.ReadFile(path)
			there := rerr == nil
			switch rapid.SampledFrom([]string{"put", "put", "force", "edit", "delete"}).Draw(t, "do") {
			case "edit":
				last = -1
				if err := os.WriteFile(path, []byte("mine "+text.Draw(t, "text")), 0o600); err != nil {
					t.Fatal(err)
				}
			case "delete":
				last = -1
				os.Remove(path)
			case "force":
				i := rapid.IntRange(0, len(things)-1).Draw(t, "thing")
				s := text.Draw(t, "text")
				if err := book.Put(path, things[i], true, put(s)); err != nil {
					t.Fatal(err)
				}
				last = i
			case "put":
				i := rapid.IntRange(0, len(things)-1).Draw(t, "thing")
				s := text.Draw(t, "text")
				err := book.Put(path, things[i], false, put(s))
				may := !there || last == i || last >= 0 && i == 2 && last < 2
				now, _ := os.ReadFile(path)
				switch {
				case may && (err != nil || string(now) != s):
					t.Fatalf("%q was not replaced by %q: %v", old, s, err)
				case may:
					last = i
				case string(now) != string(old):
					t.Fatalf("%q was replaced by %q", old, now)
				case (err == nil) != (string(old) == s):
					t.Fatalf("%q over %q: %v", s, old, err)
				case err != nil && !errors.As(err, new(*record.TakenError)):
					t.Fatal(err)
				}
			}
		}
	})
}

func put(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

// A book goes on where another one on the same folder was, and forgets files that are no more.
func TestBooksStay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	book, path := filepath.Join(dir, "book"), filepath.Join(dir, "a.svg")
	a := written.Thing{What: "a", Kind: "figure", Of: []string{"a"}}
	if err := written.Open(book).Put(path, a, false, put("one")); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link.svg")
	if err := os.Symlink("a.svg", link); err != nil {
		t.Fatal(err)
	}
	written.Open(book).Prune()
	if err := written.Open(book).Put(link, a, false, put("two")); err != nil { // the same file
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	written.Open(book).Prune()
	if err := os.WriteFile(path, []byte("two"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := written.Open(book).May(path, a); !errors.As(err, new(*record.TakenError)) {
		t.Errorf("a file that came back: %v", err)
	}
	if left, _ := os.ReadDir(book); len(left) != 0 {
		t.Errorf("pages are left: %v", left)
	}
}

// Package written decides whether metalab may overwrite a file that a user named: one rule for all
// files at users' paths. A record itself tells to which run it belongs (see
// [record.Record.Vacant]); the book tells whether somebody changed it, see [Book.Unchanged].
//
// Metalab replaces an existing file without asking only if it wrote the file as the same thing, for
// example as the figure of the same run, and nobody has changed it since; or if the file has the
// new contents already. A [Book] records the files that metalab wrote. If the book is lost or
// another one, for example because the folder of state was deleted, the file counts as the user's.
package written

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"metalab/solvers/record"
)

// A Thing is what a file holds.
type Thing struct {
	What string   `json:"what"` // as "the history of run a"
	Kind string   `json:"kind"` // as "history"
	Of   []string `json:"of"`   // identities of what it is of, as of its runs
}

// follows reports whether t may stand in the place of old: it is of the same kind, and of all that
// old is of.
func (t *Thing) follows(old *Thing) bool {
	return t.Kind == old.Kind && !slices.ContainsFunc(old.Of, func(of string) bool {
		return !slices.Contains(t.Of, of)
	})
}

// A Book notes what was written where: a small file for each path in a folder.
type Book struct {
	dir string

	mu  sync.Mutex
	mem map[string]entry // where there is no folder
}

// entry is a page of a book.
type entry struct {
	Thing
	Path string `json:"path"`
	Sum  string `json:"sha256"`
}

func (e *entry) changed() string {
	return e.What + ", which was changed since metalab wrote it"
}

// Open opens the book in a folder, which it creates when necessary; "" keeps the book in memory.
func Open(dir string) *Book { return &Book{dir: dir, mem: map[string]entry{}} }

// May returns an error unless t may be written to path: a *record.TakenError where a file is there
// that is not to be replaced.
func (b *Book) May(path string, t Thing) error {
	at, err := record.Target(path)
	if err != nil {
		return err
	}
	sum, err := sumOf(at)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	old, ok := b.find(at)
	what := "no file that metalab is known to have written"
	switch {
	case ok && old.Sum != sum:
		what = old.changed()
	case ok && t.follows(&old.Thing):
		return nil
	case ok:
		what = old.What
	}
	return &record.TakenError{Path: path, What: what}
}

// Unchanged returns a *record.TakenError where metalab wrote a thing of a kind to path, and the
// file that is there was changed since.
func (b *Book) Unchanged(path, kind string) error {
	at, err := record.Target(path)
	if err != nil {
		return err
	}
	old, ok := b.find(at)
	if !ok || old.Kind != kind {
		return nil
	}
	sum, err := sumOf(at)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return err
	case sum != old.Sum:
		return &record.TakenError{Path: path, What: old.changed()}
	}
	return nil
}

// Put writes t to path and notes it. force replaces whatever file is there.
func (b *Book) Put(path string, t Thing, force bool, write func(io.Writer) error) error {
	at, err := record.Target(path)
	if err != nil {
		return err
	}
	var taken *record.TakenError
	if err := b.May(path, t); errors.As(err, &taken) {
		if !force && holds(at, write) {
			return nil
		}
		if !force {
			return err
		}
	} else if err != nil {
		return err
	}
	h := sha256.New()
	err = record.Atomic(at, func(w io.Writer) error { return write(io.MultiWriter(w, h)) })
	if err != nil {
		return err
	}
	b.note(entry{Thing: t, Path: at, Sum: hex.EncodeToString(h.Sum(nil))})
	return nil
}

// holds reports whether the file at path holds what is to be written.
func holds(path string, write func(io.Writer) error) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	c := &comparer{old: f}
	if write(c) != nil {
		return false
	}
	n, err := f.Read(make([]byte, 1))
	return n == 0 && errors.Is(err, io.EOF)
}

// errOther ends a comparison.
var errOther = errors.New("other content")

// A comparer compares what is written to it with a file.
type comparer struct {
	old io.Reader
	buf []byte
}

func (c *comparer) Write(p []byte) (int, error) {
	c.buf = slices.Grow(c.buf[:0], len(p))[:len(p)]
	if _, err := io.ReadFull(c.old, c.buf); err != nil || !bytes.Equal(c.buf, p) {
		return 0, errOther
	}
	return len(p), nil
}

// sumOf is the checksum of a file.
func sumOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// page is the file of a path in the book.
func (b *Book) page(path string) string {
	sum := sha256.Sum256([]byte(path))
	return filepath.Join(b.dir, hex.EncodeToString(sum[:12])+".json")
}

func (b *Book) find(path string) (e entry, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.dir == "" {
		e, ok = b.mem[path]
		return e, ok
	}
	text, err := os.ReadFile(b.page(path))
	ok = err == nil && json.Unmarshal(text, &e) == nil && e.Path == path
	return e, ok
}

// note writes a page. If that fails, the file counts as the user's, and needs a question.
func (b *Book) note(e entry) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.dir == "" {
		b.mem[e.Path] = e
		return
	}
	if os.MkdirAll(b.dir, 0o700) != nil {
		return
	}
	_ = record.Atomic(b.page(e.Path), func(w io.Writer) error { return json.NewEncoder(w).Encode(e) })
}

// Note notes a file as it stands, which somebody else has written.
func (b *Book) Note(path string, t Thing) {
	at, err := record.Target(path)
	if err != nil {
		return
	}
	if sum, err := sumOf(at); err == nil {
		b.note(entry{Thing: t, Path: at, Sum: sum})
	}
}

// Prune removes the pages of files that are no more.
func (b *Book) Prune() {
	pages, _ := filepath.Glob(filepath.Join(b.dir, "*.json"))
	for _, p := range pages {
		var e entry
		text, err := os.ReadFile(p)
		if err != nil {
			continue
		}
		if json.Unmarshal(text, &e) != nil {
			os.Remove(p)
		} else if _, err := os.Stat(e.Path); errors.Is(err, os.ErrNotExist) {
			os.Remove(p)
		}
	}
}

package record

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
)

// A TakenError is the error for a file that a write must not replace without asking.
type TakenError struct {
	Path string
	What string // the file, such as "the record of run t"
}

// Error names the file and its contents.
func (e *TakenError) Error() string { return e.Path + " is there: " + e.What }

// Vacant returns an error unless r may be written to path without asking: there is no file, or it
// is a record of the same run, or of a run that is equal to it, and r has all of its contents. For
// another file the error is a *TakenError.
func (r *Record) Vacant(path string) error {
	path, err := Target(path)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	old, err := ReadFile(path)
	switch {
	case errors.Is(err, ErrFormat):
		return &TakenError{path, "it is no record that can be read"}
	case err != nil:
		return err
	case r.sameRun(old) || r.madeAgain(old):
		return nil
	}
	h := &old.Header
	return &TakenError{path, fmt.Sprintf("the record of another run, %s (%s/%s on %s, seed %d, "+
		"iteration %d, begun %s)", h.Run, h.Solver, h.Variant, h.Instance.Name, h.Seed, old.End,
		h.StartedAt.Local().Format("2 January 2006 15:04"))}
}

// sameRun reports whether old is the record of r's run, as it stood at some time.
func (r *Record) sameRun(old *Record) bool {
	a, b := &r.Header, &old.Header
	if a.Run != b.Run || !a.StartedAt.Equal(b.StartedAt) || !same(a.Island, b.Island) ||
		a.Solver != b.Solver || a.Instance.SHA256 != b.Instance.SHA256 {
		return false
	}
	x, y := forks(r.Journal), forks(old.Journal)
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if !equal(&x[i], &y[i]) || !x[i].At.Equal(y[i].At) {
			return false
		}
	}
	return true
}

// madeAgain reports whether r is old's run, from its beginning or under another name, and no fork
// of it, and has all that stands in old.
func (r *Record) madeAgain(old *Record) bool {
	a, b := &r.Header, &old.Header
	return (a.Run == b.Run || a.StartedAt.Equal(b.StartedAt)) &&
		len(forks(r.Journal)) == len(forks(old.Journal)) && r.Holds(old)
}

// Holds reports whether r has all contents of old: the same run, with the same changes, at least as
// far, with the results of all seeds. It does not compare times and names.
func (r *Record) Holds(old *Record) bool {
	a, b := &r.Header, &old.Header
	if a.Solver != b.Solver || a.Variant != b.Variant || a.Seed != b.Seed ||
		a.Instance.SHA256 != b.Instance.SHA256 || !maps.Equal(a.Params, b.Params) ||
		!same(a.Island, b.Island) || (a.Start == nil) != (b.Start == nil) ||
		a.Start != nil && a.Start.SHA256 != b.Start.SHA256 || old.End > r.End {
		return false
	}
	x, y := acts(r.Journal), acts(old.Journal)
	if len(y) > len(x) {
		return false
	}
	for i := range y {
		if !equal(&x[i], &y[i]) {
			return false
		}
	}
	for _, c := range x[len(y):] {
		if c.Iter < old.End {
			return false
		}
	}
	digests := make(map[int64]uint64, len(r.Points))
	for _, p := range r.Points {
		digests[p.Iter] = p.Digest
	}
	for _, p := range old.Points {
		if d, ok := digests[p.Iter]; ok && d != p.Digest {
			return false
		}
	}
	return r.holdsSeeds(old)
}

// holdsSeeds reports whether r has the results of all seeds of old.
func (r *Record) holdsSeeds(old *Record) bool {
	for i := range old.Repeats {
		for _, s := range old.Repeats[i].Seeds {
			if !r.hasSeed(&old.Repeats[i], s) {
				return false
			}
		}
	}
	return true
}

// hasSeed reports whether a result stands in a series of r with the same budget and parameters.
func (r *Record) hasSeed(of *Series, s Seeded) bool {
	for i := range r.Repeats {
		x := &r.Repeats[i]
		if x.Budget != of.Budget || !maps.Equal(x.Params, of.Params) {
			continue
		}
		for _, y := range x.Seeds {
			if y.Seed == s.Seed && y.Digest == s.Digest {
				return true
			}
		}
	}
	return false
}

// acts are the entries of a journal that lead elsewhere: stops do not.
func acts(journal []Change) (out []Change) {
	for _, c := range journal {
		if c.Kind != KindStop {
			out = append(out, c)
		}
	}
	return out
}

// forks are the entries of a journal that made another run of one.
func forks(journal []Change) (out []Change) {
	for _, c := range journal {
		if c.Kind == KindFork {
			out = append(out, c)
		}
	}
	return out
}

// equal reports whether two entries did the same. The old value of a parameter is one that the
// entries before have made.
func equal(a, b *Change) bool {
	return a.Iter == b.Iter && a.Kind == b.Kind && a.Name == b.Name && a.New == b.New &&
		maps.Equal(a.With, b.With) && a.On == b.On && a.Variant == b.Variant && same(a.Seed, b.Seed)
}

// same reports whether two values are equal, or both missing.
func same[T any](a, b *T) bool {
	return (a == nil) == (b == nil) && (a == nil || reflect.DeepEqual(*a, *b))
}

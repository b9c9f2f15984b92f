package host

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"metalab/kernel/internal/written"
	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// A File is the output of a verb at a user's path. All verbs write by [Host.Write], or ask
// [Host.May] first, so that one rule says which files are replaced; see package written.
type File struct {
	Verb  string
	Path  string        // absolute
	Holds written.Thing // what is written
	Ends  []string      // the endings that the path may have; none: it was looked at
	Force bool          // replace whatever file is there
}

// May returns an error unless the file may be written.
func (h *Host) May(f *File) error {
	if err := Absolute(f.Verb, f.Path); err != nil {
		return err
	}
	ext := strings.ToLower(filepath.Ext(f.Path))
	if len(f.Ends) > 0 && !slices.Contains(f.Ends, ext) {
		return wrong(fmt.Sprintf("%s: the path is %s, and what is written is %s: want a name that ends "+
			"in %s", f.Verb, f.Path, f.Holds.What, strings.Join(f.Ends, " or ")))
	}
	if f.Force {
		_, err := record.Target(f.Path)
		return err
	}
	return h.store.book.May(f.Path, f.Holds)
}

// Write writes the file and returns its size.
func (h *Host) Write(f *File, write func(io.Writer) error) (bytes int64, err error) {
	if err := h.May(f); err != nil && !errors.As(err, new(*record.TakenError)) {
		return 0, err // else Put sees whether the file holds just this
	}
	if err := h.store.book.Put(f.Path, f.Holds, f.Force, write); err != nil {
		return 0, err
	}
	if st, err := os.Stat(f.Path); err == nil {
		bytes = st.Size()
	}
	return bytes, nil
}

// Wrote notes a file that was written by other means than Write.
func (h *Host) Wrote(f *File) { h.store.book.Note(f.Path, f.Holds) }

// kindRecord is the kind of the records of runs in the book.
const kindRecord = "record"

// unchanged returns an error where metalab wrote a record to path that somebody changed since.
func (h *Host) unchanged(path string, force bool) error {
	if force {
		return nil
	}
	return h.store.book.Unchanged(path, kindRecord)
}

// wroteRecord notes the record of a run.
func (h *Host) wroteRecord(path, run string) {
	h.store.book.Note(path, written.Thing{What: "the record of run " + run, Kind: kindRecord})
}

// recordPath returns an error unless records may have this path.
func recordPath(verb, path string) error {
	if err := Absolute(verb, path); err != nil {
		return err
	}
	switch strings.ToLower(filepath.Ext(path)) {
	case wire.RecordExt, ".json", ".jsonl", "":
		return nil
	}
	return wrong(fmt.Sprintf("%s: the path is %s, and what is written is a record: want a name that "+
		"ends in %s, or in .json or .jsonl, for it is lines of JSON", verb, path, wire.RecordExt))
}

// OfRuns is a thing that is of open runs, as the history of one.
func OfRuns(kind string, runs ...*Run) written.Thing {
	t := written.Thing{Kind: kind}
	var names []string
	for _, e := range runs {
		hd := e.run.Header()
		names, t.Of = append(names, e.name), append(t.Of, Identity(&hd, e.run.Journal()))
	}
	t.What = fmt.Sprintf("the %s of run %s", kind, strings.Join(names, ", "))
	return t
}

// OfRecord is a thing that is of a record.
func OfRecord(kind string, rec *record.Record) written.Thing {
	return written.Thing{
		What: fmt.Sprintf("the %s of run %s", kind, rec.Header.Run), Kind: kind,
		Of: []string{Identity(&rec.Header, rec.Journal)},
	}
}

// OfExperiment is a thing that is of an experiment.
func OfExperiment(kind, name string) written.Thing {
	return written.Thing{
		What: fmt.Sprintf("the %s of experiment %s", kind, name), Kind: kind,
		Of: []string{"experiment " + name},
	}
}

// Identity tells runs apart: by name, instance, solver, seed, parameters, and by what was forked.
func Identity(hd *record.Header, journal []record.Change) string {
	of := struct {
		Run, Solver, Variant, Data, Start string
		Seed                              uint64
		Params                            record.Values
		Forks                             []record.Change
	}{
		Run: hd.Run, Solver: hd.Solver, Variant: hd.Variant, Data: hd.Instance.SHA256, Seed: hd.Seed,
		Params: hd.Params,
	}
	if hd.Start != nil {
		of.Start = hd.Start.SHA256
	}
	for _, c := range journal {
		if c.Kind == record.KindFork {
			of.Forks = append(of.Forks, record.Change{
				Iter: c.Iter, Name: c.Name, With: c.With, Variant: c.Variant, Seed: c.Seed,
			})
		}
	}
	b, err := json.Marshal(of)
	if err != nil { // a parameter that is no number: then the name must do
		b = []byte(hd.Run)
	}
	sum := sha256.Sum256(b)
	return fmt.Sprintf("%s %x", hd.Run, sum[:8])
}

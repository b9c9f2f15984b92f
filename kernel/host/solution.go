package host

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"metalab/datasets"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

// The endings of files that hold solutions: tours in the format of TSPLIB, assignments in that
// of QAPLIB.
const (
	TourFile = ".tour"
	SumFile  = ".sln"
)

// readStart reads the solution at which a run begins.
func readStart(path string, inst datasets.Instance) (*record.Start, error) {
	if path == "" {
		return nil, nil
	}
	if err := Absolute("open", path); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open: start: %w", err)
	}
	defer f.Close()
	s := &record.Start{Path: path}
	switch inst := inst.(type) {
	case *datasets.TSP:
		s.Solution.Perm, err = datasets.ReadTour(f, path)
	case *datasets.QAP:
		var q *datasets.QAPSolution
		if q, err = datasets.ReadQAPSolution(f, path); err != nil {
			break
		}
		s.Solution.Perm = q.P
		v, cerr := inst.Cost(q.P)
		if cerr == nil && v != q.Value {
			return nil, wrong(fmt.Sprintf("open: start: %s says that its cost is %d, and on %s its "+
				"permutation costs %d", path, q.Value, inst.Name(), v))
		}
		err = cerr
	case *datasets.Cut:
		s.Solution.Bits, err = datasets.ReadBits(f, path, inst.N)
	default:
		return nil, wrong(fmt.Sprintf("open: start: files hold tours (TSPLIB), assignments (QAPLIB) "+
			"and sides of cuts (0 and 1), and %s is of kind %s", inst.Name(), inst.Kind()))
	}
	if err != nil {
		return nil, fmt.Errorf("open: start: %w", err)
	}
	return s, nil
}

// startDiffers says in what the start of an open run differs from one that is asked for;
// empty where it is the same.
func startDiffers(have, asked *record.Start) string {
	switch {
	case have == nil && asked == nil:
		return ""
	case have == nil:
		return "start was not given"
	case asked == nil:
		return "start was given"
	case have.SHA256 != solvers.HashSolution(asked.Solution):
		return "start was another solution"
	}
	return ""
}

// bestFile is the file of the best solution of a run.
func bestFile(e *Run, path string, force bool) *File {
	return &File{Verb: "export", Path: path, Holds: OfRuns("best solution", e), Force: force}
}

// costIn is the cost of the solution in a file, where one of the instance is there.
func costIn(path string, inst datasets.Instance) (cost float64, ok bool) {
	if _, err := os.Stat(path); err != nil {
		return 0, false
	}
	s, err := readStart(path, inst)
	if err != nil {
		return 0, false
	}
	cost, err = solvers.Cost(inst, s.Solution)
	return cost, err == nil
}

// ExportBest writes the best solution of a run into a file whose ending says how.
func (h *Host) ExportBest(c *Call, e *Run, q *wire.ExportRequest) (*reply.FileReply, error) {
	ext := filepath.Ext(q.Path)
	if q.All || q.Seeds {
		return nil, wrong("export: all and seeds are of histories, which .csv files hold; " + ext +
			" holds the best solution")
	}
	b, err := e.run.Best(c.ctx)
	if err != nil {
		return nil, err
	}
	if b.Iter == 0 {
		return nil, wrong(fmt.Sprintf("export: %s has found nothing yet; step %s 1", e.name, e.name))
	}
	inst, v := e.run.Instance(), e.run.Variant()
	text := ext != TourFile && ext != SumFile
	if !text {
		if err := holds("export", q.Path, inst); err != nil {
			return nil, err
		}
	}
	var write func(io.Writer) error
	switch inst := inst.(type) {
	case *datasets.TSP:
		comment := fmt.Sprintf("Tour length %s, by %s/%s, seed %d, iteration %d",
			strconv.FormatFloat(b.Value, 'f', -1, 64), v.Solver, v.Name, e.run.Seed(), b.Iter)
		write = func(w io.Writer) error {
			return datasets.WriteTour(w, inst.Name(), comment, b.Solution.Perm)
		}
	case *datasets.QAP:
		write = func(w io.Writer) error {
			entries := make([]string, len(b.Solution.Perm))
			for i, p := range b.Solution.Perm {
				entries[i] = fmt.Sprint(p + 1)
			}
			_, err := fmt.Fprintf(w, "%d %.0f\n%s\n", inst.N, b.Value, strings.Join(entries, " "))
			return err
		}
	}
	if text {
		write = func(w io.Writer) error { return e.writeBest(w, b) }
	}
	if v, ok := costIn(q.Path, inst); ok && v < b.Value && !q.Force {
		return nil, &record.TakenError{Path: q.Path, What: fmt.Sprintf("a better solution of %s, %s, "+
			"and that of run %s is %s", inst.Name(), Number(e.Sense().Value(v)), e.name,
			Number(e.Sense().Value(b.Value)))}
	}
	n, err := h.Write(bestFile(e, q.Path, q.Force), write)
	if err != nil {
		return nil, err
	}
	return &reply.FileReply{Status: e.Status("export"), Path: q.Path, Bytes: n}, nil
}

// writeBest writes a solution as text: what it is of, its objective, and an entry a line.
func (e *Run) writeBest(w io.Writer, b record.Best) error {
	v, text := e.run.Variant(), bufio.NewWriter(w)
	fmt.Fprintf(text, "# %s: %s/%s on %s, seed %d, iteration %d\n# objective %s\n", e.name, v.Solver,
		v.Name, e.run.Instance().Name(), e.run.Seed(), b.Iter, Number(e.Sense().Value(b.Value)))
	if s := spinsOf(e.run.Instance(), b.Value); s != nil {
		fmt.Fprintln(text, "# "+strings.TrimPrefix(s.String(), ", "))
	}
	for _, x := range b.Solution.Perm {
		fmt.Fprintln(text, x)
	}
	for _, x := range b.Solution.Bits {
		fmt.Fprintln(text, x)
	}
	for _, x := range b.Solution.Real {
		fmt.Fprintln(text, Number(x))
	}
	return text.Flush()
}

package host

import (
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
	default:
		return nil, wrong(fmt.Sprintf("open: start: files hold tours (TSPLIB) and assignments "+
			"(QAPLIB), and %s is of kind %s", inst.Name(), inst.Kind()))
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
	if err := holds("export", q.Path, inst); err != nil {
		return nil, err
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
	if err := record.Atomic(q.Path, write); err != nil {
		return nil, fmt.Errorf("export: %w", err)
	}
	rep := &reply.FileReply{Status: e.Status("export"), Path: q.Path}
	if st, err := os.Stat(q.Path); err == nil {
		rep.Bytes = st.Size()
	}
	return rep, nil
}

package exchange

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"metalab/solvers/experiment"
	"metalab/solvers/record"
)

// noSeed is the seed of a run without one, until it is numbered.
const noSeed = math.MaxUint64

// mostJSON is the size of a JSON file that is read at most, in bytes.
const mostJSON = 64 << 20

// ReadIOHprofiler reads the runs of a folder in the layout of IOHprofiler, with their traces. The
// name of a function is that of the instance, with the number of the instance behind it where
// that is not 1; the name of the algorithm is that of the solver. Runs without an attribute seed
// are numbered from 1 on. Files outside of the folder are not read.
func ReadIOHprofiler(dir string) ([]Foreign, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("exchange: %w", err)
	}
	defer root.Close()
	var out []Foreign
	found := false
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".json" {
			return err
		}
		found = true
		if err := regular(root.FS(), name); err != nil {
			return err
		}
		runs, err := readScenarios(root.FS(), name)
		if err == nil && len(out)+len(runs) > most {
			err = fmt.Errorf("more than %d runs", most)
		}
		switch at := (*ReadError)(nil); {
		case err == nil:
		case !errors.As(err, &at):
			err = &ReadError{File: name, Err: err}
		case at.File == "":
			at.File = name
		}
		out = append(out, runs...)
		return err
	})
	if err != nil {
		var at *ReadError
		if errors.As(err, &at) {
			at.File = filepath.Join(dir, filepath.FromSlash(at.File))
		}
		return nil, err
	}
	if !found {
		return nil, fmt.Errorf("exchange: folder %s has no .json file of IOHprofiler, want the layout "+
			"of its version 0.3.3 or later", dir)
	}
	// Numbers distinguish runs without a seed.
	next := map[[2]string]uint64{}
	for i := range out {
		at := [2]string{out[i].Solver, out[i].Instance}
		next[at]++
		if out[i].Number > 0 {
			out[i].Number = i + 1
		}
		if out[i].Seed == noSeed {
			out[i].Seed = next[at]
		}
	}
	return out, nil
}

// regular returns an error unless a name is that of a file: to open a pipe waits for its other end.
func regular(dir fs.FS, name string) error {
	st, err := fs.Stat(dir, name)
	var at *fs.PathError
	switch {
	case errors.As(err, &at):
		return &fs.PathError{Op: "open", Path: at.Path, Err: at.Err}
	case err == nil && !st.Mode().IsRegular():
		err = &ReadError{File: name, Err: errors.New("it is a folder, a pipe or the like, want a file")}
	}
	return err
}

// readScenarios reads a JSON file and the traces that it names.
func readScenarios(dir fs.FS, name string) ([]Foreign, error) {
	f, err := dir.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostJSON+1))
	if err != nil {
		return nil, err
	}
	if len(text) > mostJSON {
		return nil, fmt.Errorf("the file is larger than %d bytes", mostJSON)
	}
	file, err := parseIOH(text)
	if err != nil {
		return nil, err
	}
	var out []Foreign
	sense := record.Sense(file.Maximization)
	for _, s := range file.Scenarios {
		at := path.Join(path.Dir(name), filepath.ToSlash(s.Path))
		if err := regular(dir, at); err != nil {
			return nil, err
		}
		data, err := dir.Open(at)
		if err != nil {
			return nil, err
		}
		traces, err := readTraces(data, at, sense)
		data.Close()
		if err != nil {
			return nil, err
		}
		if len(traces) != len(s.Runs) {
			return nil, &ReadError{File: at, Err: fmt.Errorf("there are traces of %d runs, and the JSON "+
				"file has %d: want as many", len(traces), len(s.Runs))}
		}
		for i, r := range s.Runs {
			instance := file.FunctionName
			if r.Instance != 1 {
				instance += "-" + strconv.Itoa(r.Instance)
			}
			v := experiment.Result{Best: r.Best.Y, Evaluations: r.Evals, Trace: traces[i]}
			for _, t := range [...]struct {
				from *float64
				to   *float64
			}{{r.Wall, &v.Wall}, {r.CPU, &v.CPU}} {
				if t.from != nil {
					*t.to = *t.from
				}
			}
			f := Foreign{
				Solver: file.Algorithm.Name, Instance: instance, Optimum: math.NaN(), Result: v,
				Sense: &sense, Seed: noSeed,
			}
			if file.Suite == suite {
				f.Number = 1 // until all are counted
			}
			if file.own != nil {
				f.Own, f.Params, f.Data = file.own.names, file.own.values, &record.InstanceRef{
					Name: instance, Kind: ownKind, Size: s.Dimension, Own: file.own.names,
				}
			}
			if s := r.Seed; s != nil && *s == math.Trunc(*s) && *s >= 0 && *s <= 1<<53 {
				f.Seed = uint64(*s)
			}
			out = append(out, f)
		}
	}
	return out, nil
}

// parseIOH reads the JSON and checks it.
func parseIOH(text []byte) (f iohFile, err error) {
	if err := json.Unmarshal(text, &f); err != nil {
		var s *json.SyntaxError
		if errors.As(err, &s) {
			before := string(text[:min(int(s.Offset), len(text))])
			line := strings.Count(before, "\n") + 1
			column := len(before) - strings.LastIndex(before, "\n") - 1
			return f, &ReadError{Line: line, Column: column, Err: err}
		}
		return f, err
	}
	switch {
	case f.Version == "" || f.Scenarios == nil:
		return f, errors.New("it is no file of IOHprofiler: version and scenarios are missing")
	case f.Algorithm.Name == "":
		return f, errors.New("algorithm has no name")
	case f.FunctionName == "":
		return f, errors.New("function_name is empty, want the name of the instance")
	}
	for _, a := range f.Experiment {
		if text, ok := a[ownAttribute]; ok && f.Suite == suite {
			f.own = &iohOwn{}
			f.own.names, f.own.values = ownOf(text)
		}
	}
	for i, s := range f.Scenarios {
		if !filepath.IsLocal(s.Path) {
			return f, fmt.Errorf("path of scenario %d is %q, want one inside of the folder", i+1, s.Path)
		}
		for j, r := range s.Runs {
			if r.Evals < 0 {
				return f, fmt.Errorf("evals of run %d of scenario %d is %d, want 0 or more", j+1, i+1, r.Evals)
			}
		}
	}
	return f, nil
}

// readTraces reads the traces of runs, each after a line of names or at evaluation 1, of which it
// keeps the new bests.
func readTraces(
	r io.Reader, file string, sense record.Sense,
) (out [][]experiment.TracePoint, err error) {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 1<<16), 1<<20)
	evals, value, fields := 0, 1, 2
	line, best, last := 0, math.Inf(1), int64(0)
	fresh := true // a line of names came
	for in.Scan() {
		line++
		words := strings.Fields(in.Text())
		if len(words) == 0 {
			continue
		}
		wrong := func(at int, format string, args ...any) error {
			column := strings.Index(in.Text(), words[min(at, len(words)-1)]) + 1
			return &ReadError{file, line, column, fmt.Errorf(format, args...)}
		}
		if strings.ContainsAny(words[0][:1], "eE\"%") {
			evals, value = -1, -1
			for i, w := range words {
				switch strings.Trim(w, `"`) {
				case "evaluations":
					evals = i
				case "raw_y":
					value = i
				}
			}
			if evals < 0 || value < 0 {
				return nil, wrong(0, "the columns are %q, want evaluations and raw_y among them", in.Text())
			}
			fields, fresh = len(words), true
			continue
		}
		if len(words) < min(fields, max(evals, value)+1) || len(words) <= max(evals, value) {
			return nil, wrong(0, "there are %d values, want %d", len(words), fields)
		}
		n, err := strconv.ParseFloat(words[evals], 64)
		if err != nil || !(n >= 0 && n <= 1<<53) || n != math.Trunc(n) {
			return nil, wrong(evals, "evaluations is %q, want a whole number from 0 to %d", words[evals],
				int64(1)<<53)
		}
		y, err := strconv.ParseFloat(words[value], 64)
		if err != nil || math.IsNaN(y) {
			return nil, wrong(value, "raw_y is %q, want a number", words[value])
		}
		at := int64(n)
		if fresh || at <= 1 && last > 1 {
			if len(out) == most {
				return nil, wrong(0, "more than %d runs", most)
			}
			out, best, fresh = append(out, nil), math.Inf(1), false
		} else if at < last {
			return nil, wrong(evals, "evaluations is %d after %d, want numbers that do not decrease", at,
				last)
		}
		last = at
		trace := &out[len(out)-1]
		if c := sense.Cost(y); c < best && finite(y) {
			best = c
			*trace = append(*trace, experiment.TracePoint{Iteration: at, Evaluations: at, Best: y})
		}
	}
	if err := in.Err(); err != nil {
		return nil, &ReadError{file, line + 1, 0, err}
	}
	return out, nil
}

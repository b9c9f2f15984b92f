package exchange

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"

	"metalab/solvers/experiment"
	"metalab/solvers/record"
)

// group is the number of rows of a row group: what a reader takes into memory at once.
const group = 1 << 20

// batch is the number of rows that are written at once.
const batch = 4096

// ParquetFiles are the names of the files that Parquet writes.
func ParquetFiles() []string {
	return []string{"runs.parquet", "descriptors.parquet", "trace.parquet", "positions.parquet"}
}

// Parquet writes the four tables of an experiment into a folder, which it creates if necessary. It
// replaces files with the same names. It returns the number of units.
func Parquet(ctx context.Context, s experiment.Store, name, dir string) (units int, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, fmt.Errorf("exchange: %w", err)
	}
	err = table(filepath.Join(dir, "runs.parquet"), func(put func(Run) error) error {
		for r, err := range s.Rows(ctx, name) {
			if err != nil {
				return err
			}
			units++
			if err := put(runOf(r)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return units, err
	}
	err = table(filepath.Join(dir, "descriptors.parquet"), func(put func(Descriptor) error) error {
		for r, err := range s.Rows(ctx, name) {
			if err != nil {
				return err
			}
			for _, d := range descriptorsOf(&r.Unit) {
				if err := put(d); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return units, err
	}
	err = table(filepath.Join(dir, "trace.parquet"), func(put func(Trace) error) error {
		senses, err := sensesOf(ctx, s, name)
		if err != nil {
			return err
		}
		for t, err := range s.Traces(ctx, name) {
			if err != nil {
				return err
			}
			for _, p := range t.Points {
				err := put(Trace{
					int32(t.Number), p.Iteration, p.Evaluations, p.Wall, p.CPU,
					senses[t.Number].Value(p.Best),
				})
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return units, err
	}
	err = table(filepath.Join(dir, "positions.parquet"), func(put func(Position) error) error {
		for x, err := range s.Solutions(ctx, name) {
			if err != nil {
				return err
			}
			if err := putPositions(x, put); err != nil {
				return err
			}
		}
		return nil
	})
	return units, err
}

// putPositions writes the positions of a solution.
func putPositions(x experiment.Solved, put func(Position) error) error {
	row := Position{Unit: int32(x.Number)}
	next := func(v float64) error {
		row.Value = v
		err := put(row)
		row.Position++
		return err
	}
	for _, v := range x.Solution.Perm {
		if err := next(float64(v)); err != nil {
			return err
		}
	}
	for _, v := range x.Solution.Bits {
		if err := next(float64(v)); err != nil {
			return err
		}
	}
	for _, v := range x.Solution.Real {
		if err := next(v); err != nil {
			return err
		}
	}
	return nil
}

// table writes a file of the rows that fill puts.
func table[T any](path string, fill func(put func(T) error) error) error {
	err := record.Atomic(path, func(w io.Writer) error {
		buffered := bufio.NewWriterSize(w, 1<<20)
		t := parquet.NewGenericWriter[T](buffered, parquet.Compression(&parquet.Snappy),
			parquet.MaxRowsPerRowGroup(group), parquet.CreatedBy("metalab", "1", ""))
		rows := make([]T, 0, batch)
		flush := func() error {
			_, err := t.Write(rows)
			rows = rows[:0]
			return err
		}
		err := fill(func(row T) error {
			if rows = append(rows, row); len(rows) < batch {
				return nil
			}
			return flush()
		})
		if err == nil {
			err = flush()
		}
		if err == nil {
			err = t.Close()
		}
		if err == nil {
			err = buffered.Flush()
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("exchange: %w", err)
	}
	return nil
}

// sensesOf are the senses of the objectives of units that are maximised, by number.
func sensesOf(
	ctx context.Context, s experiment.Store, name string,
) (map[int]record.Sense, error) {
	out := map[int]record.Sense{}
	for r, err := range s.Rows(ctx, name) {
		if err != nil {
			return nil, err
		}
		if sense := r.Unit.Instance.Sense(); sense == record.Maximise {
			out[r.Unit.Number] = sense
		}
	}
	return out, nil
}

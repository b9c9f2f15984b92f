package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"strconv"
	"time"

	"metalab/solvers/experiment"
	"metalab/solvers/record"
)

// queries is a database or a transaction.
type queries interface {
	querier
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// settings reads all settings of an experiment, by their numbers.
func settings(ctx context.Context, q queries, exp int64) (map[int64]setting, error) {
	rows, err := q.QueryContext(ctx, `SELECT id, label, solver, variant, revision, backend, preset,
		params, varied, schedule, device, budget FROM settings WHERE experiment = ?`, exp)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[int64]setting{}
	for rows.Next() {
		var n int64
		var w setting
		var texts [4][]byte
		if err := rows.Scan(&n, &w.Label, &w.Solver, &w.Variant, &w.Revision, &w.Backend, &w.Preset,
			&texts[0], &texts[1], &texts[2], &w.Device, &texts[3]); err != nil {
			return nil, err
		}
		for i, to := range []any{&w.Params, &w.Varied, &w.Schedule, &w.Budget} {
			if err := json.Unmarshal(texts[i], to); err != nil {
				return nil, content("setting %d: %w", n, err)
			}
		}
		out[n] = w
	}
	return out, rows.Err()
}

// instances reads the instances of an experiment, by their numbers.
func instances(ctx context.Context, q queries) (map[int64]record.InstanceRef, error) {
	rows, err := q.QueryContext(ctx, "SELECT id, ref FROM instances")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[int64]record.InstanceRef{}
	for rows.Next() {
		var n int64
		var text []byte
		if err := rows.Scan(&n, &text); err != nil {
			return nil, err
		}
		var ref record.InstanceRef
		if err := json.Unmarshal(text, &ref); err != nil {
			return nil, content("instance %d: %w", n, err)
		}
		out[n] = ref
	}
	return out, rows.Err()
}

// The columns of units that a reader scans: what a unit is, and what came of it.
const (
	unitColumns = "id, number, key, setting, instance, seed"
	columns     = unitColumns + `, state, best, iterations, evaluations, wall_s, cpu_s, digest, why,
		error, optimum, gap, ended, machine, device`
)

// reader reads units.
type reader struct {
	exp      int64
	settings map[int64]setting
	insts    map[int64]record.InstanceRef
}

func newReader(ctx context.Context, q queries, name string) (r *reader, err error) {
	r = &reader{}
	if r.exp, err = id(ctx, q, name); err != nil {
		return nil, err
	}
	if r.settings, err = settings(ctx, q, r.exp); err != nil {
		return nil, fmt.Errorf("experiment %s: %w", name, err)
	}
	if r.insts, err = instances(ctx, q); err != nil {
		return nil, fmt.Errorf("experiment %s: %w", name, err)
	}
	return r, nil
}

// unit fills in what a unit is; its number is there.
func (r *reader) unit(u *experiment.Unit, key []byte, seed string, set, inst int64) (err error) {
	w, ok := r.settings[set]
	ref, known := r.insts[inst]
	switch {
	case len(key) != len(u.Key):
		return content("unit %d: its key has %d bytes, want %d", u.Number, len(key), len(u.Key))
	case !ok:
		return content("unit %d: its setting %d is missing", u.Number, set)
	case !known:
		return content("unit %d: its instance %d is missing", u.Number, inst)
	}
	*u = experiment.Unit{
		Number: u.Number, Key: experiment.Key(key), Label: w.Label, Solver: w.Solver, Variant: w.Variant,
		Revision: w.Revision, Backend: w.Backend, Params: w.Params, Instance: ref,
		Budget: w.Budget, Preset: w.Preset, Varied: w.Varied, Schedule: w.Schedule, Device: w.Device,
	}
	if u.Seed, err = strconv.ParseUint(seed, 10, 64); err != nil {
		return content("unit %d: seed: %w", u.Number, err)
	}
	if len(u.Schedule) > 0 { // stores of before the schedule was part of the key have another one
		u.Key, err = u.MakeKey()
	}
	return err
}

// scanUnit reads a row with unitColumns.
func (r *reader) scanUnit(rows *sql.Rows) (u experiment.Unit, at int64, err error) {
	var key sql.RawBytes
	var seed string
	var set, inst int64
	if err := rows.Scan(&at, &u.Number, &key, &set, &inst, &seed); err != nil {
		return u, 0, err
	}
	return u, at, r.unit(&u, key, seed, set, inst)
}

// scan reads a row with columns, and its number in the table.
func (r *reader) scan(rows *sql.Rows) (row experiment.Row, at int64, err error) {
	var key sql.RawBytes
	var seed, state string
	var set, inst int64
	var best, wall, cpu, optimum, gap sql.NullFloat64
	var iterations, evals sql.NullInt64
	var digest, why, fault, ended, machine, device sql.NullString
	u, x := &row.Unit, &row.Result
	if err := rows.Scan(&at, &u.Number, &key, &set, &inst, &seed, &state, &best, &iterations, &evals,
		&wall, &cpu, &digest, &why, &fault, &optimum, &gap, &ended, &machine, &device); err != nil {
		return row, 0, err
	}
	if err := r.unit(u, key, seed, set, inst); err != nil {
		return row, 0, err
	}
	row.State = experiment.State(state)
	if row.State != experiment.Done && row.State != experiment.Failed {
		return row, at, nil
	}
	*x = experiment.Result{
		Best: orNaN(best), Gap: orNaN(gap), Optimum: orNaN(optimum), Iterations: iterations.Int64,
		Evaluations: evals.Int64, Wall: wall.Float64, CPU: cpu.Float64, Why: why.String,
		Error: fault.String, Machine: machine.String, Device: device.String,
	}
	if digest.String != "" {
		if x.Digest, err = strconv.ParseUint(digest.String, 16, 64); err != nil {
			return row, 0, content("unit %d: digest: %w", u.Number, err)
		}
	}
	if ended.String != "" {
		if x.Ended, err = time.Parse(layout, ended.String); err != nil {
			return row, 0, content("unit %d: ended: %w", u.Number, err)
		}
	}
	return row, at, nil
}

func orNaN(v sql.NullFloat64) float64 {
	if v.Valid {
		return v.Float64
	}
	return math.NaN()
}

// Rows implements experiment.Store.
func (s *Store) Rows(ctx context.Context, name string) iter.Seq2[experiment.Row, error] {
	return told(s, func(yield func(experiment.Row, error) bool) {
		tx, err := s.snapshot(ctx)
		if err != nil {
			yield(experiment.Row{}, err)
			return
		}
		defer tx.Rollback()
		r, err := newReader(ctx, tx, name)
		if err != nil {
			yield(experiment.Row{}, err)
			return
		}
		rows, err := tx.QueryContext(ctx,
			"SELECT "+columns+" FROM units WHERE experiment = ? ORDER BY number", r.exp)
		if err != nil {
			yield(experiment.Row{}, err)
			return
		}
		defer rows.Close()
		for rows.Next() {
			row, _, err := r.scan(rows)
			if !yield(row, err) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(experiment.Row{}, err)
		}
	})
}

// told makes the errors of a sequence name the file where it is damaged.
func told[T any](s *Store, all iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for x, err := range all {
			if !yield(x, s.told(err)) {
				return
			}
		}
	}
}

// Row implements experiment.Store.
func (s *Store) Row(ctx context.Context, name string, number int) (row experiment.Row, err error) {
	defer s.tell(&err)
	tx, err := s.snapshot(ctx)
	if err != nil {
		return row, err
	}
	defer tx.Rollback()
	r, err := newReader(ctx, tx, name)
	if err != nil {
		return row, err
	}
	rows, err := tx.QueryContext(ctx,
		"SELECT "+columns+" FROM units WHERE experiment = ? AND number = ?", r.exp, number)
	if err != nil {
		return row, err
	}
	defer rows.Close()
	if rows.Next() {
		row, _, err = r.scan(rows)
		return row, err
	}
	if err := rows.Err(); err != nil {
		return row, err
	}
	info, err := s.Info(ctx, name)
	return row, errors.Join(err, fmt.Errorf("experiment %s: unit is %d, want 1 to %d: %w", name,
		number, info.Units, experiment.ErrUnknown))
}

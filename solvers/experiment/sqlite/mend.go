package sqlite

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"metalab/solvers/experiment"
	"metalab/solvers/record"
)

// imported is the backend of the runs of other programs, whose traces begin and end anywhere.
const imported = "imported"

// mend makes of the rows that were saved a store that is whole: what refers to nothing goes, units
// of an experiment whose own row is lost get one of another name.
func (w *saver) mend() error {
	if _, err := w.tx.ExecContext(w.ctx, `DELETE FROM units WHERE setting NOT IN
		(SELECT id FROM settings) OR instance NOT IN (SELECT id FROM instances)`); err != nil {
		return err
	}
	if err := w.unnamed(); err != nil {
		return err
	}
	if err := w.strangers(); err != nil {
		return err
	}
	drop, err := w.tx.PrepareContext(w.ctx, "DELETE FROM trace WHERE unit BETWEEN ? AND ?")
	if err != nil {
		return err
	}
	defer drop.Close()
	for _, h := range append(w.holes(), w.torn...) {
		if _, err := drop.ExecContext(w.ctx, h[0], h[1]); err != nil {
			return err
		}
	}
	if err := w.doubted(); err != nil {
		return err
	}
	for _, q := range []string{
		`DELETE FROM trace WHERE unit IN (SELECT unit FROM (SELECT unit, best > lag(best) OVER t OR
			wall_s < lag(wall_s) OVER t OR evaluations < lag(evaluations) OVER t AS bad FROM trace
			WINDOW t AS (PARTITION BY unit ORDER BY iteration)) WHERE bad)`,
		`DELETE FROM trace WHERE unit NOT IN (SELECT id FROM units WHERE state IN ('done', 'failed'))`,
		`DELETE FROM solutions WHERE unit NOT IN
			(SELECT id FROM units WHERE state IN ('done', 'failed'))`,
		`DELETE FROM journal WHERE experiment NOT IN (SELECT id FROM experiments)`,
		`DELETE FROM settings WHERE id NOT IN (SELECT setting FROM units)`,
		`DELETE FROM trace WHERE unit IN (SELECT u.id FROM units u JOIN settings s ON s.id = u.setting
			WHERE u.state = 'done' AND s.backend <> '` + imported + `' AND u.iterations <>
			(SELECT max(iteration) FROM trace t WHERE t.unit = u.id))`,
	} {
		if _, err := w.tx.ExecContext(w.ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// doubted makes units wait whose result is another than the last row of their trace: one of both
// has been written over.
func (w *saver) doubted() error {
	rows, err := w.tx.QueryContext(w.ctx, `SELECT u.id FROM units u
		JOIN settings s ON s.id = u.setting JOIN trace t ON t.unit = u.id AND t.iteration = u.iterations
		WHERE u.state = 'done' AND s.backend <> '`+imported+`' AND (t.best <> u.best OR
		t.wall_s <> u.wall_s OR t.cpu_s <> u.cpu_s OR t.evaluations <> u.evaluations)`)
	if err != nil {
		return err
	}
	defer rows.Close()
	var ids []int64
	for rows.Next() {
		var n int64
		if err := rows.Scan(&n); err != nil {
			return err
		}
		ids = append(ids, n)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for _, n := range ids {
		w.again[n] = true
		q := "UPDATE units SET " + noResult + " WHERE id = ?"
		if _, err := w.tx.ExecContext(w.ctx, q, n); err != nil {
			return err
		}
	}
	return nil
}

// unnamed gives units of an experiment whose row is lost one named recovered-N.
func (w *saver) unnamed() error {
	rows, err := w.tx.QueryContext(w.ctx, `SELECT DISTINCT experiment FROM units WHERE experiment
		NOT IN (SELECT id FROM experiments) ORDER BY experiment`)
	if err != nil {
		return err
	}
	defer rows.Close()
	var lost []int64
	for rows.Next() {
		var n int64
		if err := rows.Scan(&n); err != nil {
			return err
		}
		lost = append(lost, n)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	plan, err := json.Marshal(experiment.Plan{})
	if err != nil {
		return err
	}
	for _, n := range lost {
		name := fmt.Sprintf("recovered-%d", n)
		for i := 2; w.has(name); i++ {
			name = fmt.Sprintf("recovered-%d-%d", n, i)
		}
		if _, err := w.insert["experiments"].ExecContext(w.ctx, n, name, string(plan),
			time.Now().UTC().Format(layout)); err != nil {
			return err
		}
	}
	return nil
}

func (w *saver) has(name string) bool {
	_, err := id(w.ctx, w.tx, name)
	return err == nil
}

// strangers takes out units whose key is not that of what they are: their setting, their instance
// or they have been written over.
func (w *saver) strangers() error {
	names, err := w.names()
	if err != nil {
		return err
	}
	var gone []int64
	for _, name := range names {
		r, err := newReader(w.ctx, w.tx, name)
		if err != nil {
			return err
		}
		rows, err := w.tx.QueryContext(w.ctx, "SELECT "+unitColumns+
			", key FROM units WHERE experiment = ?", r.exp)
		if err != nil {
			return err
		}
		for rows.Next() {
			var u experiment.Unit
			var at, set, inst int64
			var key, same []byte
			var seed string
			if err := rows.Scan(&at, &u.Number, &key, &set, &inst, &seed, &same); err != nil {
				rows.Close()
				return err
			}
			if err := r.unit(&u, key, seed, set, inst); err != nil || !isOwn(u, same) {
				gone = append(gone, at)
			}
		}
		if err := rows.Err(); err != nil {
			return err
		}
	}
	for _, n := range gone {
		if _, err := w.tx.ExecContext(w.ctx, "DELETE FROM units WHERE id = ?", n); err != nil {
			return err
		}
	}
	return nil
}

// isOwn reports whether a key is that of a unit, or was before the schedule was part of it.
func isOwn(u experiment.Unit, key []byte) bool {
	if u.Backend == imported {
		return true // by another rule
	}
	for _, schedule := range []record.Values{u.Schedule, nil} {
		u.Schedule = schedule
		if k, err := u.MakeKey(); err == nil && string(k[:]) == string(key) {
			return true
		}
	}
	return false
}

// names are those of all experiments.
func (w *saver) names() (out []string, err error) {
	rows, err := w.tx.QueryContext(w.ctx, "SELECT name FROM experiments ORDER BY name")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, rows.Err()
}

// holes are the units, from one to another, whose traces lack a page. Leaves of an index and rows
// between them take turns: where two of a kind follow each other, what stood between them is lost.
func (w *saver) holes() (out [][2]int64) {
	slices.SortFunc(w.trace, func(a, b stretchOf) int { return a.from.compare(b.from) })
	const first, last = -1 << 63, 1<<63 - 1
	before := stretchOf{from: point{first, first}, to: point{first, first}, between: true}
	for _, s := range append(w.trace, stretchOf{from: point{last, last}, between: true}) {
		if s.between == before.between && len(w.trace) > 0 {
			out = append(out, [2]int64{before.to.unit, s.from.unit})
		}
		before = s
	}
	return out
}

// tell says what was saved.
func (w *saver) tell(r *Recovery) error {
	rows, err := w.tx.QueryContext(w.ctx, `SELECT e.id, e.name, count(u.id),
		count(CASE WHEN u.state IN ('done', 'failed') THEN 1 END),
		count((SELECT 1 FROM trace t WHERE t.unit = u.id LIMIT 1)),
		count((SELECT 1 FROM solutions s WHERE s.unit = u.id))
		FROM experiments e LEFT JOIN units u ON u.experiment = e.id GROUP BY e.id ORDER BY e.name`)
	if err != nil {
		return err
	}
	defer rows.Close()
	at := map[int64]int{}
	for rows.Next() {
		var n int64
		var x Recovered
		if err := rows.Scan(&n, &x.Name, &x.Units, &x.Results, &x.Traces, &x.Solutions); err != nil {
			return err
		}
		at[n] = len(r.Experiments)
		r.Experiments = append(r.Experiments, x)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	saved, err := w.saved()
	if err != nil {
		return err
	}
	for row, exp := range w.units {
		i, ok := at[exp]
		n, known := w.nums[row]
		switch {
		case saved[row] && w.again[row]:
			r.Experiments[i].Again = append(r.Experiments[i].Again, n)
		case saved[row]:
		case ok && known:
			r.Experiments[i].Lost = append(r.Experiments[i].Lost, n)
		default:
			r.Lost++
		}
	}
	for i := range r.Experiments {
		slices.Sort(r.Experiments[i].Lost)
		slices.Sort(r.Experiments[i].Again)
	}
	return nil
}

// saved are the rows of the units that were saved.
func (w *saver) saved() (map[int64]bool, error) {
	rows, err := w.tx.QueryContext(w.ctx, "SELECT id FROM units")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[int64]bool{}
	for rows.Next() {
		var n int64
		if err := rows.Scan(&n); err != nil {
			return nil, err
		}
		out[n] = true
	}
	return out, rows.Err()
}

package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"metalab/solvers/experiment"
	"metalab/solvers/record"
)

// A saver copies the rows of a damaged file into a new one. It derives the table of a row from the
// number and types of its columns, so no page has to name it.
type saver struct {
	ctx    context.Context
	s      *Store
	tx     *sql.Tx
	insert map[string]*sql.Stmt

	units map[int64]int64 // the experiment of each unit that an index or a row names, by its row
	nums  map[int64]int   // their numbers, as far as they are known
	again map[int64]bool  // units whose result is none
	trace []stretchOf     // of the index that holds the traces
	torn  [][2]int64      // units, from one to another, of pages of which rows are lost
}

// A stretchOf is a leaf of the traces' index, from the first row to the last, or a row between two
// leaves.
type stretchOf struct {
	from, to point
	between  bool
}

// A point is the place of a row of a trace.
type point struct{ unit, iteration int64 }

func (p point) compare(q point) int {
	switch {
	case p.unit < q.unit || p.unit == q.unit && p.iteration < q.iteration:
		return -1
	case p == q:
		return 0
	}
	return 1
}

// columnsIn is how many columns the tables have whose rows that tells; the row's number is among
// them. Rows of the indexes of units have 3, too.
var columnsIn = map[int]string{4: "experiments", 8: "instances", 13: "settings", 21: "units"}

func newSaver(ctx context.Context, s *Store) (*saver, error) {
	w := &saver{
		ctx: ctx, s: s, insert: map[string]*sql.Stmt{}, units: map[int64]int64{},
		nums: map[int64]int{}, again: map[int64]bool{},
	}
	// Rows come in any order: what they refer to may follow, and what is missing is seen at the end.
	if _, err := s.write.ExecContext(ctx, "PRAGMA foreign_keys = OFF"); err != nil {
		return nil, err
	}
	var err error
	if w.tx, err = s.write.BeginTx(ctx, nil); err != nil {
		return nil, err
	}
	for table, n := range map[string]int{
		"experiments": 4, "instances": 8, "settings": 13, "units": 21, "trace": 6, "solutions": 3,
		"journal (rowid, experiment, at, what)": 4,
	} {
		q := fmt.Sprintf("INSERT OR IGNORE INTO %s VALUES (?%s)", table, strings.Repeat(", ?", n-1))
		name, _, _ := strings.Cut(table, " ")
		if w.insert[name], err = w.tx.PrepareContext(ctx, q); err != nil {
			return nil, errors.Join(err, w.tx.Rollback())
		}
	}
	return w, nil
}

// all reads all pages of the file at path, and says what was saved.
func (w *saver) all(path string, r *Recovery) error {
	size, err := sizeOf(path)
	if err != nil {
		return err
	}
	logSize, err := sizeOf(path + "-wal")
	if err != nil {
		return err
	}
	var of [2]io.ReaderAt
	for i, n := range []int64{size, logSize} {
		of[i] = strings.NewReader("")
		if n == 0 {
			continue
		}
		f, err := os.Open(path + ends[i])
		if err != nil {
			return err
		}
		defer f.Close()
		of[i] = f
	}
	d := newDump(of[0], size, of[1], logSize)
	r.Pages = d.count
	if b := d.get(1); b == nil || string(b[:len(magic)]) != magic {
		r.Bad++
	}
	var strange []int
	r.Bad += d.count - len(d.there)
	for _, n := range d.there {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		if !d.isUsed(n) {
			continue
		}
		kind, cells, bad := d.cells(n)
		switch {
		case kind == 0:
			strange = append(strange, n)
		case bad > 0:
			r.Bad++
		}
		if err := w.page(kind, cells, bad); err != nil {
			return err
		}
	}
	for _, n := range strange {
		if !d.spilled[n] {
			r.Bad++
		}
	}
	if err := w.mend(); err != nil {
		return err
	}
	return w.tell(r)
}

// page saves the rows of a page, of which bad cannot be read.
func (w *saver) page(kind byte, cells []cell, bad int) error {
	var traced []point
	for i := range cells {
		c := &cells[i]
		switch kind {
		case leafTable:
			if err := w.row(c); err != nil {
				return err
			}
		case leafIndex, inIndex:
			if len(c.values) == 3 {
				w.indexed(c.values)
				continue
			}
			at, err := w.traceRow(c.values)
			if err != nil {
				return err
			}
			if at == nil {
				continue
			}
			if kind == inIndex {
				w.trace = append(w.trace, stretchOf{*at, *at, true})
			} else {
				traced = append(traced, *at)
			}
		}
	}
	if len(traced) > 0 {
		first := slices.MinFunc(traced, point.compare)
		last := slices.MaxFunc(traced, point.compare)
		w.trace = append(w.trace, stretchOf{first, last, false})
		if bad > 0 {
			w.torn = append(w.torn, [2]int64{first.unit, last.unit})
		}
	}
	return nil
}

// indexed notes what a row of an index of units says: experiment, number or key, row.
func (w *saver) indexed(v []any) {
	exp, ok := v[0].(int64)
	row, ok2 := v[2].(int64)
	if !ok || !ok2 || row < 1 || exp < 1 {
		return
	}
	switch x := v[1].(type) {
	case int64:
		w.nums[row] = int(x)
	case []byte:
		if len(x) != len(experiment.Key{}) {
			return
		}
	default:
		return
	}
	w.units[row] = exp
}

// traceRow saves a row of a trace, and returns its place; nil: it is none.
func (w *saver) traceRow(v []any) (*point, error) {
	if len(v) != 6 {
		return nil, nil
	}
	for i, x := range v {
		_, whole := x.(int64)
		_, real := x.(float64)
		if !whole && (i < 3 || !real) {
			return nil, nil
		}
	}
	_, err := w.insert["trace"].ExecContext(w.ctx, v...)
	return &point{v[0].(int64), v[1].(int64)}, err
}

// row saves a row of a table.
func (w *saver) row(c *cell) error {
	v := c.values
	if len(v) == 3 && v[0] == nil {
		v[0] = c.row
		return w.solution(v)
	}
	if len(v) == 3 {
		return w.entry(c)
	}
	table := columnsIn[len(v)]
	if table == "" || v[0] != nil || c.row < 1 { // the row's number stands in the cell alone
		return nil
	}
	v[0] = c.row
	if !fits[table](v) {
		return nil
	}
	if table == "units" {
		return w.unit(v)
	}
	_, err := w.insert[table].ExecContext(w.ctx, v...)
	return err
}

// fits are whether the columns of rows are what programs write into a table. A row of which another
// has been written over in part is not saved.
var fits = map[string]func(v []any) bool{
	"experiments": func(v []any) bool {
		var p experiment.Plan
		return texts(v[1:]...) && v[1] != "" && isJSON(v[2], &p) && isTime(v[3])
	},
	"instances": func(v []any) bool {
		var ref record.InstanceRef
		return texts(v[1:5]...) && integer(v[5]) && (v[6] == nil || number(v[6])) && isJSON(v[7], &ref)
	},
	"settings": func(v []any) bool {
		var w setting
		return integer(v[1]) && texts(v[2:5]...) && integer(v[5]) && texts(v[6:11]...) &&
			integer(v[11]) && isJSON(v[8], &w.Params) && isJSON(v[9], &w.Varied) &&
			isJSON(v[10], &w.Schedule) && isJSON(v[12], &w.Budget)
	},
	"units": func(v []any) bool {
		key, ok := v[3].([]byte)
		seed, isText := v[6].(string)
		_, err := strconv.ParseUint(seed, 10, 64)
		n, isInt := v[2].(int64)
		return ok && len(key) == len(experiment.Key{}) && isText && err == nil && isInt && n > 0 &&
			integer(v[1]) && integer(v[4]) && integer(v[5])
	},
}

// unit saves a unit; one whose result is not what programs write waits.
func (w *saver) unit(v []any) error {
	row := v[0].(int64)
	w.units[row], w.nums[row] = v[1].(int64), int(v[2].(int64))
	switch state := v[7]; {
	case (state == "done" || state == "failed") && isResult(v[8:]):
	case state == "waiting" || state == "making":
		v[7] = "waiting"
	default:
		w.again[row] = true
		v[7] = "waiting"
		clear(v[8:])
	}
	r, err := w.insert["units"].ExecContext(w.ctx, v...)
	if err != nil || v[7] == "waiting" {
		return err
	}
	if n, err := r.RowsAffected(); err != nil || n == 1 {
		return err
	}
	// A state of before was found first, as in a page that is not used any more.
	q := "DELETE FROM units WHERE id = ? AND state = 'waiting'"
	if r, err = w.tx.ExecContext(w.ctx, q, row); err != nil {
		return err
	}
	if n, err := r.RowsAffected(); err != nil || n == 0 {
		return err
	}
	delete(w.again, row)
	_, err = w.insert["units"].ExecContext(w.ctx, v...)
	return err
}

// isResult reports whether columns are those of a result, from best on.
func isResult(v []any) bool {
	for _, i := range []int{0, 8, 9} { // best, optimum, gap
		if v[i] != nil && !number(v[i]) {
			return false
		}
	}
	if !integer(v[1]) || !integer(v[2]) || !number(v[3]) || !number(v[4]) { // iterations to cpu_s
		return false
	}
	digest, ok := v[5].(string)
	_, err := strconv.ParseUint(digest, 16, 64)
	return ok && (digest == "" || err == nil) && texts(v[6:8]...) &&
		(v[10] == "" || isTime(v[10])) && texts(v[11:]...)
}

// solution saves a solution.
func (w *saver) solution(v []any) error {
	kind, ok := v[1].(string)
	data, isBlob := v[2].([]byte)
	if !ok || !isBlob {
		return nil
	}
	if _, err := unpacked(kind, data); err != nil {
		return nil //nolint:nilerr // it is none
	}
	_, err := w.insert["solutions"].ExecContext(w.ctx, v...)
	return err
}

// entry saves an entry of the journal.
func (w *saver) entry(c *cell) error {
	v := c.values
	if !integer(v[0]) || !isTime(v[1]) || !texts(v[2]) {
		return nil
	}
	_, err := w.insert["journal"].ExecContext(w.ctx, c.row, v[0], v[1], v[2])
	return err
}

func integer(v any) bool { _, ok := v.(int64); return ok }

func number(v any) bool {
	switch v.(type) {
	case int64, float64:
		return true
	}
	return false
}

func texts(vs ...any) bool {
	return !slices.ContainsFunc(vs, func(v any) bool { _, ok := v.(string); return !ok })
}

func isJSON(v, to any) bool {
	s, ok := v.(string)
	return ok && json.Unmarshal([]byte(s), to) == nil
}

func isTime(v any) bool {
	s, ok := v.(string)
	if !ok {
		return false
	}
	_, err := time.Parse(layout, s)
	return err == nil
}

package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"metalab/solvers/experiment"
	"metalab/solvers/record"
)

// Add implements experiment.Store.
func (s *Store) Add(
	ctx context.Context, name string, plan experiment.Plan, units []experiment.Unit,
) (added int, err error) {
	text, err := json.Marshal(plan)
	if err != nil {
		return 0, fmt.Errorf("experiment %s: %w", name, err)
	}
	err = s.change(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO experiments (name, plan, began) VALUES (?, ?, ?)
			ON CONFLICT (name) DO UPDATE SET plan = excluded.plan`,
			name, string(text), time.Now().UTC().Format(layout))
		if err != nil {
			return err
		}
		a := adder{
			tx: tx, insts: map[string]int64{}, settings: map[string]int64{},
			lately: map[shared]int64{},
		}
		if a.exp, err = id(ctx, tx, name); err == nil {
			added, err = a.all(ctx, units)
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("experiment %s: %w", name, err)
	}
	return added, nil
}

// adder adds units to an experiment.
type adder struct {
	tx              *sql.Tx
	exp             int64
	insts, settings map[string]int64 // by what they are, as JSON
	lately          map[shared]int64 // of settings
}

// shared are the maps that units of one setting share where a plan made them.
type shared struct {
	params, varied uintptr
	label          string
}

func (a *adder) all(ctx context.Context, units []experiment.Unit) (added int, err error) {
	// Read existing units first: that is faster than as many inserts that change nothing.
	known, last, err := a.known(ctx)
	if err != nil {
		return 0, err
	}
	if err := a.knownSettings(ctx); err != nil {
		return 0, err
	}
	insert, err := a.tx.PrepareContext(ctx, `INSERT INTO units
		(experiment, number, key, setting, instance, seed) VALUES (?, ?, ?, ?, ?, ?)`)
	if err != nil {
		return 0, err
	}
	defer insert.Close()
	for i := range units {
		u := &units[i]
		if known[u.Key] {
			continue
		}
		known[u.Key] = true
		inst, err := a.instance(ctx, u.Instance)
		if err != nil {
			return 0, err
		}
		setting, err := a.setting(ctx, u)
		if err != nil {
			return 0, err
		}
		last++
		added++
		if _, err := insert.ExecContext(ctx, a.exp, last, u.Key[:], setting, inst,
			strconv.FormatUint(u.Seed, 10)); err != nil {
			return 0, err
		}
	}
	return added, nil
}

// known are the keys that the experiment has, and the greatest number.
func (a *adder) known(ctx context.Context) (keys map[experiment.Key]bool, last int, err error) {
	r := &reader{exp: a.exp}
	if r.settings, err = settings(ctx, a.tx, a.exp); err != nil {
		return nil, 0, err
	}
	if r.insts, err = instances(ctx, a.tx); err != nil {
		return nil, 0, err
	}
	rows, err := a.tx.QueryContext(ctx,
		"SELECT number, key, setting, instance, seed FROM units WHERE experiment = ?", a.exp)
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	keys = map[experiment.Key]bool{}
	var k sql.RawBytes
	for rows.Next() {
		var n int
		var set, inst int64
		var seed string
		if err := rows.Scan(&n, &k, &set, &inst, &seed); err != nil {
			return nil, 0, err
		}
		if len(k) != len(experiment.Key{}) {
			return nil, 0, content("unit %d: its key has %d bytes, want %d", n, len(k),
				len(experiment.Key{}))
		}
		key := experiment.Key(k)
		if len(r.settings[set].Schedule) > 0 {
			u := experiment.Unit{Number: n}
			if err := r.unit(&u, k, seed, set, inst); err != nil {
				return nil, 0, err
			}
			key = u.Key
		}
		keys[key] = true
		last = max(last, n)
	}
	return keys, last, rows.Err()
}

// setting is what units have in common, as it stands in the table.
type setting struct {
	Label, Solver, Variant string
	Revision               int
	Backend, Preset        string
	Params                 record.Values
	Varied                 record.Values `json:",omitempty"`
	Schedule               record.Values `json:",omitempty"`
	Device                 int
	Budget                 record.Budget
}

func settingOf(u *experiment.Unit) setting {
	return setting{
		u.Label, u.Solver, u.Variant, u.Revision, u.Backend, u.Preset, u.Params, u.Varied, u.Schedule,
		u.Device, u.Budget,
	}
}

// key is the setting as a text that is the same for the same setting.
func (w setting) key() (string, error) {
	b, err := json.Marshal(w)
	return string(b), err
}

// knownSettings reads the settings that the experiment has.
func (a *adder) knownSettings(ctx context.Context) error {
	all, err := settings(ctx, a.tx, a.exp)
	if err != nil {
		return err
	}
	for n, w := range all {
		k, err := w.key()
		if err != nil {
			return err
		}
		a.settings[k] = n
	}
	return nil
}

// setting returns the number of a unit's setting, which is added where it is new.
func (a *adder) setting(ctx context.Context, u *experiment.Unit) (int64, error) {
	at := shared{
		reflect.ValueOf(u.Params).Pointer(), reflect.ValueOf(u.Varied).Pointer(), u.Label,
	}
	if n, ok := a.lately[at]; ok {
		return n, nil
	}
	w := settingOf(u)
	k, err := w.key()
	if err != nil {
		return 0, err
	}
	n, ok := a.settings[k]
	if !ok {
		var texts [4]string
		for i, v := range []any{w.Params, orEmpty(w.Varied), orEmpty(w.Schedule), w.Budget} {
			b, err := json.Marshal(v)
			if err != nil {
				return 0, err
			}
			texts[i] = string(b)
		}
		r, err := a.tx.ExecContext(ctx, `INSERT INTO settings (experiment, label, solver, variant,
			revision, backend, preset, params, varied, schedule, device, budget)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, a.exp, w.Label, w.Solver, w.Variant, w.Revision,
			w.Backend, w.Preset, texts[0], texts[1], texts[2], w.Device, texts[3])
		if err == nil {
			n, err = r.LastInsertId()
		}
		if err != nil {
			return 0, err
		}
		a.settings[k] = n
	}
	a.lately[at] = n
	return n, nil
}

func orEmpty(v record.Values) record.Values {
	if v == nil {
		return record.Values{}
	}
	return v
}

// instance returns the number of an instance, which is added where it is new.
func (a *adder) instance(ctx context.Context, ref record.InstanceRef) (n int64, err error) {
	at := ref.SHA256 + " " + ref.Name + " " + ref.Path
	if n, ok := a.insts[at]; ok {
		return n, nil
	}
	b, err := json.Marshal(ref)
	if err != nil {
		return 0, err
	}
	err = a.tx.QueryRowContext(ctx, `INSERT INTO instances (sha256, name, path, kind, size, best, ref)
		VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (ref) DO UPDATE SET ref = excluded.ref RETURNING id`,
		ref.SHA256, ref.Name, ref.Path, ref.Kind, ref.Size, ref.Best, string(b)).Scan(&n)
	if err == nil {
		a.insts[at] = n
	}
	return n, err
}

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"metalab/solvers/experiment"
)

// Drop implements experiment.Store.
func (s *Store) Drop(ctx context.Context, name string, numbers []int) (dropped int, err error) {
	l, err := s.lock(name)
	if err != nil {
		return 0, err
	}
	err = s.change(ctx, func(tx *sql.Tx) error {
		exp, err := id(ctx, tx, name)
		if err != nil {
			return err
		}
		for _, n := range numbers {
			var unit int64
			err := tx.QueryRowContext(ctx, "SELECT id FROM units WHERE experiment = ? AND number = ?", exp,
				n).Scan(&unit)
			if errors.Is(err, sql.ErrNoRows) {
				continue
			}
			if err != nil {
				return err
			}
			for _, q := range []string{
				"DELETE FROM trace WHERE unit = ?", "DELETE FROM solutions WHERE unit = ?",
				"DELETE FROM units WHERE id = ?",
			} {
				if _, err := tx.ExecContext(ctx, q, unit); err != nil {
					return err
				}
			}
			dropped++
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM settings WHERE experiment = ? AND id NOT IN
			(SELECT setting FROM units WHERE experiment = ?)`, exp, exp)
		return err
	})
	if err = errors.Join(err, l.free()); err != nil {
		return 0, fmt.Errorf("experiment %s: %w", name, err)
	}
	return dropped, nil
}

// Note implements experiment.Store.
func (s *Store) Note(ctx context.Context, name, text string) error {
	return s.change(ctx, func(tx *sql.Tx) error {
		exp, err := id(ctx, tx, name)
		if err == nil {
			_, err = tx.ExecContext(ctx, "INSERT INTO journal (experiment, at, what) VALUES (?, ?, ?)", exp,
				time.Now().UTC().Format(layout), text)
		}
		return err
	})
}

// Journal implements experiment.Store.
func (s *Store) Journal(ctx context.Context, name string) (all []experiment.Entry, err error) {
	defer s.tell(&err)
	tx, err := s.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	exp, err := id(ctx, tx, name)
	if err != nil {
		return nil, err
	}
	rows, err := tx.QueryContext(ctx,
		"SELECT at, what FROM journal WHERE experiment = ? ORDER BY rowid", exp)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var at string
		var e experiment.Entry
		if err := rows.Scan(&at, &e.Text); err != nil {
			return nil, err
		}
		if e.At, err = time.Parse(layout, at); err != nil {
			return nil, content("experiment %s: journal: %w", name, err)
		}
		all = append(all, e)
	}
	return all, rows.Err()
}

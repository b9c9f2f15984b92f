package sqlite

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	_ "modernc.org/sqlite" // registers the driver

	"metalab/solvers/experiment"
)

// Version is the version of the schema; it stands in the file as PRAGMA user_version.
const Version = 3

// busyMS is how long a reader or writer waits for another, in milliseconds.
const busyMS = 20_000

// applicationID marks the file as one of metalab's, as PRAGMA application_id: "mlab".
const applicationID = 0x6d6c6162

//go:embed schema.sql
var schema string

// A Store is an experiment.Store in a file.
type Store struct {
	path  string
	file  os.FileInfo
	kept  string  // the copy of a file of an earlier version
	write *sql.DB // one connection
	read  *sql.DB
	mu    sync.Mutex // held by the one who writes
}

var _ experiment.Store = (*Store)(nil)

// Open opens the store in a file, and creates a missing one. Its error is a [DamageError] if the
// file cannot be read; the file then stays as it is. Before Open converts a file of an earlier
// version, it makes a copy beside it; see [Store.Kept].
func Open(path string) (*Store, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("experiments: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(abs), 0o700); err != nil {
		return nil, fmt.Errorf("experiments: %w", err)
	}
	if err := inspect(abs); err != nil {
		return nil, err
	}
	if err := private(abs); err != nil {
		return nil, fmt.Errorf("experiments: %w", err)
	}
	s := &Store{path: abs}
	if s.write, err = connect(abs, 1); err == nil {
		err = s.prepare()
	}
	if err == nil {
		s.read, err = connect(abs, 4)
	}
	if err == nil {
		s.file, err = os.Stat(abs)
	}
	if err == nil {
		return s, nil
	}
	_ = s.Close() // what is wrong was said
	if damaged(err) {
		return nil, s.told(err)
	}
	return nil, fmt.Errorf("experiments: %s: %w", abs, err)
}

// connect opens the database with a number of connections.
func connect(path string, most int) (*sql.DB, error) {
	q := url.Values{"_pragma": {
		fmt.Sprintf("busy_timeout(%d)", busyMS), "journal_mode(WAL)", "synchronous(FULL)",
		"foreign_keys(ON)", "temp_store(MEMORY)", "cache_size(-16000)",
	}}
	q.Set("_txlock", "immediate")
	u := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: q.Encode()}
	db, err := sql.Open("sqlite", u.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(most)
	db.SetMaxIdleConns(most)
	return db, nil
}

// prepare makes the tables in a new file, and checks the version of an old one.
func (s *Store) prepare() error {
	var id, version, tables int
	if err := s.write.QueryRow("PRAGMA application_id").Scan(&id); err != nil {
		return err
	}
	if err := s.write.QueryRow("PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if size, err := s.Size(); err == nil && size <= quickBytes {
		if err := check(context.Background(), s.write); err != nil {
			return err
		}
	}
	kept := ""
	if version > 0 && version < Version && id == applicationID {
		var err error
		if kept, err = s.copyBefore(version); err != nil {
			return err
		}
	}
	err := s.change(context.Background(), func(tx *sql.Tx) error {
		if err := tx.QueryRow("PRAGMA user_version").Scan(&version); err != nil {
			return err
		}
		if err := tx.QueryRow("SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
			return err
		}
		switch {
		case version == Version:
			return whole(tx)
		case version > 0 && version < Version && id == applicationID:
			s.kept = kept
			return since(tx, version)
		case version > Version:
			return fmt.Errorf("it has version %d of the schema, and this program knows up to %d: "+
				"use the metalab that wrote it", version, Version)
		case tables > 0 || id != 0:
			return errors.New("it is the database of another program")
		}
		_, err := tx.Exec(fmt.Sprintf("%s; PRAGMA application_id = %d; PRAGMA user_version = %d",
			strings.TrimSuffix(strings.TrimSpace(schema), ";"), applicationID, Version))
		return err
	})
	if kept != "" && s.kept == "" { // another process was faster, and has a copy of its own
		_ = os.Remove(kept)
	}
	return err
}

// tables are those of the schema.
var tables = []string{
	"experiments", "instances", "settings", "units", "trace", "solutions", "journal",
}

// whole returns an error if a table is not there.
func whole(q querier) error {
	for _, name := range tables {
		n := 0
		err := q.QueryRowContext(context.Background(),
			"SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?", name).Scan(&n)
		if err != nil {
			return err
		}
		if n == 0 {
			return content("the table %s is missing", name)
		}
	}
	return nil
}

// Kept is the path of the copy that Open made of a file of an earlier version; empty: the file was
// of this one.
func (s *Store) Kept() string { return s.kept }

// change carries out f in a transaction.
func (s *Store) change(ctx context.Context, f func(*sql.Tx) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return s.told(err)
	}
	if err := f(tx); err != nil {
		_ = tx.Rollback() // what is wrong was said
		return s.told(err)
	}
	return s.told(tx.Commit())
}

// snapshot begins a transaction for reading, to be rolled back: what is read in it by several
// queries is of one moment, while a writer adds settings and then the units that name them.
func (s *Store) snapshot(ctx context.Context) (*sql.Tx, error) {
	return s.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
}

// Moved reports whether another file is in the place of the store's, as after Recover.
func (s *Store) Moved() bool {
	now, err := os.Stat(s.path)
	return err == nil && !os.SameFile(now, s.file)
}

// Path is the file's.
func (s *Store) Path() string { return s.path }

// Close implements experiment.Store.
func (s *Store) Close() error {
	var errs []error
	for _, db := range []*sql.DB{s.read, s.write} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	return errors.Join(errs...)
}

// layout is how times are written.
const layout = "2006-01-02T15:04:05.000Z"

// id returns the number of an experiment.
func id(ctx context.Context, q querier, name string) (n int64, err error) {
	err = q.QueryRowContext(ctx, "SELECT id FROM experiments WHERE name = ?", name).Scan(&n)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("experiment %s: %w", name, experiment.ErrUnknown)
	}
	return n, err
}

// querier is a database or a transaction.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Experiments implements experiment.Store.
func (s *Store) Experiments(ctx context.Context) ([]experiment.Info, error) {
	return s.infos(ctx, "", nil)
}

// Info implements experiment.Store.
func (s *Store) Info(ctx context.Context, name string) (experiment.Info, error) {
	all, err := s.infos(ctx, "WHERE e.name = ?", []any{name})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("experiment %s: %w", name, experiment.ErrUnknown)
	}
	if err != nil {
		return experiment.Info{}, err
	}
	return all[0], nil
}

func (s *Store) infos(ctx context.Context, where string, args []any) (
	out []experiment.Info, err error,
) {
	defer s.tell(&err)
	rows, err := s.read.QueryContext(ctx, `SELECT e.name, e.plan, e.began, count(u.id),
		count(CASE u.state WHEN 'done' THEN 1 END), count(CASE u.state WHEN 'failed' THEN 1 END)
		FROM experiments e LEFT JOIN units u ON u.experiment = e.id `+where+`
		GROUP BY e.id ORDER BY e.name`, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var i experiment.Info
		var plan, began string
		if err := rows.Scan(&i.Name, &plan, &began, &i.Units, &i.Done, &i.Failed); err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(plan), &i.Plan); err != nil {
			return nil, content("experiment %s: plan: %w", i.Name, err)
		}
		if i.Began, err = time.Parse(layout, began); err != nil {
			return nil, content("experiment %s: began: %w", i.Name, err)
		}
		out = append(out, i)
	}
	return out, rows.Err()
}

// Remove implements experiment.Store.
func (s *Store) Remove(ctx context.Context, name string) error {
	l, err := s.lock(name)
	if err != nil {
		return err
	}
	defer l.free()
	return s.change(ctx, func(tx *sql.Tx) error {
		n, err := id(ctx, tx, name)
		if err != nil {
			return err
		}
		for _, q := range []string{
			"DELETE FROM trace WHERE unit IN (SELECT id FROM units WHERE experiment = ?)",
			"DELETE FROM solutions WHERE unit IN (SELECT id FROM units WHERE experiment = ?)",
			"DELETE FROM units WHERE experiment = ?",
			"DELETE FROM settings WHERE experiment = ?",
			"DELETE FROM journal WHERE experiment = ?",
			"DELETE FROM experiments WHERE id = ?",
		} {
			if _, err := tx.ExecContext(ctx, q, n); err != nil {
				return err
			}
		}
		return nil
	})
}

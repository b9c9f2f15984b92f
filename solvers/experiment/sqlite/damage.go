package sqlite

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// A DamageError says that the file of a store cannot be read, or not all of it, as it should be.
// The file is left as it is; [Recover] saves what can be read.
type DamageError struct {
	Path string // of the file
	Err  error  // what cannot be read
}

func (e *DamageError) Error() string {
	return fmt.Sprintf("experiments: %s is damaged: %v", e.Path, e.Err)
}

func (e *DamageError) Unwrap() error { return e.Err }

// quickBytes is the greatest file that is checked when it is opened; see [Store.Check].
const quickBytes = 16 << 20

// A contentError is about what stands in a row and no program here has written.
type contentError struct{ error }

func (e contentError) Unwrap() error { return e.error }

// content is an error about what stands in a row.
func content(format string, args ...any) error { return contentError{fmt.Errorf(format, args...)} }

// told makes errors of a damaged file name it.
func (s *Store) told(err error) error { return damageOf(s.path, err) }

// tell applies told to a returned error.
func (s *Store) tell(err *error) { *err = s.told(*err) }

func damageOf(path string, err error) error {
	var is *DamageError
	if err == nil || errors.As(err, &is) || !damaged(err) {
		return err
	}
	return &DamageError{path, err}
}

// damaged reports whether an error tells of a damaged file.
func damaged(err error) bool {
	var is *DamageError
	if c := (contentError{}); errors.As(err, &c) || errors.As(err, &is) {
		return true
	}
	code := 0
	var e *sqlite.Error
	var f *scanError
	switch {
	case errors.As(err, &e):
		code = e.Code()
	case errors.As(err, &f):
		code = int(f.code)
	default:
		// The error of database/sql for a column with a type that no program here has written.
		return err != nil && strings.Contains(err.Error(), "converting ") ||
			err != nil && strings.Contains(err.Error(), "unsupported Scan")
	}
	switch code & 0xff {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT:
		return true
	case sqlite3.SQLITE_IOERR:
		return code == sqlite3.SQLITE_IOERR_SHORT_READ || code == sqlite3.SQLITE_IOERR_CORRUPTFS
	case sqlite3.SQLITE_ERROR: // a table or a column is not there
		return strings.Contains(err.Error(), "no such ") || strings.Contains(err.Error(), "malformed")
	}
	return false
}

// inspect finds, before SQLite opens a file, data that SQLite would delete or overwrite: a log
// whose file is missing or empty, and a log that is none.
func inspect(path string) error {
	size, err := sizeOf(path)
	if err != nil {
		return err
	}
	logSize, err := sizeOf(path + "-wal")
	if err != nil || logSize < logHead {
		return err
	}
	if size == 0 {
		return &DamageError{path, fmt.Errorf("it is empty, or gone, and its log beside it has %d bytes",
			logSize)}
	}
	f, err := os.Open(path + "-wal")
	if err != nil {
		return err
	}
	defer f.Close()
	head := make([]byte, logHead)
	if _, err := f.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	blank := !slices.ContainsFunc(head, func(c byte) bool { return c != 0 })
	if !blank && binary.BigEndian.Uint32(head)&^1 != logMagic { // zeros: the power went off
		return &DamageError{path, errors.New("its log beside it (-wal) is none")}
	}
	page := int(binary.BigEndian.Uint32(head[8:]))
	if !pageSize(page) || page == 1 {
		return nil // SQLite passes over it
	}
	if _, lost := readLog(f, logSize, page); lost > 0 {
		return &DamageError{path, fmt.Errorf("frame %d of its log beside it (-wal) has been written "+
			"over, and the results behind that would be lost", lost)}
	}
	return nil
}

// Check looks whether the whole file can be read (PRAGMA quick_check), and reads it for that; its
// error is a DamageError where it cannot. Open does it for files up to 16 MB.
func (s *Store) Check(ctx context.Context) error {
	return s.told(check(ctx, s.write))
}

func check(ctx context.Context, db *sql.DB) error {
	rows, err := db.QueryContext(ctx, "PRAGMA quick_check(1)")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return err
		}
		if text != "ok" {
			text = strings.TrimPrefix(strings.Join(strings.Fields(text), " "), "*** in database main *** ")
			return content("%s", text)
		}
	}
	return rows.Err()
}

// Size is the size of the file, in bytes.
func (s *Store) Size() (int64, error) { return sizeOf(s.path) }

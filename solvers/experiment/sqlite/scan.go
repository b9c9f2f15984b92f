package sqlite

import (
	"encoding/binary"
	"fmt"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"

	"metalab/solvers/experiment"
)

// A scan reads traces by SQLite's own functions. An export reads millions of their rows, and by
// package database/sql a row takes twice the time: it asks for the type of each number, makes a
// value of it in memory, and locks the connection for each. A scan is used by one goroutine.
type scan struct {
	tls       *libc.TLS
	db, query uintptr
}

// newScan opens the file for reading.
func newScan(path string) (s *scan, err error) {
	s = &scan{tls: libc.NewTLS()}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	text := func(x string) (p uintptr) {
		if err == nil {
			p, err = libc.CString(x)
		}
		return p
	}
	file := text(path)
	defer libc.Xfree(s.tls, file)
	query := text("SELECT iteration, evaluations, wall_s, cpu_s, best FROM trace WHERE unit = ? " +
		"ORDER BY iteration")
	defer libc.Xfree(s.tls, query)
	const pointer = 8
	out := libc.Xcalloc(s.tls, 1, pointer)
	defer libc.Xfree(s.tls, out)
	if err != nil || out == 0 {
		return s, fmt.Errorf("no memory for a query: %w", err)
	}
	result := func() uintptr {
		return uintptr(binary.NativeEndian.Uint64(libc.GoBytes(out, pointer)))
	}
	rc := sqlite3.Xsqlite3_open_v2(s.tls, file, out,
		sqlite3.SQLITE_OPEN_READWRITE|sqlite3.SQLITE_OPEN_NOMUTEX, 0)
	s.db = result()
	if rc != sqlite3.SQLITE_OK {
		return s, s.fault(rc)
	}
	sqlite3.Xsqlite3_busy_timeout(s.tls, s.db, busyMS)
	rc = sqlite3.Xsqlite3_prepare_v2(s.tls, s.db, query, -1, out, 0)
	if rc != sqlite3.SQLITE_OK {
		return s, s.fault(rc)
	}
	s.query = result()
	return s, nil
}

// A scanError is a return code of SQLite.
type scanError struct {
	code int32
	text string
}

func (e *scanError) Error() string { return fmt.Sprintf("%s (%d)", e.text, e.code) }

// fault is the error of a return code.
func (s *scan) fault(rc int32) error {
	return &scanError{rc, libc.GoString(sqlite3.Xsqlite3_errmsg(s.tls, s.db))}
}

// trace appends the trace of a unit to points.
func (s *scan) trace(unit int64, points []experiment.TracePoint) ([]experiment.TracePoint, error) {
	defer sqlite3.Xsqlite3_reset(s.tls, s.query)
	if rc := sqlite3.Xsqlite3_bind_int64(s.tls, s.query, 1, unit); rc != sqlite3.SQLITE_OK {
		return points, s.fault(rc)
	}
	for {
		switch rc := sqlite3.Xsqlite3_step(s.tls, s.query); rc {
		case sqlite3.SQLITE_ROW:
			points = append(points, experiment.TracePoint{
				Iteration:   sqlite3.Xsqlite3_column_int64(s.tls, s.query, 0),
				Evaluations: sqlite3.Xsqlite3_column_int64(s.tls, s.query, 1),
				Wall:        sqlite3.Xsqlite3_column_double(s.tls, s.query, 2),
				CPU:         sqlite3.Xsqlite3_column_double(s.tls, s.query, 3),
				Best:        sqlite3.Xsqlite3_column_double(s.tls, s.query, 4),
			})
		case sqlite3.SQLITE_DONE:
			return points, nil
		default:
			return points, s.fault(rc)
		}
	}
}

func (s *scan) close() {
	sqlite3.Xsqlite3_finalize(s.tls, s.query)
	sqlite3.Xsqlite3_close(s.tls, s.db)
	s.tls.Close()
}

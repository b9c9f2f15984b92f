package sqlite_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"metalab/solvers/experiment"
	"metalab/solvers/experiment/sqlite"
)

// at puts a file and its log into a folder of their own; nil: it is not there.
func at(t *testing.T, file, log []byte) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "exp.sqlite")
	for end, data := range map[string][]byte{"": file, "-wal": log} {
		if data == nil {
			continue
		}
		if err := os.WriteFile(path+end, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// What is in the log only is saved from there, also where the file or a part of the log is gone.
func TestDamagedLog(t *testing.T) {
	t.Parallel()
	const all = 30
	from := filepath.Join(t.TempDir(), "x.sqlite")
	s := madeStore(t, from, all/3)
	file, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(from + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	const frame = 4096 + 24
	frames := (len(log) - 32) / frame
	if frames < 50 {
		t.Fatalf("the log has %d frames: most of the results should stand in it", frames)
	}
	with := func(f func([]byte)) []byte {
		d := slices.Clone(log)
		f(d)
		return d
	}
	for name, c := range map[string]struct {
		file, log []byte
		least     int // results that are saved
		says      string
	}{
		"file gone":  {nil, log, all, "its log beside it has"},
		"file empty": {[]byte{}, log, all, "its log beside it has"},
		"garbage": {
			file, bytes.Repeat([]byte("oops"), len(log)/4), -1, "its log beside it (-wal) is none",
		},
		"frame": {
			file, with(func(d []byte) { d[32+10*frame+500] ^= 0xff }), all - 3, "frame 11 of",
		},
		"head of a frame": {
			file, with(func(d []byte) { clear(d[32+20*frame : 32+20*frame+24]) }), all - 3, "frame 21 of",
		},
		"head of the log": {file, with(func(d []byte) { d[17]++ }), all - 3, "frame 1 of"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := at(t, c.file, c.log)
			var damage *sqlite.DamageError
			if _, err := sqlite.Open(path); !errors.As(err, &damage) || damage.Path != path ||
				!strings.Contains(err.Error(), c.says) {
				t.Errorf("%v", err)
			}
			if is, err := os.ReadFile(path + "-wal"); err != nil || !bytes.Equal(is, c.log) {
				t.Errorf("the log was changed, %v", err)
			}
			r, err := sqlite.Recover(t.Context(), path, false)
			if c.least < 0 { // all that there was stood in the log
				if !errors.Is(err, sqlite.ErrNothing) {
					t.Errorf("%+v, %v", r, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if is, err := os.ReadFile(r.Aside + "-wal"); err != nil || !bytes.Equal(is, c.log) {
				t.Errorf("the log is not beside what is aside, %v", err)
			}
			n, traces, _, err := wrong(t.Context(), open(t, path))
			if err != nil || n < c.least || traces < c.least-6 {
				t.Errorf("%d results, %d traces: want %d; %v", n, traces, c.least, err)
			}
		})
	}
	// The end of a log that a crash has cut is no damage: what is not whole was never promised.
	n, _, _, err := wrong(t.Context(), open(t, at(t, file, log[:len(log)-100])))
	if err != nil || n < all-3 {
		t.Errorf("%d results, %v", n, err)
	}
}

// A store that is not damaged, or that somebody writes to, is not recovered.
func TestRecoverRefuses(t *testing.T) {
	t.Parallel()
	path, data := closed(t, 2)
	if r, err := sqlite.Recover(t.Context(), path, false); !errors.Is(err, sqlite.ErrWhole) {
		t.Errorf("%+v, %v", r, err)
	}
	none := filepath.Join(t.TempDir(), "none.sqlite")
	if r, err := sqlite.Recover(t.Context(), none, true); !errors.Is(err, sqlite.ErrWhole) {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := os.Stat(none); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a store was made: %v", err)
	}
	s := open(t, path)
	q, err := s.Queue(t.Context(), "f", false)
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	clear(data[4096 : 2*4096])
	bad := at(t, data, nil)
	for _, p := range []string{path, bad} { // the other has no locks beside it
		_, err := sqlite.Recover(t.Context(), p, false)
		if taken := errors.Is(err, experiment.ErrTaken); taken != (p == path) {
			t.Errorf("%s: %v", p, err)
		}
		if p == path && !strings.Contains(fmt.Sprint(err), fmt.Sprint("process ", os.Getpid())) {
			t.Errorf("%v", err)
		}
	}
	if n, _, _, err := wrong(t.Context(), s); err != nil || n != 6 {
		t.Errorf("%d units, %v", n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	bad = at(t, data, nil)
	if _, err := sqlite.Recover(ctx, bad, false); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if is, err := os.ReadFile(bad); err != nil || !bytes.Equal(is, data) {
		t.Errorf("it was changed, %v", err)
	}
}

// Rows that no program has written are damage, and no panic, wherever they are read.
func TestStrangeRows(t *testing.T) {
	t.Parallel()
	_, data := closed(t, 2)
	for _, q := range []string{
		"UPDATE units SET key = x'01' WHERE number = 2",
		"UPDATE units SET key = NULL WHERE 0; UPDATE units SET seed = 'many' WHERE number = 2",
		"UPDATE units SET best = 'good' WHERE number = 2 AND experiment = 1",
		"UPDATE units SET digest = 'xyz' WHERE number = 2 AND experiment = 1",
		"UPDATE units SET setting = 99 WHERE number = 2",
		"UPDATE units SET instance = 99 WHERE number = 2",
		"UPDATE settings SET params = '{' WHERE id = 1",
		"UPDATE experiments SET plan = 'plan'",
		"UPDATE solutions SET kind = 'cube' WHERE unit = 2",
		"DROP TABLE journal",
	} {
		path := at(t, data, nil)
		db, err := sql.Open("sqlite", "file:"+path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(q); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		s, err := sqlite.Open(path)
		if err == nil {
			_, err = s.Info(t.Context(), "e")
			if err == nil {
				_, _, _, err = wrong(t.Context(), s)
			}
			p := plan(2, 40)
			if _, e := s.Add(t.Context(), "e", p, units(t, p)); err == nil {
				err = e
			}
			_ = s.Close()
		}
		var damage *sqlite.DamageError
		if !errors.As(err, &damage) || damage.Path != path {
			t.Errorf("%s: %v", q, err)
		}
		r, err := sqlite.Recover(t.Context(), path, false)
		if err != nil {
			t.Errorf("%s: %v", q, err)
			continue
		}
		n, _, _, err := wrong(t.Context(), open(t, r.Path))
		if n < 4 || err != nil && !strings.Contains(q, "plan = ") {
			t.Errorf("%s: %d results, %v, %+v", q, n, err, r)
		}
	}
}

// Before a file of an earlier version becomes one of this, a copy of it is made.
func TestCopyBefore(t *testing.T) {
	t.Parallel()
	_, data := closed(t, 2)
	path := at(t, data, nil)
	for i, want := range []string{"exp.version-2.sqlite", "exp.version-2-2.sqlite"} {
		db, err := sql.Open("sqlite", "file:"+path)
		if err == nil {
			_, err = db.Exec("DROP TABLE journal; PRAGMA user_version = 2")
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		s := open(t, path)
		if filepath.Base(s.Kept()) != want {
			t.Errorf("%d: the copy is %q", i, s.Kept())
		}
		if n, _, _, err := wrong(t.Context(), s); err != nil || n != 6 {
			t.Errorf("%d units, %v", n, err)
		}
		old, err := sql.Open("sqlite", "file:"+s.Kept())
		if err != nil {
			t.Fatal(err)
		}
		var version, n int
		if err := errors.Join(old.QueryRow("PRAGMA user_version").Scan(&version),
			old.QueryRow("SELECT count(*) FROM trace").Scan(&n)); err != nil || version != 2 || n != 120 {
			t.Errorf("version %d with %d rows, %v", version, n, err)
		}
		if st, err := os.Stat(s.Kept()); err != nil || st.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", st.Mode(), err)
		}
		if err := errors.Join(old.Close(), s.Close()); err != nil {
			t.Fatal(err)
		}
		if again := open(t, path); again.Kept() != "" {
			t.Errorf("a copy of a file of this version: %s", again.Kept())
		} else if err := again.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// fullEnv is the file that a child of the test opens, or recovers, where files cannot grow, as on a
// full disk; its second word is what it does.
const fullEnv = "METALAB_TEST_FULL"

// full opens or recovers a file where no file may be longer than a few kilobytes.
func full(path, what string) error {
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE,
		&syscall.Rlimit{Cur: 40_000, Max: 40_000}); err != nil {
		return err
	}
	if what == "recover" {
		_, err := sqlite.Recover(context.Background(), path, false)
		return err
	}
	_, err := sqlite.Open(path)
	return err
}

// Without room nothing is changed: neither by an upgrade nor by recovering.
func TestNoRoom(t *testing.T) {
	t.Parallel()
	_, data := closed(t, 20)
	old := slices.Clone(data)
	binary.BigEndian.PutUint32(old[60:], 2) // user_version
	bad := slices.Clone(data)
	clear(bad[:100])
	for what, file := range map[string][]byte{"open": old, "recover": bad} {
		path := at(t, file, nil)
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), fullEnv+"="+path+" "+what)
		out, err := c.CombinedOutput()
		if err == nil || !strings.Contains(string(out), path) ||
			!strings.Contains(string(out), "nothing was changed") {
			t.Errorf("%s: %v, %s", what, err, out)
		}
		if is, err := os.ReadFile(path); err != nil || !bytes.Equal(is, file) {
			t.Errorf("%s: the file was changed, %v", what, err)
		}
		names, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*.sqlite*"))
		names = slices.DeleteFunc(names, func(s string) bool { return strings.HasSuffix(s, ".lock") })
		if err != nil || len(names) != 1 {
			t.Errorf("%s: %v are there, %v", what, names, err)
		}
	}
}

// In a folder that may not be written to, the errors say which.
func TestReadOnlyFolder(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		t.Skip("root may write everywhere")
	}
	_, data := closed(t, 2)
	clear(data[:100])
	path := at(t, data, nil)
	if err := os.Chmod(filepath.Dir(path), 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(filepath.Dir(path), 0o700)
	if _, err := sqlite.Open(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("%v", err)
	}
	if _, err := sqlite.Recover(t.Context(), path, false); !errors.Is(err, os.ErrPermission) ||
		!strings.Contains(err.Error(), path) {
		t.Errorf("%v", err)
	}
	if is, err := os.ReadFile(path); err != nil || !bytes.Equal(is, data) {
		t.Errorf("it was changed, %v", err)
	}
}

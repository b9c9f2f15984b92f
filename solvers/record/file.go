package record

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// ReadFile reads the record in a file.
func ReadFile(path string) (*Record, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	defer f.Close()
	r, err := Decode(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// WriteFile writes r to path atomically: it replaces an old file only when the new one is complete
// and on disk.
func (r *Record) WriteFile(path string) error { return Atomic(path, r.Encode) }

// Atomic writes a file by way of a temporary one beside it, which it syncs to disk and renames. If
// anything fails, the old file at path stays and the error says what to do.
//
// Atomic follows a symbolic link, so the link stays and its file is replaced.
func Atomic(path string, write func(io.Writer) error) (err error) {
	if path, err = Target(path); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return hint(path, err)
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
			err = hint(path, err)
		}
	}()
	if err := write(f); err != nil {
		return err
	}
	mode := modeIn(filepath.Dir(path))
	if st, err := os.Stat(path); err == nil { // its owner has chosen it
		mode = st.Mode().Perm()
	}
	if err := f.Chmod(mode); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	if d, err := os.Open(filepath.Dir(path)); err == nil {
		_ = d.Sync() // the rename; some file systems cannot, and then it is as durable as they are
		d.Close()
	}
	return nil
}

// modeIn is the mode of a new file in a folder: nobody else may read one in a folder that is
// closed to others, also where the file is moved or the folder opened later.
func modeIn(dir string) os.FileMode {
	if st, err := os.Stat(dir); err == nil && st.Mode().Perm()&0o077 == 0 {
		return 0o600
	}
	return 0o644
}

// mostLinks is how many symbolic links a path may lead through, as in Linux.
const mostLinks = 40

// Target returns the file that a write to path affects: if path is a symbolic link, the file that
// the link leads to, which may not exist yet. It returns an error if something other than a file is
// there, or if path leads into a folder of the system: a rename would put a file in the place of a
// device such as /dev/null or /dev/stdout, and fails on a folder.
func Target(path string) (string, error) {
	at, err := filepath.Abs(path)
	if err != nil {
		return "", hint(path, err)
	}
	for range mostLinks {
		if dir, err := filepath.EvalSymlinks(filepath.Dir(at)); err == nil && !ofSystem(at) {
			at = filepath.Join(dir, filepath.Base(at))
		}
		st, err := os.Lstat(at)
		switch {
		case ofSystem(at) || err == nil && !st.IsDir() && st.Mode()&os.ModeSymlink == 0 &&
			!st.Mode().IsRegular():
			return "", fmt.Errorf("record: write %s: it is a device or the like; name a file", path)
		case err != nil:
			return at, nil // writing there says what is wrong
		case st.IsDir():
			return "", fmt.Errorf("record: write %s: it is a folder; name a file in it", path)
		case st.Mode().IsRegular():
			return at, nil
		}
		to, err := os.Readlink(at)
		if err != nil {
			return "", hint(path, err)
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(at), to)
		}
		at = filepath.Clean(to)
	}
	return "", hint(path, syscall.ELOOP)
}

// ofSystem reports whether a path is below a folder of devices or of what the kernel shows as
// files. Files in memory, below /dev/shm, are files.
func ofSystem(path string) bool {
	return slices.ContainsFunc([]string{"/dev/", "/proc/", "/sys/"}, func(dir string) bool {
		return strings.HasPrefix(path, dir)
	}) && !strings.HasPrefix(path, "/dev/shm/")
}

// Writable returns an error unless a file can be written at the path, so that callers can check
// before they compute its contents. It leaves nothing there.
func Writable(path string) error {
	path, err := Target(path)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return hint(path, err)
	}
	f.Close()
	return os.Remove(f.Name())
}

// hint says what a person can do about a write that failed.
func hint(path string, err error) error {
	what := "nothing was changed there"
	var at *os.PathError
	if errors.As(err, &at) { // at.Path is of the temporary file
		err = at.Err
	}
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		what += "; make room on the disk, or save to another folder"
	case errors.Is(err, os.ErrPermission):
		what += "; save to a folder that you may write to"
	case errors.Is(err, os.ErrNotExist):
		err = fmt.Errorf("folder %s: %w", filepath.Dir(path), err)
		what += "; make the folder first"
	}
	return fmt.Errorf("record: write %s: %w (%s)", path, err, what)
}

// appended adds advice to the error of an append. The lines stay in memory for another attempt.
func appended(path string, err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf("record: write %s: %w (make room on the disk)", path, err)
	}
	return fmt.Errorf("record: write %s: %w", path, err)
}

// An Appender writes a record during its run: it appends lines, and Sync brings them to disk. A
// crash loses at most the lines since the last Sync.
type Appender struct {
	f    *os.File
	buf  []byte
	line []byte // scratch
	err  error
}

// Create starts a file with the header h and replaces an old file. If it cannot write the header,
// it leaves no file.
func Create(path string, h Header) (*Appender, error) {
	h.Version = FormatVersion // what will be appended is not known yet
	mode := modeIn(filepath.Dir(path))
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, mode)
	if err != nil {
		return nil, hint(path, err)
	}
	a := &Appender{f: f}
	a.add(AppendHeader(nil, h))
	if err = a.err; err == nil {
		err = a.Sync()
	}
	if d, derr := os.Open(filepath.Dir(path)); derr == nil {
		_ = d.Sync() // the file's name; some file systems cannot
		d.Close()
	}
	if err != nil {
		if st, serr := f.Stat(); serr == nil && st.Mode().IsRegular() {
			os.Remove(path)
		}
		f.Close()
		return nil, err
	}
	return a, nil
}

// InPlace reports whether the appender's file is still the one at its path. It is not if somebody
// deleted or replaced the file or its folder.
func (a *Appender) InPlace() bool {
	mine, err := a.f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(a.f.Name())
	return err == nil && os.SameFile(mine, there)
}

// Point appends p.
func (a *Appender) Point(p Point, names []string) { a.add(AppendPoint(a.line[:0], p, names), nil) }

// Change appends c.
func (a *Appender) Change(c Change) { a.add(AppendChange(a.line[:0], c)) }

// Best appends a best solution.
func (a *Appender) Best(b Best) { a.add(AppendBest(a.line[:0], b)) }

// Series appends the line that opens series n of the repeats; n counts from 1.
func (a *Appender) Series(n int, s Series) { a.add(AppendSeries(a.line[:0], n, s)) }

// Seeded appends a result of series n.
func (a *Appender) Seeded(n int, x Seeded) { a.add(AppendSeeded(a.line[:0], n, x)) }

// add seals a line and appends it.
func (a *Appender) add(line []byte, err error) {
	if err != nil {
		a.err = errors.Join(a.err, err)
		return
	}
	a.line = seal(line)
	a.buf = append(a.buf, a.line...)
}

// Buffered returns the number of appended bytes that the system does not have yet.
func (a *Appender) Buffered() int { return len(a.buf) }

// Flush passes the appended lines to the system. They then survive the end of the process, but not
// a crash of the machine.
func (a *Appender) Flush() error {
	if a.err != nil {
		return a.err
	}
	n, err := a.f.Write(a.buf)
	a.buf = append(a.buf[:0], a.buf[n:]...)
	if err != nil {
		return appended(a.f.Name(), err)
	}
	return nil
}

// Sync writes the appended lines and waits until they are on disk. After an error it keeps the
// lines for a later Sync.
func (a *Appender) Sync() error {
	if err := a.Flush(); err != nil {
		return err
	}
	if err := a.f.Sync(); err != nil {
		return appended(a.f.Name(), err)
	}
	return nil
}

// Close syncs and closes the file.
func (a *Appender) Close() error { return errors.Join(a.Sync(), a.f.Close()) }

package tty

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

const (
	maxHistoryRead  = 4 << 20  // bytes read from the end of the file
	maxHistoryFile  = 8 << 20  // bytes at which the file is cut to what was read
	maxHistoryEntry = 64 << 10 // bytes of one command; longer ones are not kept on disk
)

// A historyFile keeps a history on disk, a line a command, readable by its
// owner alone. Several processes may append to it at the same time: each line
// is one write at the end of the file, under a lock. The lock matters only
// against a process that is cutting the file down.
type historyFile struct{ path string }

// load returns the entries of the file, the oldest first, none if there is no
// file yet. It makes the folder and narrows the file's mode.
func (f historyFile) load() ([]string, error) {
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		return nil, fmt.Errorf("tty: history: %w", err)
	}
	file, err := f.open(os.O_RDWR)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("tty: history: %w", err)
	}
	defer file.Close()
	b, err := readTail(file, maxHistoryRead)
	if err != nil {
		return nil, fmt.Errorf("tty: history: %w", err)
	}
	entries := parseHistory(b)
	if st, err := file.Stat(); err == nil && st.Size() > maxHistoryFile {
		if err := f.rewrite(entries); err != nil {
			return entries, fmt.Errorf("tty: history: cutting %s down: %w", f.path, err)
		}
	}
	return entries, nil
}

// append adds one entry.
func (f historyFile) append(entry string) error {
	if len(entry) > maxHistoryEntry {
		return nil
	}
	file, err := f.open(os.O_RDWR | os.O_CREATE | os.O_APPEND)
	if err != nil {
		return fmt.Errorf("tty: history: %w", err)
	}
	line := escapeEntry(entry) + "\n"
	if !endsLine(file) { // an earlier write was cut short: begin a new line
		line = "\n" + line
	}
	_, err = file.WriteString(line)
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("tty: history: %w", err)
	}
	return nil
}

// open opens the file and locks it until it is closed. The file may have been
// replaced while it waited for the lock; then it opens the new one.
func (f historyFile) open(flag int) (*os.File, error) {
	for {
		file, err := os.OpenFile(f.path, flag, 0o600)
		if err != nil {
			return nil, err
		}
		// On a file system without locks the history is written without a lock.
		_ = unix.Flock(int(file.Fd()), unix.LOCK_EX)
		held, err := file.Stat()
		if err != nil {
			file.Close()
			return nil, err
		}
		now, err := os.Stat(f.path)
		if err == nil && !os.SameFile(held, now) {
			file.Close()
			continue
		}
		if held.Mode().IsRegular() && held.Mode().Perm()&0o077 != 0 {
			if err := file.Chmod(0o600); err != nil {
				file.Close()
				return nil, err
			}
		}
		return file, nil
	}
}

// rewrite replaces the file, and where its path is a symbolic link the one that it leads to; the
// caller holds its lock.
func (f historyFile) rewrite(entries []string) error {
	path, err := filepath.EvalSymlinks(f.path)
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // 0600
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // fails once renamed
	var b strings.Builder
	for _, e := range entries {
		b.WriteString(escapeEntry(e))
		b.WriteByte('\n')
	}
	_, err = tmp.WriteString(b.String())
	if err = errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// endsLine tells whether a file is empty or ends in a newline.
func endsLine(f *os.File) bool {
	st, err := f.Stat()
	if err != nil || st.Size() == 0 {
		return true
	}
	var last [1]byte
	_, err = f.ReadAt(last[:], st.Size()-1)
	return err != nil || last[0] == '\n'
}

// readTail reads the last n bytes of a file, from the start of a line.
func readTail(f *os.File, n int64) ([]byte, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	from := max(0, st.Size()-n)
	b, err := io.ReadAll(io.NewSectionReader(f, from, n))
	if err != nil {
		return nil, err
	}
	if from > 0 {
		if i := bytes.IndexByte(b, '\n'); i >= 0 {
			b = b[i+1:]
		}
	}
	return b, nil
}

// parseHistory reads the lines of a history file. It cleans or omits what is not text (a damaged
// block, another kind of file), and never fails.
func parseHistory(b []byte) []string {
	var entries []string
	for line := range strings.SplitSeq(string(b), "\n") {
		if len(line) > 2*maxHistoryEntry {
			continue
		}
		lines := strings.Split(unescapeEntry(line), "\n")
		for i := range lines {
			lines[i] = clean(lines[i])
		}
		if e := strings.Join(lines, "\n"); strings.TrimSpace(e) != "" {
			entries = append(entries, e)
		}
	}
	return entries[max(0, len(entries)-maxHistory):]
}

// escapeEntry makes one line of an entry.
func escapeEntry(s string) string {
	return strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", `\r`).Replace(s)
}

// unescapeEntry undoes escapeEntry. A backslash before any other character
// stands for itself.
func unescapeEntry(s string) string {
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\r`, "\r").Replace(s)
}

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// newTables are the tables that versions have brought, by the version.
var newTables = map[int]*regexp.Regexp{
	2: regexp.MustCompile(`(?s)CREATE TABLE solutions \(.*?\n\);`),
	3: regexp.MustCompile(`(?s)CREATE TABLE journal \(.*?\n\);`),
}

// since makes a file of an earlier version one of this.
func since(tx *sql.Tx, version int) error {
	for v := version + 1; v <= Version; v++ {
		if _, err := tx.Exec(newTables[v].FindString(schema)); err != nil {
			return err
		}
	}
	_, err := tx.Exec(fmt.Sprintf("PRAGMA user_version = %d", Version))
	return err
}

// copyBefore makes a copy of the file as it is, before it becomes one of this version. Its path is
// that of the file with the version in the name, and a number where there is such a copy.
func (s *Store) copyBefore(version int) (path string, err error) {
	ctx := context.Background()
	reserved, err := reserve(s.path, fmt.Sprintf("version-%d", version))
	if err != nil {
		return "", uncopied(s.path, version, err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(reserved)
		}
	}()
	part := fmt.Sprintf("%s.part-%d", reserved, os.Getpid())
	defer os.Remove(part)
	if err := create(part); err != nil {
		return "", uncopied(s.path, version, err)
	}
	if _, err = s.write.ExecContext(ctx, "VACUUM INTO ?", part); err != nil {
		if damaged(err) {
			return "", err
		}
		return "", uncopied(s.path, version, err)
	}
	if err := onDisk(part); err != nil {
		return "", uncopied(s.path, version, err)
	}
	if err := os.Rename(part, reserved); err != nil {
		return "", uncopied(s.path, version, err)
	}
	return reserved, onDisk(filepath.Dir(reserved))
}

// reserve makes an empty file of a name that nothing has, so that no other process takes it for its
// copy: the one that is slower removes its own.
func reserve(of, word string) (path string, err error) {
	for {
		path = beside(of, word)
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		return path, f.Close()
	}
}

// uncopied returns the error about a failed copy.
func uncopied(path string, version int, err error) error {
	return fmt.Errorf("it has version %d of the schema, and before it becomes one of version %d a "+
		"copy of it is made in %s, which fails: %w (nothing was changed; make room there, or let the "+
		"folder be written to)", version, Version, filepath.Dir(path), err)
}

// create makes an empty file for the user alone.
func create(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// onDisk waits until a file, or the names in a folder, cannot be lost by a crash.
func onDisk(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	err = f.Sync()
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// beside is a path beside that of a file which nothing has: experiments.sqlite becomes
// experiments.WORD.sqlite, or experiments.WORD-2.sqlite.
func beside(path, word string) string {
	ext := filepath.Ext(path)
	base := strings.TrimSuffix(path, ext) + "." + word
	for i := 1; ; i++ {
		p := base + ext
		if i > 1 {
			p = fmt.Sprintf("%s-%d%s", base, i, ext)
		}
		if _, err := os.Lstat(p); os.IsNotExist(err) {
			return p
		} else if err != nil {
			return p // what writes there says why it cannot
		}
	}
}

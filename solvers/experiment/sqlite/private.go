package sqlite

import (
	"errors"
	"os"
	"path/filepath"
)

// private makes the file of a store, and those that SQLite keeps beside it, the user's alone where
// they lie in a folder that is: SQLite gives the others the mode of the first.
func private(path string) error {
	st, err := os.Stat(filepath.Dir(path))
	if err != nil || st.Mode().Perm()&0o077 != 0 {
		return err
	}
	// A file that is there is not opened: closing it would free the locks of this process.
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	switch {
	case err == nil:
		f.Close()
	case !errors.Is(err, os.ErrExist):
		return err
	}
	for _, end := range []string{"", "-wal", "-shm"} {
		if err := os.Chmod(path+end, 0o600); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

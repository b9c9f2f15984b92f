package host

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// StateError says that the folder of state cannot be used: which folder it is, who names it, what
// is wrong with it, and what to set. err is of a file or folder in it.
func StateError(dir string, err error) error {
	why := err.Error()
	var at *os.PathError
	if errors.As(err, &at) {
		why = at.Err.Error()
	}
	switch file := fileOf(dir); {
	case file == dir:
		why = "that is a file"
	case file != "":
		why = file + " is a file"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		why = "the disk is full"
	case errors.Is(err, os.ErrNotExist):
		why = "it cannot be made"
	}
	whose := "the folder of autosaves is " + dir
	if os.Getenv(EnvState) != "" {
		whose = EnvState + " is " + dir
	}
	return fmt.Errorf("%s: %s; set %s to a folder that you may write to", whose, why, EnvState)
}

// fileOf is the first part of a path that is there and is no folder; empty: none is.
func fileOf(path string) string {
	for p := path; ; p = filepath.Dir(p) {
		if st, err := os.Stat(p); err == nil {
			if st.IsDir() {
				return ""
			}
			return p
		}
		if p == filepath.Dir(p) {
			return ""
		}
	}
}

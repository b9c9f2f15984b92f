package interpret

import (
	"os"

	"golang.org/x/sys/unix"
)

// inputs makes a pipe this process's standard input, in place of the one before, and returns the
// end to write to. File descriptor 0 stays what is read, so that [cells.Reads] sees who waits.
func inputs() (*os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	// Fd makes it a file whose read blocks in the system, as one of a program.
	if err := unix.Dup2(int(r.Fd()), 0); err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

package command

import (
	"errors"
	"flag"
	"fmt"
	"os"
)

// ErrUsage is the error of wrong flags, which package flag has printed.
var ErrUsage = errors.New("wrong flags")

// Told is an error that the user has been told of.
type Told struct{ Err error }

func (t Told) Error() string { return t.Err.Error() }

// Unwrap returns the error that was told.
func (t Told) Unwrap() error { return t.Err }

// Parse reads the flags of a command; most is the number of arguments that it takes.
func Parse(fs *flag.FlagSet, args []string, most int) error {
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return ErrUsage
	}
	if fs.NArg() > most {
		fmt.Fprintf(os.Stderr, "kernel %s: %d arguments, want at most %d\n", fs.Name(), fs.NArg(), most)
		return ErrUsage
	}
	return nil
}

package solvers

import (
	"fmt"

	"metalab/solvers/record"
)

// A RevisionError is the error for a record that another revision of its variant made.
type RevisionError struct {
	Solver, Variant string
	Record, Program int           // the revisions of the record and of this program
	Header          record.Header // of the record

	// Repository and File appear in the command that replays the record, where they are known: the
	// address or folder of metalab's repository, and the record's file.
	Repository, File string
}

// Error describes the mismatch in one line.
func (e *RevisionError) Error() string {
	return fmt.Sprintf("the record was made by revision %d of %s/%s and this program has revision "+
		"%d; %s", e.Record, e.Solver, e.Variant, e.Program, e.Header.Wrote(e.Repository, e.File))
}

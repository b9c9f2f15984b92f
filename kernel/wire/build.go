package wire

import "metalab/solvers/record"

// Build returns the version of this program, as in a record's header.
func Build() string { return record.Build() }

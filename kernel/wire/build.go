package wire

import "metalab/solvers/record"

// Build is the version of this program, as a record's header has it.
func Build() string { return record.Build() }

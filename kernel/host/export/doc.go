// Package export is the room of the host that writes runs for other programs: the verb export. The
// history of a run and the results of its repeats become CSV, its best solution a file in the
// format of TSPLIB or QAPLIB, and a run or a record a page in which a browser makes the run again:
// the last is package replay below.
package export

import "metalab/kernel/host"

// wrong is an error about a request.
func wrong(msg string) error { return host.Wrong(msg) }

// Package export is the room of the host that writes runs for other programs: the verb export. The
// history of a run and the results of its repeats become CSV, its best solution a file in the format
// of TSPLIB or QAPLIB, and a run or a record a page in which a browser makes the run again without a
// host: page.go draws the page's figures, package kernel/browser/bundle writes it and compiles the
// engine, once for the sources, into the user's cache.
package export

import (
	"math"

	"metalab/kernel/host"
)

var nan = math.NaN()

// wrong is an error about a request.
func wrong(msg string) error { return host.Wrong(msg) }

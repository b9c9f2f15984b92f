package lab

import (
	"strings"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// Bench measures a table of figures and compares it with those of other programs, or returns stored
// figures; with "" it lists both. rows is a row's number, or words of the names of rows, solvers or
// instances; "" is all. seeds is how many seeds each row has; 0: as the table says. peers are other
// programs to run for comparison, as "linkern=/opt/linkern". It usually takes minutes.
func Bench(table, rows string, seeds int, peers ...string) *reply.BenchReply {
	var r reply.BenchReply
	ask("bench", wire.BenchRequest{
		Table: table, Row: rows, Seeds: seeds,
		Peer: strings.Join(peers, ","),
	}, &r)
	return &r
}

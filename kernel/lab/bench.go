package lab

import (
	"strings"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// Bench measures a table of figures and compares it with those of other programs, or returns stored
// figures; with "" it lists both. rows is a row's number, or words of the names of rows, solvers or
// instances; "" selects all. seeds is the number of seeds per row; 0: that of the table. peers are
// other programs to run for comparison, such as "linkern=/opt/linkern". It usually takes minutes.
func Bench(table, rows string, seeds int, peers ...string) *reply.BenchReply {
	var r reply.BenchReply
	ask("bench", wire.BenchRequest{
		Table: table, Row: rows, Seeds: seeds,
		Peer: strings.Join(peers, ","),
	}, &r)
	return &r
}

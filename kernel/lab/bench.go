package lab

import (
	"strings"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// Bench measures a table of figures beside what other programs reach, or returns figures that
// are kept; both are listed for "". rows is a row's number, or words of the names of rows, solvers
// or instances; all for "". seeds is how many of each row; 0: as the table says. peers are programs
// of others to run beside, as "linkern=/opt/linkern". It takes minutes as a rule.
func Bench(table, rows string, seeds int, peers ...string) *reply.BenchReply {
	var r reply.BenchReply
	ask("bench", wire.BenchRequest{
		Table: table, Row: rows, Seeds: seeds,
		Peer: strings.Join(peers, ","),
	}, &r)
	return &r
}

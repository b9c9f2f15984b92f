// Package papers is the room of the host with the published results of five papers and our
// measurements: the verbs bench, paper, glance and claim. Package solvers/bench has the tables, the
// stored figures and the verdicts, solvers/stats the tests of claims; this room turns them into
// answers. A program has these verbs if it links package kernel/host/rooms.
//
// A new table is a file of solvers/bench/papers and needs nothing here. Package
// kernel/internal/glance summarizes tables.
package papers

import (
	"math"

	"metalab/kernel/host"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

func init() {
	host.Handle("bench", func(c *host.Call, q *wire.BenchRequest) (*reply.BenchReply, error) {
		return measure(c, q)
	})
	host.Handle("paper", func(_ *host.Call, q *wire.PaperRequest) (*reply.PaperReply, error) {
		return paper(q)
	})
	host.Handle("glance", func(_ *host.Call, q *wire.GlanceRequest) (*reply.GlanceReply, error) {
		return shows(q)
	})
	host.Handle("claim", func(_ *host.Call, q *wire.ClaimRequest) (*reply.ClaimReply, error) {
		return claim(q)
	})
}

var nan = reply.Num(math.NaN())

// wrong is an error about a request.
func wrong(msg string) error { return host.Wrong(msg) }

// nums are figures of an answer.
func nums(v []float64) []reply.Num {
	out := make([]reply.Num, len(v))
	for i, x := range v {
		out[i] = reply.Num(x)
	}
	return out
}

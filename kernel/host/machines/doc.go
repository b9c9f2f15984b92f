// Package machines is the room of the host that has experiments made over several machines: over=
// of experiment, sweep and tune, the verbs workers and worker, and the command of a worker, which
// package repl calls. Units, workers and messages are those of package
// solvers/experiment/stream, the broker within the host that of its package broker.
package machines

import (
	"metalab/kernel/host"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

func init() {
	host.HandleOver(over)
	host.Handle("workers", func(c *host.Call, q *wire.WorkersRequest) (*reply.WorkersReply, error) {
		return workers(c, q)
	})
	host.Handle("worker", func(c *host.Call, q *wire.WorkerRequest) (*reply.NoteReply, error) {
		return worker(c, q)
	})
}

// wrong is an error about a request.
func wrong(msg string) error { return host.Wrong(msg) }

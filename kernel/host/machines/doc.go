// Package machines is the room of the host that has experiments made over several machines: over=
// of experiment, sweep, tune and repeat, the verbs workers and worker, and the command of a worker,
// which package repl calls. Units, workers and messages are those of package
// solvers/experiment/stream, the broker within the host that of its package broker.
package machines

import (
	"metalab/kernel/host"
	"metalab/kernel/host/experiments"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

func init() {
	experiments.HandleOver(over)
	host.HandleIslands(islands)
	host.Handle("workers", func(c *host.Call, q *wire.WorkersRequest) (*reply.WorkersReply, error) {
		return workers(call{c}, q)
	})
	host.Handle("worker", func(c *host.Call, q *wire.WorkerRequest) (*reply.NoteReply, error) {
		return worker(call{c}, q)
	})
}

// call is a call of the host.
type call struct{ *host.Call }

// StateDir is the folder of what the user keeps.
func (c call) StateDir() string { return c.Host().Options().StateDir }

// wrong is an error about a request.
func wrong(msg string) error { return host.Wrong(msg) }

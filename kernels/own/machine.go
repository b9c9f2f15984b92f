package own

import (
	"time"

	"metalab/gpu/cuda"
	"metalab/gpu/ptx"
	"metalab/solvers"
)

// A Machine is what an engine runs its kernels on: a GPU, or in tests an interpreter.
type Machine interface {
	// Room reserves memory for arrays of so many bytes in all; the error says that there is too
	// little.
	Room(bytes int64) error

	// Array makes an array of so many bytes, at least 1.
	Array(bytes int64) (Array, error)

	// Batch calls f, which queues many kernels: on the machine's own thread, which saves a change of
	// threads for each.
	Batch(f func() error) error

	// Load loads the kernel of a module.
	Load(m *ptx.Module, kernel string) (Kernel, error)

	Close()
}

// An Array is in a machine's memory.
type Array interface {
	Upload(at int64, b []byte) error
	Download(at int64, b []byte) error
	Copy(from Array) error // of the same size
	Free() error
}

// A Kernel is loaded.
type Kernel interface {
	// Launch runs the kernel, waits, and returns how long it took. Arguments are Arrays, and numbers
	// of a fixed size.
	Launch(s cuda.Shape, args ...any) (time.Duration, error)

	// Queue begins to run the kernel behind those that were queued before.
	Queue(s cuda.Shape, args ...any) error

	// MaxBlock is how many threads a block may have.
	MaxBlock() int
}

// Opener opens the machine of a run.
type Opener func(env *solvers.Env) (Machine, error)

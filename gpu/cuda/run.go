package cuda

import (
	"fmt"
	"path"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
)

// A Shape is the configuration of a launch.
type Shape struct {
	Blocks  int // of the grid, 1 to 2^31-1
	Threads int // of a block, 1 to 1024
	Shared  int // bytes per block of the array that [SharedAtLaunch] returns, 0 to 232448
}

// Check returns an error that names the value out of range.
func (s Shape) Check() error {
	switch {
	case s.Blocks < 1 || s.Blocks > 1<<31-1:
		return fmt.Errorf("%d blocks, want 1 to 2147483647", s.Blocks)
	case s.Threads < 1 || s.Threads > 1024:
		return fmt.Errorf("%d threads a block, want 1 to 1024", s.Threads)
	case s.Shared < 0 || s.Shared > 227<<10:
		return fmt.Errorf("%d bytes of shared memory, want 0 to %d", s.Shared, 227<<10)
	}
	return nil
}

// Run runs the kernel's threads on the CPU and returns when all have ended. The error is that of
// the panicking thread with the lowest number, with its place:
//
//	kernels.go:12: index out of range [5] with length 5 (thread 77)
func Run(s Shape, kernel func(T)) error {
	if err := s.Check(); err != nil {
		return err
	}
	r := &launch{shape: s, kernel: kernel}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(s.Blocks, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for {
				b := int(next.Add(1)) - 1
				if b >= s.Blocks {
					return
				}
				r.block(b)
			}
		})
	}
	wg.Wait()
	if r.failed != nil {
		return r.failed
	}
	return nil
}

// A Failure is the panic of a thread.
type Failure struct {
	Thread int
	Place  string // file:line
	What   string
}

func (f *Failure) Error() string {
	return fmt.Sprintf("%s: %s (thread %d)", f.Place, f.What, f.Thread)
}

// launch is one Run.
type launch struct {
	shape  Shape
	kernel func(T)
	mu     sync.Mutex
	failed *Failure
	waits  bool // it is of a thread that waits in vain
}

// block is a block that runs: its threads one after the other, until one of them waits for
// the others. Then a goroutine of its own goes on with the next thread.
type block struct {
	*launch
	index int
	next  int // thread to start, for the runner whose turn it is
	done  sync.WaitGroup
	gathering
	bar   *barrier
	warps []*warp

	mu     sync.Mutex
	shared []any
}

// runner is a goroutine that runs threads one after the other.
type runner struct {
	b      *block
	handed bool // another one has the turn
}

func (r *launch) block(index int) {
	n := r.shape.Threads
	b := &block{launch: r, index: index}
	b.awake.Store(int64(n))
	b.bar = b.barrier(n, "Sync waits in vain: other threads of the block wait in a vote or a "+
		"shuffle of their warp, for threads that wait here")
	for at := 0; at < n; at += WarpSize {
		b.warps = append(b.warps, &warp{bar: b.barrier(min(WarpSize, n-at), "a vote or a shuffle "+
			"waits in vain: other threads of the warp wait in Sync")})
	}
	b.done.Add(n)
	if apart {
		for l := range n {
			go b.thread(l, &runner{b, true})
		}
	} else {
		go (&runner{b: b}).run()
	}
	b.done.Wait()
}

func (r *runner) run() {
	for !r.handed && r.b.next < r.b.shape.Threads {
		l := r.b.next
		r.b.next++
		r.b.thread(l, r)
	}
}

// handOver lets the block's other threads start while this one waits.
func (r *runner) handOver() {
	if !r.handed {
		r.handed = true
		go (&runner{b: r.b}).run()
	}
}

func (b *block) thread(l int, r *runner) {
	defer b.done.Done()
	defer b.sleep()
	w := b.warps[l/WarpSize]
	defer b.bar.leave()
	defer w.bar.leave()
	defer func() {
		if p := recover(); p != nil {
			_, waits := p.(stuck)
			b.fail(&Failure{b.index*b.shape.Threads + l, place(), say(p)}, waits)
		}
	}()
	b.kernel(T{b: b, w: w, r: r, local: l, asked: new(int)})
}

// fail keeps the failure of the lowest thread; those who wait in vain are asked last.
func (r *launch) fail(f *Failure, waits bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed == nil || waits == r.waits && f.Thread < r.failed.Thread || r.waits && !waits {
		r.failed, r.waits = f, waits
	}
}

func say(p any) string {
	if s, ok := p.(stuck); ok {
		return string(s)
	}
	if err, ok := p.(runtime.Error); ok {
		return strings.TrimPrefix(err.Error(), "runtime error: ")
	}
	return fmt.Sprintf("panic: %v", p)
}

// place is where the panic that is being recovered came from: the first frame that is neither
// the runtime's nor this package's.
func place() string {
	var pc [32]uintptr
	frames := runtime.CallersFrames(pc[:runtime.Callers(3, pc[:])])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "runtime.") &&
			!strings.HasPrefix(f.Function, "metalab/gpu/cuda.") {
			return fmt.Sprintf("%s:%d", path.Base(f.File), f.Line)
		}
		if !more {
			return "?"
		}
	}
}

package gpus

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"metalab/gpu"
	"metalab/gpu/ptx"
	"metalab/kernel/host"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// room holds the GPUs that verbs of a host have used, with their arrays and modules. They stay open
// so that only the first use waits for the driver. Runs on a GPU open it themselves; the driver
// gives both the same context.
type room struct {
	*host.Host

	mu      sync.Mutex
	open    map[int]*gpu.Device
	arrays  map[string]*gpuArray
	modules map[string]*gpuModule
	order   []string // names of arrays and modules, in the order of their creation
	count   int      // of names that were chosen
}

type gpuArray struct {
	*gpu.Array
	name   string
	device int
}

type gpuModule struct {
	*gpu.Module
	reply.GPUModule
	sum      [sha256.Size]byte
	known    map[string]*gpu.Kernel
	compiled *ptx.Module // of Go; nil: it was loaded
}

// device returns a GPU, opened now or earlier.
func (g *room) device(ctx context.Context, n int) (*gpu.Device, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if d := g.open[n]; d != nil {
		return d, nil
	}
	d, err := gpu.Open(ctx, n)
	if err != nil {
		return nil, err
	}
	if g.open == nil {
		g.open, g.arrays, g.modules = map[int]*gpu.Device{}, map[string]*gpuArray{},
			map[string]*gpuModule{}
	}
	g.open[n] = d
	return d, nil
}

// name checks a name, or chooses the next free one that begins with letter; under the lock.
func (g *room) name(as, letter string) (string, error) {
	if as != "" {
		if as == "all" {
			return "", wrong("name all: it means every one; take another")
		}
		return as, wire.CheckSession(as)
	}
	for {
		g.count++
		as = letter + fmt.Sprint(g.count)
		if g.arrays[as] == nil && g.modules[as] == nil {
			return as, nil
		}
	}
}

// drop frees an array or a module; under the lock. It reports whether there was one.
func (g *room) drop(name string) (bool, error) {
	g.order = slices.DeleteFunc(g.order, func(n string) bool { return n == name })
	if a := g.arrays[name]; a != nil {
		delete(g.arrays, name)
		return true, a.Free()
	}
	if m := g.modules[name]; m != nil {
		delete(g.modules, name)
		return true, m.Free()
	}
	return false, nil
}

// close frees everything, at the end of the host.
func (g *room) close() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, d := range g.open {
		d.Close()
	}
	g.open, g.arrays, g.modules, g.order = nil, nil, nil, nil
	return nil
}

// holds says what is on the GPUs, which no other process gets.
func (g *room) holds() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.order) == 0 {
		return ""
	}
	return fmt.Sprintf("it would lose what is on the GPUs (%s): free all, which drops that, and type "+
		"the line again", strings.Join(g.order, ", "))
}

// park returns the names of what was on the GPUs.
func (g *room) park() any {
	if len(g.order) == 0 {
		return nil
	}
	return strings.Join(g.order, ", ")
}

// resume reports lost arrays and modules to all clients.
func (g *room) resume(_ *host.Call, saved json.RawMessage) (notes, bad []string) {
	var names string
	if err := json.Unmarshal(saved, &names); err != nil {
		return nil, []string{"arrays and modules on the GPUs are gone"}
	}
	return []string{"arrays and modules on the GPUs are gone (" + names + ")"}, nil
}

// names lists what is on the GPUs, for errors.
func (g *room) names() string {
	if len(g.order) == 0 {
		return "none"
	}
	return strings.Join(g.order, ", ")
}

func (g *room) array(name string) (*gpuArray, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if a := g.arrays[name]; a != nil {
		return a, nil
	}
	return nil, wrong(fmt.Sprintf("there is no array %q on a GPU; there are: %s", name, g.names()))
}

// kernel finds module.kernel; the module's name alone is enough if it has one kernel.
func (g *room) kernel(name string) (*gpuModule, *gpu.Kernel, error) {
	module, kernel, _ := strings.Cut(name, ".")
	g.mu.Lock()
	defer g.mu.Unlock()
	m := g.modules[module]
	if m == nil {
		return nil, nil, wrong(fmt.Sprintf("there is no module %q; there are: %s; module file.ptx "+
			"as m loads one", module, g.names()))
	}
	if kernel == "" {
		if len(m.GPUModule.Kernels) != 1 {
			return nil, nil, wrong(fmt.Sprintf("which kernel of %s? as in %s.%s; it has: %s", module, module,
				append(slices.Clone(m.GPUModule.Kernels), "saxpy")[0], strings.Join(m.GPUModule.Kernels, ", ")))
		}
		kernel = m.GPUModule.Kernels[0]
	}
	k := m.known[kernel]
	if k == nil {
		var err error
		if k, err = m.Kernel(kernel); err != nil {
			return nil, nil, err
		}
		m.known[kernel] = k
	}
	return m, k, nil
}

func (a *gpuArray) wire() reply.GPUArray {
	return reply.GPUArray{
		Array: a.name, Device: a.device, Type: string(a.DType()), Len: a.Len(),
		Bytes: a.Bytes(),
	}
}

// wireGPU is a GPU as clients see it. Asking for the free memory needs the device open.
func wireGPU(in gpu.Info, d *gpu.Device, problem error) reply.GPU {
	w := reply.GPU{
		Device: in.Ordinal, Name: in.Name, UUID: in.UUID, Memory: in.Memory, Driver: in.Driver.String(),
		Capability: in.Capability(),
		SMs:        in.SMs, Shared: in.SharedBlockMax, L2: in.L2,
	}
	if d != nil {
		if free, total, err := d.MemInfo(); err == nil {
			w.Free, w.Memory = &free, total
		} else {
			problem = err
		}
	}
	for _, h := range gpu.Holdings(in.Ordinal) {
		w.Holders = append(w.Holders,
			reply.GPUHolder{Holder: cmp.Or(h.Holder, "the session's own arrays"), Bytes: h.Bytes()})
	}
	if failed := gpu.Failed(in.Ordinal); failed != nil {
		problem = failed
	}
	if problem != nil {
		w.Problem = problem.Error()
	}
	return w
}

// openLimit is how long devices waits for a GPU that is slow to open.
const openLimit = 20 * time.Second

var _ = host.HandleIn(here, "devices", (*room).devices)

func (g *room) devices(c *host.Call, _ *wire.Empty) (*reply.DevicesReply, error) {
	rep := &reply.DevicesReply{Verb: "devices", Cores: runtime.GOMAXPROCS(0), GPUs: []reply.GPU{}}
	list, err := gpu.Devices()
	for _, in := range list {
		ctx, cancel := context.WithTimeout(c.Context(), openLimit)
		d, err := g.device(ctx, in.Ordinal)
		cancel()
		rep.GPUs = append(rep.GPUs, wireGPU(in, d, err))
	}
	if len(list) == 0 {
		if err == nil {
			err = gpu.Available()
		}
		if err != nil {
			rep.Reason = Why(err)
		}
		return rep, nil
	}
	for _, e := range g.OpenRuns() {
		rep.Runs = append(rep.Runs, onGPUs("", e.Status("devices"))...)
	}
	for _, o := range g.Others(c.Context()) {
		for _, s := range o.Runs {
			rep.Runs = append(rep.Runs, onGPUs(o.Session, s)...)
		}
	}
	return rep, nil
}

// onGPUs is a run of a session, this one where it has no name, if it is on GPUs.
func onGPUs(session string, s reply.Status) []reply.GPURun {
	if s.Backend != "cuda" {
		return nil
	}
	return []reply.GPURun{{
		Session: session, Run: s.Run, Solver: s.Solver, Variant: s.Variant, Instance: s.Instance,
		State: s.Doing(), GPUs: cmp.Or(s.GPUs, "0"), // a status names none where there is one
	}}
}

var _ = host.HandleIn(here, "gpu", (*room).gpu)

func (g *room) gpu(c *host.Call, q *wire.GPURequest) (*reply.GPUReply, error) {
	if err := gpu.Available(); err != nil {
		why := err
		if e := (*gpu.Error)(nil); errors.As(err, &e) {
			why = e.Err
		}
		return nil, wrong(fmt.Sprintf("gpu: it shows the arrays and modules on a GPU, and there is "+
			"none: %v; doctor says how to mend that", why))
	}
	d, err := g.device(c.Context(), q.Device)
	if err != nil {
		return nil, err
	}
	rep := &reply.GPUReply{
		Verb: "gpu", GPU: wireGPU(d.Info(), d, nil), Arrays: []reply.GPUArray{},
		Modules: []reply.GPUModule{},
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, n := range g.order {
		if a := g.arrays[n]; a != nil && a.device == q.Device {
			rep.Arrays = append(rep.Arrays, a.wire())
		}
		if m := g.modules[n]; m != nil && m.Device == q.Device {
			rep.Modules = append(rep.Modules, m.GPUModule)
		}
	}
	return rep, nil
}

var _ = host.HandleIn(here, "free", (*room).free)

func (g *room) free(_ *host.Call, q *wire.FreeRequest) (*reply.NoteReply, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	rep := &reply.NoteReply{Verb: "free", Note: q.Name + " was freed"}
	if q.Name == "all" {
		all := slices.Clone(g.order)
		rep.Note = fmt.Sprintf("%d arrays and modules were freed", len(all))
		var errs []error
		for _, n := range all {
			_, err := g.drop(n)
			errs = append(errs, err)
		}
		return rep, errors.Join(errs...)
	}
	there, err := g.drop(q.Name)
	if !there {
		return nil, wrong(fmt.Sprintf("free: there is no array or module %q; there are: %s", q.Name,
			g.names()))
	}
	return rep, err
}

package host

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"metalab/gpu"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers"
)

// gpus are the GPUs that verbs have used, with their arrays and modules. They are kept open so that
// only the first use waits for the driver. Runs on a GPU open it themselves; the driver gives both
// the same context.
type gpus struct {
	mu      sync.Mutex
	open    map[int]*gpu.Device
	arrays  map[string]*gpuArray
	modules map[string]*gpuModule
	order   []string // names of arrays and modules, as they were made
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
	sum   [sha256.Size]byte
	known map[string]*gpu.Kernel
}

// device returns a GPU, opened now or earlier.
func (g *gpus) device(ctx context.Context, n int) (*gpu.Device, error) {
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
func (g *gpus) name(as, letter string) (string, error) {
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
func (g *gpus) drop(name string) (bool, error) {
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
func (g *gpus) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, d := range g.open {
		d.Close()
	}
	g.open, g.arrays, g.modules, g.order = nil, nil, nil, nil
}

// names lists what is on the GPUs, for errors.
func (g *gpus) names() string {
	if len(g.order) == 0 {
		return "none"
	}
	return strings.Join(g.order, ", ")
}

func (g *gpus) array(name string) (*gpuArray, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if a := g.arrays[name]; a != nil {
		return a, nil
	}
	return nil, wrong(fmt.Sprintf("there is no array %q on a GPU; there are: %s", name, g.names()))
}

// kernel finds module.kernel; the module's name alone is enough if it has one kernel.
func (g *gpus) kernel(name string) (*gpuModule, *gpu.Kernel, error) {
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
	if problem != nil {
		w.Problem = problem.Error()
	}
	return w
}

// openLimit is how long devices waits for a GPU that is slow to open.
const openLimit = 20 * time.Second

var _ = handle("devices", (*Host).devices)

func (h *Host) devices(c *call, _ *wire.Empty) (*reply.DevicesReply, error) {
	rep := &reply.DevicesReply{Verb: "devices", Cores: runtime.GOMAXPROCS(0), GPUs: []reply.GPU{}}
	list, err := gpu.Devices()
	for _, in := range list {
		ctx, cancel := context.WithTimeout(c.ctx, openLimit)
		d, err := h.gpus.device(ctx, in.Ordinal)
		cancel()
		rep.GPUs = append(rep.GPUs, wireGPU(in, d, err))
	}
	if len(list) == 0 {
		if err == nil {
			err = gpu.Available()
		}
		if err != nil {
			rep.Reason = noGPU(err)
		}
	}
	return rep, nil
}

// whyNoGPU returns why no GPU can be used; empty if one can.
func whyNoGPU() string {
	if err := gpu.Available(); err != nil {
		return noGPU(err)
	}
	return ""
}

// noGPU returns why there is no GPU, without the name of the call that failed.
func noGPU(err error) string {
	var e *gpu.Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	if e.Hint != "" && errors.Is(e.Err, gpu.ErrNoDevice) {
		return e.Hint // the caller has said already that there is none
	}
	if e.Hint != "" {
		return fmt.Sprintf("%v: %s", e.Err, e.Hint)
	}
	return e.Err.Error()
}

// whyNot returns what to add to the error about a variant on a backend: that the program has no
// CUDA, or which variants of the solver there are on GPUs. For a fork, not all of them may share
// the state of the parent.
func whyNot(verb, solver, variant, on string) string {
	if on == "" || on == "cpu" {
		return ""
	}
	bare, without := errors.Is(gpu.Available(), gpu.ErrNoCUDA), ""
	if bare {
		without = "; " + whyNoGPU()
	}
	if on != "cuda" {
		return without
	}
	var there []string
	for _, v := range solvers.Variants() {
		if v.Solver == solver && v.Default && variant == "" {
			variant = v.Name
		}
		if name := "variant=" + v.Name; v.Solver == solver &&
			(v.Backend == on || bare && solvers.Offered(solver, v.Name, on)) {
			there = append(there, name)
		}
	}
	switch {
	case len(there) == 0:
		return fmt.Sprintf("; no variant of %s runs on GPUs", solver)
	case solvers.Offered(solver, variant, on):
		return without
	case verb == "replay": // of a record, whose variant is fixed
		return ""
	case verb == "fork":
		return fmt.Sprintf("; open a run that does: %s has %s on=cuda%s", solver,
			strings.Join(there, ", "), without)
	}
	return fmt.Sprintf("; on GPUs there is %s%s", strings.Join(there, ", "), without)
}

var _ = handle("doctor", (*Host).doctor)

func (h *Host) doctor(c *call, _ *wire.Empty) (*reply.DoctorReply, error) {
	rep := &reply.DoctorReply{
		Verb: "doctor", Usable: gpu.Available() == nil,
		Findings: []reply.Finding{},
	}
	for _, f := range gpu.Doctor() {
		rep.Findings = append(rep.Findings, reply.Finding{
			Level: string(f.Level), Subject: f.Subject,
			Text: f.Text, Fix: f.Fix,
		})
	}
	if f, ok := h.storeFinding(c); ok {
		rep.Findings = append(rep.Findings, f)
	}
	return rep, nil
}

var _ = handle("gpu", (*Host).gpu)

func (h *Host) gpu(c *call, q *wire.GPURequest) (*reply.GPUReply, error) {
	if err := gpu.Available(); err != nil {
		why := err
		if e := (*gpu.Error)(nil); errors.As(err, &e) {
			why = e.Err
		}
		return nil, wrong(fmt.Sprintf("gpu: it shows the arrays and modules on a GPU, and there is "+
			"none: %v; doctor says how to mend that", why))
	}
	d, err := h.gpus.device(c.ctx, q.Device)
	if err != nil {
		return nil, err
	}
	rep := &reply.GPUReply{
		Verb: "gpu", GPU: wireGPU(d.Info(), d, nil), Arrays: []reply.GPUArray{},
		Modules: []reply.GPUModule{},
	}
	h.gpus.mu.Lock()
	defer h.gpus.mu.Unlock()
	for _, n := range h.gpus.order {
		if a := h.gpus.arrays[n]; a != nil && a.device == q.Device {
			rep.Arrays = append(rep.Arrays, a.wire())
		}
		if m := h.gpus.modules[n]; m != nil && m.Device == q.Device {
			rep.Modules = append(rep.Modules, m.GPUModule)
		}
	}
	return rep, nil
}

var _ = handle("free", (*Host).free)

func (h *Host) free(_ *call, q *wire.FreeRequest) (*reply.NoteReply, error) {
	h.gpus.mu.Lock()
	defer h.gpus.mu.Unlock()
	rep := &reply.NoteReply{Verb: "free", Note: q.Name + " was freed"}
	if q.Name == "all" {
		all := slices.Clone(h.gpus.order)
		rep.Note = fmt.Sprintf("%d arrays and modules were freed", len(all))
		var errs []error
		for _, n := range all {
			_, err := h.gpus.drop(n)
			errs = append(errs, err)
		}
		return rep, errors.Join(errs...)
	}
	there, err := h.gpus.drop(q.Name)
	if !there {
		return nil, wrong(fmt.Sprintf("free: there is no array or module %q; there are: %s", q.Name,
			h.gpus.names()))
	}
	return rep, err
}

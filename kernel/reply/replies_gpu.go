package reply

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A GPU is a device that can compute beside the CPU. Sizes are in bytes.
type GPU struct {
	Device     int    `json:"device"` // its number, from 0
	Name       string `json:"name"`
	UUID       string `json:"uuid,omitempty"`
	Memory     int64  `json:"memory"`
	Free       *int64 `json:"free"`       // free memory; null if unknown
	Driver     string `json:"driver"`     // the version of CUDA that the driver supports
	Capability string `json:"capability"` // compute capability
	SMs        int    `json:"sms"`        // multiprocessors
	Shared     int    `json:"shared"`     // largest shared memory of a block
	L2         int    `json:"l2"`
	Problem    string `json:"problem,omitempty"` // why it is unusable

	// holders of its memory in this process, the largest first
	Holders []GPUHolder `json:"holders,omitempty"`
}

// A GPUHolder is a holder of a GPU's memory: the larger of its reserved and allocated bytes.
type GPUHolder struct {
	Holder string `json:"holder"` // such as "run a"
	Bytes  int64  `json:"bytes"`
}

// A DevicesReply lists the CPU and the GPUs.
type DevicesReply struct {
	Verb   string `json:"verb"`
	Cores  int    `json:"cores"`
	GPUs   []GPU  `json:"gpus"`
	Reason string `json:"reason,omitempty"` // why there is no GPU

	Runs []GPURun `json:"runs,omitempty"` // those on GPUs
}

// A GPURun is a run with its set of GPUs.
type GPURun struct {
	Session  string `json:"session,omitempty"` // its session, if not this one
	Run      string `json:"run"`
	Solver   string `json:"solver"`
	Variant  string `json:"variant"`
	Instance string `json:"instance"`
	State    string `json:"state"`
	GPUs     string `json:"gpus"` // their numbers, such as 0,1
}

// A Finding is one result of doctor about the way between the program and a GPU.
type Finding struct {
	Level   string `json:"level"` // fine, note or problem
	Subject string `json:"subject"`
	Text    string `json:"text"`
	Fix     string `json:"fix,omitempty"` // what to do
}

// A DoctorReply lists the findings of doctor.
type DoctorReply struct {
	Verb     string    `json:"verb"`
	Usable   bool      `json:"usable"` // a GPU is usable
	Findings []Finding `json:"findings"`
}

// A GPUArray is an array in a GPU's memory.
type GPUArray struct {
	Array  string `json:"array"` // its name
	Device int    `json:"device"`
	Type   string `json:"type"` // of the elements
	Len    int    `json:"len"`  // in elements
	Bytes  int64  `json:"bytes"`
}

// A GPUModule is a set of loaded kernels.
type GPUModule struct {
	Module  string   `json:"module"` // its name
	Device  int      `json:"device"`
	Kernels []string `json:"kernels"` // empty if the driver cannot tell
	Path    string   `json:"path,omitempty"`
	// For a file of Go: the parameters of each kernel, and without a GPU the reason; Device is -1
	// then.
	Go    []GoKernel `json:"go,omitempty"`
	NoGPU string     `json:"no_gpu,omitempty"`
}

// A GoKernel is a compiled kernel in Go.
type GoKernel struct {
	Kernel string    `json:"kernel"`
	Params []GoParam `json:"params"` // structures are flattened
}

// A GoParam is a parameter of a kernel in Go.
type GoParam struct {
	Param string `json:"param"` // c.X for a field of c
	// in PTX, such as f32; for a slice the layout of an element, such as 4: f32@0
	Type    string `json:"type"`
	Slice   bool   `json:"slice"`
	Written bool   `json:"written"` // the kernel may write its elements
}

// A GPUReply is a GPU with the session's arrays and modules on it.
type GPUReply struct {
	Verb string `json:"verb"`
	GPU
	Arrays  []GPUArray  `json:"arrays"`
	Modules []GPUModule `json:"modules"`
}

// An ArrayReply is an array in a GPU's memory, with its first elements if requested. As JSON
// numbers, elements of 64 bits may be rounded; Client.GPUArray returns them exactly.
type ArrayReply struct {
	Verb string `json:"verb"`
	GPUArray
	Values []Num `json:"values,omitempty"`
}

// A ModuleReply is a loaded module.
type ModuleReply struct {
	Verb string `json:"verb"`
	GPUModule
}

// A LaunchReply is a finished launch of a kernel.
type LaunchReply struct {
	Verb      string `json:"verb"`
	Kernel    string `json:"kernel"` // module.kernel
	Device    int    `json:"device"` // -1: the CPU, for a kernel in Go
	Grid      [3]int `json:"grid"`
	Block     [3]int `json:"block"`
	Shared    int    `json:"shared"`    // bytes of dynamic shared memory
	Registers int    `json:"registers"` // of a thread
	TimeS     Num    `json:"time_s"`    // by the device's own clock
}

// bytesText is a size in readable units, 1 KiB = 1024 bytes.
func bytesText(n int64) string {
	units := []string{"bytes", "KiB", "MiB", "GiB", "TiB"}
	v, i := float64(n), 0
	for v >= 1024 && i < len(units)-1 {
		v, i = v/1024, i+1
	}
	if i == 0 {
		return fmt.Sprintf("%d bytes", n)
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0") + " " + units[i]
}

// String returns the GPU in a line.
func (g GPU) String() string {
	mem := bytesText(g.Memory)
	if g.Free != nil {
		mem += ", " + bytesText(*g.Free) + " free"
	}
	out := fmt.Sprintf("gpu %d: %s, %s, compute capability %s, %d multiprocessors, driver for CUDA %s",
		g.Device, g.Name, mem, g.Capability, g.SMs, g.Driver)
	for _, h := range g.Holders {
		out += "; " + h.Holder + " holds " + bytesText(h.Bytes)
	}
	if g.Problem != "" {
		out += "; it cannot be used: " + g.Problem
	}
	return Printable(out)
}

// String returns the run in a line.
func (x GPURun) String() string {
	return Printable(fmt.Sprintf("%s on gpu %s: %s/%s on %s, %s", x.name(), x.GPUs, x.Solver,
		x.Variant, x.Instance, x.State))
}

// name names the run, with the session that it is of.
func (x GPURun) name() string {
	if x.Session == "" {
		return "run " + x.Run
	}
	return fmt.Sprintf("run %s of session %s", x.Run, x.Session)
}

// String lists the devices.
func (r *DevicesReply) String() string {
	out := fmt.Sprintf("cpu: %d cores", r.Cores)
	for _, g := range r.GPUs {
		out += "\n" + g.String()
	}
	for _, x := range r.Runs {
		out += "\n" + x.String()
	}
	if r.Reason != "" {
		out += "\nno GPU: " + r.Reason + " (doctor says more; everything runs on the cpu meanwhile)"
	}
	return out
}

// String returns the findings, a line each.
func (r *DoctorReply) String() string {
	marks := map[string]string{"fine": "ok  ", "note": "note", "problem": "FAIL"}
	var b []string
	for _, f := range r.Findings {
		s := fmt.Sprintf("%s  %s: %s", marks[f.Level], f.Subject, f.Text)
		if f.Fix != "" {
			s += " → " + f.Fix
		}
		b = append(b, Printable(s))
	}
	end := "a GPU can be used: open … on=cuda"
	if !r.Usable {
		end = "no GPU can be used here; everything runs on the cpu meanwhile"
	}
	return strings.Join(append(b, end), "\n")
}

// String returns the array in a line.
func (a GPUArray) String() string {
	return fmt.Sprintf("%s: %d %s on gpu %d, %s", a.Array, a.Len, a.Type, a.Device, bytesText(a.Bytes))
}

// String lists the kernels.
func (m GPUModule) String() string {
	out := fmt.Sprintf("%s: module on gpu %d", m.Module, m.Device)
	if m.NoGPU != "" {
		out = fmt.Sprintf("%s: compiled, and not loaded: %s", cmp.Or(m.Path, "Go"), m.NoGPU)
	}
	if len(m.Go) > 0 {
		out = Printable(out)
		for _, k := range m.Go {
			out += "\n  " + Printable(k.String())
		}
		return out
	}
	if len(m.Kernels) > 0 {
		ks := slices.Clone(m.Kernels)
		for i, k := range ks {
			ks[i] = m.Module + "." + k
		}
		out += ", kernels " + strings.Join(ks, ", ")
	}
	return Printable(out)
}

// String returns the kernel with its parameters.
func (k GoKernel) String() string {
	var ps []string
	for _, p := range k.Params {
		word := p.Param + " " + p.Type
		if p.Slice {
			word = p.Param + " [" + p.Type + "]"
		}
		if p.Written {
			word += " (written)"
		}
		ps = append(ps, word)
	}
	return k.Kernel + ": " + strings.Join(ps, ", ")
}

// String returns the GPU and its contents, a line each.
func (r *GPUReply) String() string {
	out := r.GPU.String()
	for _, a := range r.Arrays {
		out += "\n" + a.String()
	}
	for _, m := range r.Modules {
		out += "\n" + m.String()
	}
	if len(r.Arrays)+len(r.Modules) == 0 {
		out += "\nno arrays and no modules of this session are on it; upload and module put some there"
	}
	return out
}

// String returns the array, and its first elements.
func (r *ArrayReply) String() string {
	out := r.GPUArray.String()
	if len(r.Values) > 0 {
		var b []string
		for _, v := range r.Values {
			b = append(b, v.String())
		}
		out += "\n" + strings.Join(b, " ")
		if len(r.Values) < r.Len {
			out += " …"
		}
	}
	return out
}

// String lists the kernels.
func (r *ModuleReply) String() string { return r.GPUModule.String() }

// dims is a number of blocks or threads, as "4" or "4 x 2 x 1".
func dims(d [3]int) string {
	if d[1] <= 1 && d[2] <= 1 {
		return fmt.Sprint(d[0])
	}
	return fmt.Sprintf("%d x %d x %d", d[0], d[1], d[2])
}

// Time returns the kernel's time on the device.
func (r *LaunchReply) Time() time.Duration {
	return time.Duration(float64(r.TimeS) * float64(time.Second))
}

// String says how long the kernel took.
func (r *LaunchReply) String() string {
	if r.Device < 0 {
		return fmt.Sprintf("%s: %v on the CPU (%s blocks of %s threads, %s of dynamic shared memory)",
			Printable(r.Kernel), r.Time(), dims(r.Grid), dims(r.Block), bytesText(int64(r.Shared)))
	}
	return fmt.Sprintf("%s: %v on gpu %d (%s blocks of %s threads, %d registers a thread, %s of "+
		"dynamic shared memory)",
		Printable(r.Kernel), r.Time(), r.Device, dims(r.Grid), dims(r.Block), r.Registers,
		bytesText(int64(r.Shared)))
}

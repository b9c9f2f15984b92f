// Package gpus is the room of the host with what concerns GPUs beside runs: it tells the host
// whether there are any, and has the verbs devices, gpu, upload, values, module, launch and free.
// The devices, arrays and modules are those of package gpu; each host keeps them open, so that
// their context stays warm. Clients send and get large arrays as bytes, by routes of package
// serve.
package gpus

import (
	"errors"
	"fmt"
	"sync"

	"metalab/gpu"
	"metalab/kernel/host"
	"metalab/kernel/reply"
)

// here is the room in each host.
var here = host.Furnish("gpus", func(h *host.Host) (*room, host.Hooks) {
	g := &room{Host: h}
	return g, host.Hooks{Close: g.close, Holds: g.holds, Park: g.park, Resume: g.resume}
})

func init() { host.UseGPUs(func(host.GPUs) host.GPUs { return machine{} }) }

// machine answers what the host asks.
type machine struct{}

func (machine) Available() error     { return gpu.Available() }
func (machine) Why(err error) string { return Why(err) }
func (machine) Built() bool          { return !errors.Is(gpu.Available(), gpu.ErrNoCUDA) }

// Count is how many GPUs there are.
func (machine) Count() int { return count() }

var count = sync.OnceValue(func() int {
	list, err := gpu.Devices()
	if err != nil {
		return 0
	}
	return len(list)
})

// First names the GPU of runs that name none.
func (machine) First() string {
	list, err := gpu.Devices()
	if err != nil || len(list) == 0 {
		return ""
	}
	return fmt.Sprint(list[0])
}

// Doctor is what doctor finds of GPUs.
func (machine) Doctor() (all []reply.Finding) {
	for _, f := range gpu.Doctor() {
		all = append(all, reply.Finding{
			Level: string(f.Level), Subject: f.Subject, Text: f.Text, Fix: f.Fix,
		})
	}
	return all
}

func (machine) Sticky(err error) bool { return gpu.IsSticky(err) || gpu.IsLost(err) }

// wrong is an error about a request.
func wrong(msg string) error { return host.Wrong(msg) }

// Why returns why there is no GPU, without the name of the call that failed.
func Why(err error) string {
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

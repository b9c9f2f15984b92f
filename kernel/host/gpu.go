package host

import (
	"errors"
	"fmt"
	"strings"

	"metalab/kernel/reply"
	"metalab/solvers"
)

// GPUs answers the host's questions about the machine's GPUs. The room gpus implements it.
type GPUs interface {
	// Available returns why no GPU can be used; nil: one can.
	Available() error

	// Why returns the reason from Available, without the name of the failed call.
	Why(err error) string

	// Count returns the number of GPUs.
	Count() int

	// First names the one that runs use which name none; empty: there is none.
	First() string

	// Built reports whether the program was built with CUDA.
	Built() bool

	// Doctor returns the findings of the verb doctor about them.
	Doctor() []reply.Finding

	// Sticky reports whether err leaves the GPU unusable in this process.
	Sticky(err error) bool
}

// gpus are the GPUs of the program.
var gpus GPUs = none{}

// UseGPUs lets hosts of this program ask what use returns, which gets what they asked until now.
// The room calls it when it is linked.
func UseGPUs(use func(GPUs) GPUs) { gpus = use(gpus) }

// none are the GPUs of a program without that room.
type none struct{}

var errNoGPUs = errors.New("this program is built without CUDA")

func (none) Available() error     { return errNoGPUs }
func (none) Why(err error) string { return err.Error() }
func (none) Built() bool          { return false }
func (none) Sticky(error) bool    { return false }
func (none) Count() int           { return 0 }
func (none) First() string        { return "" }

func (none) Doctor() []reply.Finding {
	return []reply.Finding{{Level: "fine", Subject: "GPUs", Text: errNoGPUs.Error()}}
}

// FirstGPU returns the name of the GPU for runs that name none. If there is none, why is the
// reason; it is empty if one may come.
func FirstGPU() (name, why string) {
	if name = gpus.First(); name != "" {
		return name, ""
	}
	return "", whyNoGPU()
}

// whyNoGPU returns why no GPU can be used; empty if one can.
func whyNoGPU() string {
	if err := gpus.Available(); err != nil {
		return gpus.Why(err)
	}
	return ""
}

// NoDevice returns an error if a run on the CPU names a GPU, or if no GPU can be used, before an
// instance is fetched in vain.
func NoDevice(verb, backend string, device int) error {
	if backend == "cuda" {
		if err := gpus.Available(); err != nil {
			return fmt.Errorf("%s: %w", verb, err)
		}
	}
	if device == 0 || backend != "cpu" {
		return nil
	}
	return wrong(fmt.Sprintf("%s: device is %d, the number of a GPU, and the run is on cpu: add "+
		"on=cuda, or leave device out", verb, device))
}

// WhyNot returns what to add to the error about a variant on a backend: that the program has no
// CUDA, or which variants of the solver there are on GPUs. For a fork, not all of them may share
// the state of the parent.
func WhyNot(verb, solver, variant, on string) string {
	if on == "" || on == "cpu" {
		return ""
	}
	bare, without := !gpus.Built(), ""
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
		if kinds := solvers.OfferedKinds(solver, variant, on); len(kinds) == 1 {
			return fmt.Sprintf("; on GPUs it searches instances of kind %s alone%s", kinds[0], without)
		}
		return without
	case verb == "replay": // of a record, whose variant is fixed
		return ""
	case verb == "fork":
		return fmt.Sprintf("; open a run that does: %s has %s on=cuda%s", solver,
			strings.Join(there, ", "), without)
	}
	return fmt.Sprintf("; on GPUs there is %s%s", strings.Join(there, ", "), without)
}

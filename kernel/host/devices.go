package host

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

// PlaceOf reads what on= names: the backend, and the GPUs in ascending order, nil where none is
// named. device is the number of a GPU that is named apart from that; 0: none.
func PlaceOf(verb, on string, device int) (backend string, gpus []int, err error) {
	backend, set := wire.CutOn(on)
	switch {
	case backend == on:
		if device != 0 {
			gpus, err = gpuSet(verb, fmt.Sprintf("device is %d", device), strconv.Itoa(device), backend)
		}
		return backend, gpus, err
	case backend != "cuda":
		return backend, nil, wrong(fmt.Sprintf("%s: on is %s: only GPUs have numbers, as cuda:1, "+
			"cuda:0,1 or cuda:all", verb, on))
	case device != 0:
		return backend, nil, wrong(fmt.Sprintf("%s: on is %s, and device is %d: name the GPUs once, "+
			"in on", verb, on, device))
	}
	gpus, err = gpuSet(verb, "on is "+on, set, backend)
	return backend, gpus, err
}

// gpuSet parses the numbers of GPUs, or all; said is the typed text, for errors.
func gpuSet(verb, said, text, backend string) ([]int, error) {
	if backend == "cuda" || backend == "" {
		if err := gpus.Available(); err != nil {
			if backend == "" {
				return nil, nil // a run on the cpu, of which NoDevice says more
			}
			return nil, fmt.Errorf("%s: %s: %w", verb, said, err)
		}
	} else {
		return nil, nil
	}
	n := gpus.Count()
	if text == wire.AllGPUs {
		all := make([]int, n)
		for i := range all {
			all[i] = i
		}
		return all, nil
	}
	all, err := solvers.ParseDevices(text)
	if err != nil {
		return nil, wrong(fmt.Sprintf("%s: %s: want numbers of GPUs with commas between them, or all, "+
			"as cuda:1, cuda:0,1 or cuda:all", verb, said))
	}
	if last := all[len(all)-1]; last >= n {
		there := fmt.Sprintf("there are %d, with the numbers 0 to %d", n, n-1)
		if n == 1 {
			there = "there is 1, number 0"
		}
		return nil, wrong(fmt.Sprintf("%s: %s: there is no GPU %d; %s", verb, said, last, there))
	}
	return all, nil
}

// cutDevices takes the devices out of parameters that are to be set in a run on GPUs.
func (e *Run) cutDevices(vs record.Values) (rest record.Values, gpus []int, err error) {
	v, named := vs[solvers.DevicesName]
	if !named {
		return vs, nil, nil
	}
	for _, p := range e.Params() {
		if p.Name == solvers.DevicesName && p.Class != string(record.Schedule) {
			return vs, nil, nil // the run's own
		}
	}
	if e.run.Variant().Backend == "cpu" {
		return nil, nil, wrong(fmt.Sprintf("set: devices is %s, and %s is on cpu: fork %s as <name> "+
			"on=cuda:%s", v, e.name, e.name, v))
	}
	gpus, err = gpuSet("set", "devices is "+v.String(), v.String(), "cuda")
	rest = maps.Clone(vs)
	delete(rest, solvers.DevicesName)
	return rest, gpus, err
}

// devicesParam shows the devices of a run as a parameter of class schedule.
func devicesParam(r *solvers.Run) []record.Param {
	now := r.Devices()
	if now == nil || gpus.Available() != nil {
		return nil
	}
	var words []string
	for i := range gpus.Count() {
		words = append(words, strconv.Itoa(i))
	}
	if len(words) > 1 {
		words = append(words, wire.AllGPUs)
	}
	text := solvers.DevicesText(now)
	if !slices.Contains(words, text) {
		words = append(words, text)
	}
	return []record.Param{{
		Name: solvers.DevicesName, Class: record.Schedule, Type: record.Enum, Options: words,
		Doc: "The numbers of the GPUs over which the run's work is shared out, with commas between " +
			"them, as 0,1, or all.",
		Effect:  "the state moves there; results are the same",
		Default: record.Text(text), Value: record.Text(text),
	}}
}

// spread says what of several GPUs a run does not use; empty where it uses all.
func spread(r *solvers.Run, gpus []int) string {
	parts := 1
	_ = r.View(context.Background(), func(a solvers.Algorithm) {
		if s, ok := a.(solvers.Spreader); ok {
			parts = s.Parts()
		}
	})
	if parts >= len(gpus) {
		return ""
	}
	if parts == 1 {
		return fmt.Sprintf("its search is in 1 part, on GPU %d; repeat shares out its seeds", gpus[0])
	}
	return fmt.Sprintf("its search is in %d parts, on GPUs %s", parts,
		solvers.DevicesText(gpus[:parts]))
}

// gpusOf are the numbers of a run's GPUs, on a machine that has several.
func gpusOf(r *solvers.Run) string {
	devices := r.Devices()
	if devices == nil || gpus.Count() < 2 {
		return ""
	}
	return solvers.DevicesText(devices)
}

// moveTo moves a run that was opened from a record to the GPUs that on= names.
func (e *Run) moveTo(c *Call, verb, on string) error {
	if on == "" {
		return nil
	}
	backend, devices, err := PlaceOf(verb, on, 0)
	if err == nil {
		err = known(verb, backend)
	}
	if err != nil {
		return err
	}
	if has := e.run.Variant().Backend; backend != has {
		return wrong(fmt.Sprintf("%s: on is %s, and %s is on %s; fork %s as <name> on=%s", verb, on,
			e.name, has, e.name, on))
	}
	if devices == nil {
		return nil
	}
	_, err = e.run.Move(c.ctx, devices, c.who)
	return err
}

// known returns an error for what is no backend.
func known(verb, backend string) error {
	if backend == "cpu" || backend == "cuda" {
		return nil
	}
	return wrong(fmt.Sprintf("%s: on is %s, want cpu or cuda, and of several GPUs which, as cuda:1 "+
		"or cuda:0,1", verb, backend))
}

// GPUsFor returns the GPUs in the value of on= of a verb, for runs like this one; nil if it names
// none.
func (e *Run) GPUsFor(verb, on string) ([]int, error) {
	if on == "" {
		return nil, nil
	}
	backend, devices, err := PlaceOf(verb, on, 0)
	if err == nil {
		err = known(verb, backend)
	}
	if has := e.run.Variant().Backend; err == nil && backend != has {
		err = wrong(fmt.Sprintf("%s: on is %s, and %s is on %s; fork %s as <name> on=%s, and %s that",
			verb, on, e.name, has, e.name, on, verb))
	}
	return devices, err
}

package experiments

import (
	"slices"
	"strings"

	"metalab/kernel/host"
	"metalab/kernel/wire"
)

// gpuSets parts a list of backends, as cpu,cuda:0,1, into the backends and all GPUs that are named;
// nil: none is.
func gpuSets(verb, list string) (backends []string, gpus []int, err error) {
	for _, on := range wire.OnList(list) {
		backend, more, err := host.PlaceOf(verb, on, 0)
		if err != nil {
			return nil, nil, err
		}
		if !slices.Contains(backends, backend) {
			backends = append(backends, backend)
		}
		gpus = append(gpus, more...)
	}
	slices.Sort(gpus)
	return backends, slices.Compact(gpus), nil
}

// readOn removes the GPUs from on= of a request: they say where units run, and are no part of the
// plan. Without solvers on= says nothing else.
func (h *room) readOn(q *wire.ExperimentRequest) error {
	if q.On == "" {
		return nil
	}
	backends, gpus, err := gpuSets("experiment", q.On)
	if err != nil {
		return err
	}
	h.limit(q.Name, gpus)
	if q.On = strings.Join(backends, ","); gpus != nil && q.Solvers == "" {
		q.On = ""
		if q.Do == "" && !planned(q) {
			q.Do = "go"
		}
	}
	return nil
}

// limit has the units of an experiment made on these GPUs from the next making on; nil: on all.
func (h *room) limit(name string, gpus []int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.within == nil {
		h.within = map[string][]int{}
	}
	h.within[name] = gpus
}

// gpusWithin are the numbers of the GPUs that make units of an experiment, or why there are none.
func (h *room) gpusWithin(name string) ([]int, error) {
	h.mu.Lock()
	gpus := h.within[name]
	h.mu.Unlock()
	if gpus != nil {
		return gpus, nil
	}
	return gpuNumbers()
}

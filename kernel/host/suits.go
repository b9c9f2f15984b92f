package host

import (
	"cmp"
	"fmt"

	"metalab/datasets"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

// solverFor is the solver, of those that run on every machine, that is best on instances of a kind
// within seconds and minutes.
func solverFor(kind datasets.Kind) string {
	switch kind {
	case datasets.KindATSP:
		return "mmas"
	case datasets.KindQAP, datasets.KindColouring:
		return "tabu"
	case datasets.KindCut:
		return "anneal"
	case datasets.KindPPP:
		return "hill"
	case datasets.KindWeierstrass:
		return "vnd"
	}
	return "ils"
}

// A choice is the run that solve opens, and the reason for its backend.
type choice struct {
	solver, on string
	params     record.Values
	why        string // empty where there is nothing to choose
}

// An onGPU holds the size from which a solver's search on a GPU leads on instances of a kind, with
// its parameters. The variants' own advice on an instance counts too.
type onGPU struct {
	least  int
	what   string // that are counted
	params func(inst datasets.Instance) record.Values
}

// onGPUs are the kinds whose searches on GPUs were found ahead of a core: tours in the table
// ils-pools-gpu of package solvers/bench/figures, and assignments in bench tabu-gpu, with many
// walks.
var onGPUs = map[datasets.Kind]onGPU{
	datasets.KindTSP: {what: "cities"},
	datasets.KindQAP: {
		least: 50, what: "facilities",
		params: func(inst datasets.Instance) record.Values {
			return record.Of("walks", 396, "scans", 1000, "exchange", 1, "tenure", 4*inst.Size())
		},
	},
}

// gpuSeconds is the time from which on solve takes a GPU: large instances need as long there until
// the first tours are crossed.
const gpuSeconds = 5

// choose returns the choice for an instance and a time in seconds; 0: until something else ends it.
func choose(q *wire.SolveRequest, inst datasets.Instance, wall float64) choice {
	kind := inst.Kind()
	c := choice{solver: solverFor(kind), on: q.On}
	if c.on == "" {
		c.on, c.why = c.backend(q, inst, wall)
	}
	if there, ok := onGPUs[kind]; ok && there.params != nil && onDevice(c.on) {
		c.params = there.params(inst)
	}
	return c
}

// backend returns the backend on which a solver leads on an instance, and why; without a reason if
// there is no other.
func (c *choice) backend(
	q *wire.SolveRequest, inst datasets.Instance, wall float64,
) (on, why string) {
	const cpu, gpu = "cpu", "cuda"
	there, ok := onGPUs[inst.Kind()]
	if !ok || gpus.Available() != nil {
		return cpu, ""
	}
	if t, ok := inst.(*datasets.TSP); ok && len(t.Fixed) > 0 {
		return cpu, "on the CPU, where fixed edges are kept"
	}
	v, _, err := solvers.Choose(solvers.Config{Solver: c.solver, Backend: gpu, Instance: inst})
	switch {
	case err != nil:
		return cpu, ""
	case q.CPU > 0:
		return cpu, "on the CPU, as the time is given in seconds of it"
	case wall > 0 && wall < gpuSeconds:
		return cpu, fmt.Sprintf("on the CPU: a GPU is taken for %d s or more", gpuSeconds)
	case inst.Size() < there.least:
		return cpu, fmt.Sprintf("on the CPU: a GPU is taken from %d %s on", there.least, there.what)
	case v.Advice != nil && v.Advice(inst, nil) != "":
		return cpu, v.Advice(inst, nil)
	}
	return gpu, cmp.Or(gpus.First(), gpu) + ": there it comes nearer the optimum in the same time"
}

// onDevice tells whether on= names a device.
func onDevice(on string) bool {
	backend, _ := wire.CutOn(on)
	return backend != "" && backend != "cpu"
}

package tours

import (
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/kernels/internal/emulate"
	"metalab/solvers"
	"metalab/solvers/ils"
	"metalab/solvers/record"
)

// TestEmulatedShares shares out the chains over devices, each of which is an emulator with chains
// of others that make no kick: the history is the CPU's.
func TestEmulatedShares(t *testing.T) {
	emulate.Need(t)
	const backend = "by the kernels on devices"
	v := ils.BestOn(backend, func(p *ils.BestProblem) (ils.BestEngine, error) {
		q, err := prepare(p)
		return &emulated{t: t, q: q, warps: 2, passes: 9, unit: 4}, err
	})
	solvers.Register(v)
	defer solvers.Remove(v.Solver, v.Name, v.Backend)
	var digests [2][]uint64
	for k, b := range []string{"cpu", backend} {
		r, err := solvers.Open(solvers.Config{
			Name: "s", Solver: v.Solver, Variant: v.Name, Backend: b, Seed: 4, Devices: []int{0, 1, 2},
			Instance: spread(t, 17, datasets.Euc2D, 1),
			Params:   record.Of("chains", 4, "kicks", 2, "neighbours", 5),
		})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		for range 4 {
			if err := r.Step(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
			digests[k] = append(digests[k], r.Last().Digest)
		}
	}
	if !slices.Equal(digests[0], digests[1]) {
		t.Errorf("by the kernels %x, on the CPU %x", digests[1], digests[0])
	}
}

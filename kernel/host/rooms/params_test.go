package rooms_test

import (
	"slices"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// A parameter of a solver can be typed wherever parameters can: no argument of such a verb has its
// name, which the line would be taken for.
func TestParametersAndArguments(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	var solvers []string
	for _, v := range l.Do("solvers").(*reply.SolversReply).Variants {
		if !slices.Contains(solvers, v.Solver) {
			solvers = append(solvers, v.Solver)
		}
	}
	if len(solvers) < 5 {
		t.Fatalf("solvers: %v", solvers)
	}
	for _, s := range solvers {
		for _, v := range l.Do("solvers " + s).(*reply.SolversReply).Variants {
			if len(v.Params) == 0 {
				t.Errorf("%s/%s has no parameters here", v.Solver, v.Variant)
			}
			for _, p := range v.Params {
				for _, verb := range wire.Verbs {
					if !slices.ContainsFunc(verb.Args, func(a wire.Arg) bool {
						return a.Kind == wire.KindParams
					}) {
						continue
					}
					a, ok := verb.Arg(p.Name)
					// An argument that takes files leaves other words to the parameter; what changes no
					// result is not tuned.
					if !ok || a.File || verb.Name == "tune" && p.Class == "schedule" {
						continue
					}
					if a.Kind != wire.KindParams {
						t.Errorf("%s/%s: the parameter %s cannot be typed after %s, which has an argument %s",
							v.Solver, v.Variant, p.Name, verb.Name, a.Name)
					}
				}
			}
		}
	}
}

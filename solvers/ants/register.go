package ants

import (
	"metalab/datasets"
	"metalab/solvers"
)

func init() {
	kinds := []datasets.Kind{datasets.KindTSP, datasets.KindATSP}
	solvers.Register(solvers.Variant{
		Solver: "as", Name: "scan", Backend: "cpu", Revision: 2, Default: true, Deterministic: true, Kinds: kinds,
		Presets: solvers.Named("best", "paper"),
		Title:   "Ant System; a choice scans the candidates, ants are spread over all cores",
		Source:  "M. Dorigo, V. Maniezzo, A. Colorni, 1996, Ant system: optimization by a colony of cooperating agents, doi:10.1109/3477.484436",
		Layout:  layout,
		New:     newSystem,
	})
	solvers.Register(solvers.Variant{
		Solver: "mmas", Name: "scan", Backend: "cpu", Revision: 2, Default: true, Deterministic: true, Kinds: kinds,
		Presets: solvers.Named("best", "paper", "paper-2opt"),
		Title:   "MAX-MIN Ant System; a choice scans the candidates, ants are spread over all cores",
		Source:  "T. Stuetzle, H. H. Hoos, 2000, MAX-MIN Ant System, doi:10.1016/S0167-739X(00)00043-1",
		Layout:  layout,
		New:     newMaxMin,
	})
	solvers.Register(solvers.Variant{
		Solver: "acs", Name: "seq", Backend: "cpu", Revision: 1, Default: true, Deterministic: true, Kinds: kinds,
		Presets: solvers.Named("best", "paper"),
		Title:   "Ant Colony System; the ants move in turn, each sees the local updates before it",
		Source:  "M. Dorigo, L. M. Gambardella, 1997, Ant colony system: a cooperative learning approach to the traveling salesman problem, doi:10.1109/4235.585892",
		Layout:  sequenceLayout,
		New:     newSequence,
	})
}

var (
	_ solvers.Algorithm = (*system)(nil)
	_ solvers.Algorithm = (*maxmin)(nil)
	_ solvers.Algorithm = (*sequence)(nil)
	_ solvers.Changer   = (*system)(nil)
	_ solvers.Changer   = (*maxmin)(nil)
	_ solvers.Changer   = (*sequence)(nil)
	_ solvers.Presetter = (*system)(nil)
	_ solvers.Presetter = (*maxmin)(nil)
	_ solvers.Presetter = (*sequence)(nil)
	_ solvers.Tracer    = (*colony)(nil)
	_ solvers.Trailer   = (*colony)(nil)
	_ solvers.Lengther  = (*colony)(nil)
)

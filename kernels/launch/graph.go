package launch

import "metalab/gpu"

// GraphUse says whether an iteration is one graph.
type GraphUse int

// The uses of a graph.
const (
	Always  GraphUse = iota
	IfTaken          // if the driver allows it: some cannot capture cooperative launches
	Never
)

// A Graph is an iteration as one graph, built at its first use.
type Graph struct {
	Use  GraphUse
	made *gpu.Graph
}

// Whole returns the launch of a whole iteration, whose parts iteration queues one by one: the
// graph, or iteration itself if parts are timed.
func (g *Graph) Whole(
	d *gpu.Device, p *Tuner, iteration func() error,
) (launch func() error, err error) {
	if p.Loose() || g.Use == Never {
		return iteration, nil
	}
	if g.made == nil {
		made, err := d.Capture(nil, iteration)
		switch {
		case err == nil:
			g.made = made
		case g.Use == Always || gpu.IsSticky(err):
			return nil, err
		default:
			g.Use = Never
			return iteration, nil
		}
	}
	return func() error { return g.made.Launch(nil) }, nil
}

// Drop drops the graph after buffers or launches have changed.
func (g *Graph) Drop() error {
	if g.made == nil {
		return nil
	}
	made := g.made
	g.made = nil
	return made.Free()
}

package gpu

// A Graph is a captured sequence of work with a single launch, which costs far less than the
// launches of its parts.
type Graph struct {
	resource
	h     handle
	nodes int
}

// Capture runs f on the device's thread and records the work that f adds to s, without executing
// it. f may launch kernels, copy between device and pinned memory, and record and await events; it
// must not allocate, free, wait, or use Go slices.
func (d *Device) Capture(s *Stream, f func() error) (*Graph, error) {
	const op = "capture a graph"
	g := &Graph{}
	err := d.call(op, func() error {
		s, err := d.on(s)
		if err != nil {
			return err
		}
		if d.capture != nil {
			return refuse(op, d.info.Ordinal, "a capture is under way already")
		}
		if err := drv.captureBegin(s.h); err != nil {
			return err
		}
		d.capture = s
		ended := false
		var graph handle
		end := func() (err error) {
			ended = true
			d.capture = nil
			graph, err = drv.captureEnd(s.h)
			return err
		}
		defer func() { // f panicked or ended its goroutine: the stream must not stay captured
			if !ended {
				if end() == nil && graph != 0 {
					_ = drv.graphFree(graph)
				}
			}
		}()
		ferr := f()
		err = end()
		if graph != 0 {
			defer func() { _ = drv.graphFree(graph) }()
		}
		if ferr != nil {
			return ferr
		}
		if err != nil {
			return err
		}
		if g.nodes, err = drv.graphNodes(graph); err != nil {
			return err
		}
		if g.h, err = drv.graphExec(graph); err != nil {
			return err
		}
		g.own(d, "graph", func() error { return drv.execFree(g.h) })
		return nil
	})
	if err != nil {
		return nil, err
	}
	return g, nil
}

// Nodes returns the number of operations in the graph.
func (g *Graph) Nodes() int { return g.nodes }

// Launch starts the graph in s. One launch waits for the previous one, in whatever stream.
func (g *Graph) Launch(s *Stream) error {
	return g.d.call("launch a graph", func() error {
		if err := g.ok(); err != nil {
			return err
		}
		s, err := g.d.on(s)
		if err != nil {
			return err
		}
		if err := drv.graphLaunch(g.h, s.h); err != nil {
			return err
		}
		g.d.launches++
		g.d.last = "a graph"
		return nil
	})
}

// Free frees the graph.
func (g *Graph) Free() error { return g.release() }

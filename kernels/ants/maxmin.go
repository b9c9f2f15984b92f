package ants

import (
	"metalab/gpu"
	walkers "metalab/solvers/ants"
)

// maxmin is what the crews of mmas share.
type maxmin struct {
	base
	warps int // asked for
	graph *gpu.Graph
}

// forget drops the graph, which is of other buffers or another shape.
func (m *maxmin) forget() error {
	if m.graph == nil {
		return nil
	}
	g := m.graph
	m.graph = nil
	return g.Free()
}

// Warps implements MaxMinCrew.
func (m *maxmin) Warps(n int) {
	m.warps = n
	m.ask(n)
}

// Weigh implements MaxMinCrew.
func (m *maxmin) Weigh(alpha float64, inv float32, eta []float32) error {
	m.next.Alpha, m.next.Inv = alpha, inv
	if eta == nil {
		return nil
	}
	return m.eta.Upload(eta)
}

// Reward implements MaxMinCrew.
func (m *maxmin) Reward(ant int, kept walkers.Kept, rate, add, lo, hi float32) {
	m.reward(ant, kept)
	m.next.Rate, m.next.Add, m.next.Lo, m.next.Hi = rate, add, lo, hi
}

// Fill implements MaxMinCrew.
func (m *maxmin) Fill(v float32) { m.pending, m.next.Fill, m.next.Level = true, 1, v }

package cpu

import (
	"context"

	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/local"
	"metalab/solvers/arith"
)

// hosted is a crew on a device whose tours are copied to the host for the local search.
type hosted struct {
	crew.Device
	s      *crew.Setup
	search *local.Search
	tours  []int32
}

// SearchOnHost makes the local search of a setup, if it is one that a device does not make, on the
// host's cores, on the tours of a crew on a device.
func SearchOnHost(c crew.Device, s *crew.Setup) crew.Crew {
	if !s.Search.OnHost() {
		return c
	}
	return &hosted{Device: c, s: s, search: local.NewSearch(s.Search, s.Env)}
}

// Construct implements crew.Crew. The search ignores the end of ctx, because what the other crew
// did could not be undone.
func (h *hosted) Construct(ctx context.Context, it int64, improve int, out *crew.Tours) error {
	if err := h.Device.Construct(ctx, it, 0, out); err != nil {
		return err
	}
	if want := len(out.Lengths) * h.s.Space.N; len(h.tours) != want {
		h.tours = make([]int32, want)
	}
	if err := h.Device.Tours(h.tours); err != nil {
		return err
	}
	if err := h.search.Improve(it, h.tours, out.Lengths, improve, nil); err != nil {
		return err
	}
	for ant := range out.Hashes {
		out.Hashes[ant] = arith.HashPerm(h.tour(ant))
	}
	if improve > 0 {
		return h.Take(h.tours, out)
	}
	return nil
}

// Close implements crew.Crew.
func (h *hosted) Close() {
	h.search.Close()
	h.Device.Close()
}

func (h *hosted) tour(ant int) []int32 { n := h.s.Space.N; return h.tours[ant*n : ant*n+n] }

func (h *hosted) Tours(tours []int32) error {
	copy(tours, h.tours)
	return nil
}

func (h *hosted) Keep(which crew.Kept, ant int) error { return h.SetKept(which, h.tour(ant)) }

func (h *hosted) SetKept(which crew.Kept, tour []int32) error {
	if which == crew.Best {
		h.search.Know(tour)
	}
	return h.Device.SetKept(which, tour)
}

package ants

import (
	"errors"
	"math"
	"slices"
	"testing"

	"metalab/datasets"
	"metalab/kernels/internal/emulate"
	"metalab/kernels/launch"
	"metalab/solvers"
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
	"metalab/solvers/conform"
	"metalab/solvers/record"
	"metalab/solvers/tours"
)

// The kernels of acs in the emulator, see emulate_test.go.

// emulateSteps opens what the emulated crews of alt, spm-sync and spm share; whole tells that ants
// make whole tours, else the grid is one block, with a warp that is no ant.
func emulateSteps(s *crew.Setup, source, construct string, slots, inRow int, whole bool) (
	e *emulated, pitch int, err error,
) {
	if e, err = onCPU(s, source); err != nil {
		return nil, 0, err
	}
	pitch, suffix := pitchOf(e.g.K, inRow)
	e.buf[bTau], e.buf[bTable] = make([]byte, 4*e.n*pitch), raw(candidates(e.g, pitch, e.wide))
	e.buf[bBar], e.buf[bTally] = make([]byte, 4), make([]byte, 8*tallies)
	e.buf[bSizes] = append(e.buf[bSizes], raw([]int32{int32(slots), int32(pitch)})...)
	e.buf[bRing], e.buf[bHead], e.buf[bPowers] = raw(empty(e.n*slots)), make([]byte, 4*e.n),
		e.cities(make([]int32, 2*e.n))
	e.form.look = "branching_rows"
	e.form.rules = func(r *crew.Rules, eta bool) {
		e.buf[bRules] = raw(rulesOf(r))
		if eta {
			e.buf[bEta], e.buf[bTable] = raw(scaled(s.Table, r.Inv)), raw(candidates(e.g, pitch, e.wide))
		}
	}
	e.form.grow = func() { e.buf[bNotes] = emulate.Left(8 * lapNotes * e.ants) }
	e.form.construct = func() (kernel string, blocks, warps int) {
		warps = max(1, e.warps)
		if !whole {
			return construct + suffix, 1, e.ants + 1
		}
		if construct != "construct_alt" && source != "alt.cu" || e.wide || e.lone {
			return construct + suffix, (e.ants + warps - 1) / warps, warps
		}
		return "construct_windows" + suffix, (e.ants + warps - 1) / warps, warps
	}
	return e, pitch, nil
}

// emulateAlt is the crew of alt, or where ants do not make whole tours of gpu.
func emulateAlt(s *crew.Setup, source string, whole bool) (*emulated, error) {
	slots := spare
	e, _, err := emulateSteps(s, source, "construct", slots, 0, whole)
	if err != nil {
		return nil, err
	}
	t := s.Table
	stored := func() beyondLists {
		return listsOf(cooked(e.buf[bRing], make([]uint32, e.n*slots)),
			cooked(e.buf[bOutTau], make([]float32, e.n*slots)),
			cooked(e.buf[bHead], make([]uint32, e.n)))
	}
	upload := func(x beyondLists) {
		slots = placesFor(x.most(), slots)
		ring, tau, head := x.places(slots)
		e.buf[bRing], e.buf[bOutTau], e.buf[bHead] = raw(ring), raw(tau), raw(head)
		e.buf[bOutEta] = emulate.Left(4 * e.n * slots)
		e.buf[bSizes] = append(e.buf[bSizes][:16], raw([]int32{int32(slots), trail.Width})...)
	}
	upload(make(beyondLists, e.n))
	e.form.send = func() {
		e.buf[bTau] = raw(widen(t.Lists, t.Tau, 1))
		upload(beyondOf(t))
	}
	e.form.fetch = func() {
		narrow(t.Lists, cooked(e.buf[bTau], make([]float32, e.n*trail.Width)), t.Tau)
		stored().to(t)
	}
	e.form.prepare = func() error {
		if x := stored(); x.most()+2 > slots {
			upload(x)
		}
		return e.launch("prepare", e.perSlot(), 2)
	}
	return e, nil
}

func emulateSpm(s *crew.Setup, source string, alt bool) (*emulated, error) {
	construct := "construct"
	if alt {
		construct = "construct_alt"
	}
	e, pitch, err := emulateSteps(s, source, construct, s.Memory.Slots, s.Memory.Slots, alt)
	if err != nil {
		return nil, err
	}
	var counts hitCounts
	tally := func() []uint64 { return cooked(e.buf[bTally], make([]uint64, tallies)) }
	e.form.send = func() {
		tau, ring, head := toDevice(s.Memory, e.g, pitch)
		e.buf[bTau], e.buf[bRing], e.buf[bHead] = raw(tau), raw(ring), raw(head)
		e.buf[bTally] = make([]byte, 8*tallies)
		counts.sent(s.Memory)
	}
	e.form.fetch = func() {
		tau, ring := cooked(e.buf[bTau], make([]float32, e.n*pitch)),
			cooked(e.buf[bRing], make([]uint32, e.n*s.Memory.Slots))
		fromDevice(s.Memory, e.g, pitch, tau, ring, cooked(e.buf[bHead], make([]uint32, e.n)))
		counts.fetched(tally(), s.Memory)
	}
	e.form.tell = func(out *crew.Tours) { counts.tell(tally(), out) }
	return e, nil
}

func emulateLockstep(s *crew.Setup) (*emulated, error) {
	e, err := onCPU(s, "lockstep.cu")
	if err != nil {
		return nil, err
	}
	pitch, suffix := rowOf(e.g.K)
	entries, period := e.n*pitch, 0
	numbers, listed := numbersOf(e.g)
	e.buf[bTau], e.buf[bTable] = make([]byte, 4*entries), raw(links(e.g, pitch))
	e.buf[bCount], e.buf[bBar] = make([]byte, 8*entries), make([]byte, 4)
	e.form.look = "branching_rows"
	e.buf[bNumbers], e.buf[bOutTau] = raw(numbers), raw(e.g.nearestOctaves())
	e.buf[bRing], e.buf[bRules] = raw(noOuts(e.n)), raw(rulesArg{})
	// seats are the warps of a block that may have an ant: some have none.
	seats := func() int { return e.ants + 1 + e.warps%3 }
	// arguments makes room for the words of all ants, and says how they go and where they leave
	// counts.
	arguments := func() {
		first, at, room := listed, 0, wordsOf(e.ants)
		if e.far {
			first, at = -1, (e.n+period-2)/max(period, 1)&1*entries
		}
		e.buf[bNotes] = make([]byte, 16*room)
		e.buf[bSizes] = e.buf[bSizes][:16]
		for _, v := range []int{
			first, at, room, seats(), listed + e.n*trail.OutsPerCity, lineBits, pitch,
		} {
			e.buf[bSizes] = append(e.buf[bSizes], raw(int32(v))...)
		}
	}
	arguments()
	outs := s.Outs
	e.form.send = func() {
		e.buf[bTau], e.buf[bRing] = raw(entriesOf(s, pitch)), raw(launch.Narrowed[uint16](outs.City))
		e.next.Fill = 1
	}
	e.form.fetch = func() {
		fromEntries(s, pitch, cooked(e.buf[bTau], make([]float32, entries)))
		launch.Widened(cooked(e.buf[bRing], make([]uint16, len(outs.City))), outs.City)
	}
	e.form.rules = func(r *crew.Rules, eta bool) {
		if eta {
			e.buf[bEta], e.next.Fill = raw(scaled(s.Table, r.Inv)), 1
		}
		e.buf[bRules], e.buf[bPowers] = raw(rulesOf(r)), raw(crew.Powers(r.Rho, r.Ants))
		period = r.Steps.Period
	}
	e.form.prepare = func() error {
		arguments()
		return errors.Join(e.launch("prepare"+suffix, e.perSlot(), 2),
			e.launch("link_entries"+suffix, e.perSlot(), 2))
	}
	e.form.construct = func() (kernel string, blocks, warps int) {
		if e.far {
			return "construct_global" + suffix, 1, e.ants + 1
		}
		// One warp counts: one that had no words to read would tell of synchronization points
		// that nobody has come to, and the host launches none such.
		arguments()
		return "construct" + suffix, 1, seats() + 1
	}
	return e, nil
}

func init() {
	onEmulator("emulated", "acs", "lockstep", emulateLockstep)
	onEmulator("emulated", "acs", "alt",
		func(s *crew.Setup) (*emulated, error) { return emulateAlt(s, "alt.cu", true) })
	onEmulator("emulated", "acs", "gpu",
		func(s *crew.Setup) (*emulated, error) { return emulateAlt(s, "gpu.cu", false) })
	onEmulator("emulated", "acs", "spm-sync",
		func(s *crew.Setup) (*emulated, error) { return emulateSpm(s, "spm.cu", false) })
	onEmulator("emulated", "acs", "spm",
		func(s *crew.Setup) (*emulated, error) { return emulateSpm(s, "spm.cu", true) })
	emulations = append(emulations, samechoices...)
	emulations = append(emulations,
		trial{
			Solver: "acs", Variant: "spm-sync", Cities: 33, Metric: "EUC_2D", Spread: 1000, Iterations: 6,
			Params: params("ants", 5, "q0", 0.5, "spm_slots", 3, "local_period", 1),
		},
		trial{
			Solver: "acs", Variant: "spm-sync", Cities: 64, Metric: "ATT", Spread: 30, Iterations: 4,
			Params: params("ants", 9, "q0", 0.9, "candidates", 12, "tau_min", 0.3, "local_period", 3, "rho",
				0.2),
		},
		trial{
			Solver: "acs", Variant: "spm-sync", Cities: 230, Metric: "CEIL_2D", Spread: 40, Iterations: 3,
			Params: params("ants", 6, "candidates", 5, "local_period", 2, "spm_slots", 2),
		},
		trial{
			Solver: "acs", Variant: "spm-sync", Cities: 90, Metric: "EUC_2D", Spread: 300, Iterations: 4,
			Params: params("ants", 6, "candidates", 29, "spm_slots", 9, "local_period", 1, "q0", 0.9),
		},
		trial{
			Solver: "acs", Variant: "spm-sync", Cities: 90, Metric: "EUC_2D", Spread: 300, Iterations: 4,
			Params: params("ants", 6, "candidates", 26, "spm_slots", 8, "local_period", 1, "q0", 0.9),
		},
		trial{
			Solver: "acs", Variant: "spm-sync", Cities: 70, Metric: "EUC_2D", Spread: 3000, Iterations: 5,
			Params: params("ants", 6, "candidates", 3, "spm_slots", 32, "local_period", 1, "q0", 0.9),
		},
		trial{
			Solver: "acs", Variant: "spm-sync", Cities: 100, Metric: "EUC_2D", Spread: 5000, Iterations: 2,
			Params: params("ants", 4, "local_search", "oropt"),
		},
	)
}

// samechoices are runs of what races in which nothing does: there is one ant, or local updates
// change nothing. So each choice must be that of the CPU, and each trail, on lists or not.
var samechoices = []trial{
	{
		Solver: "acs", Variant: "alt", Cities: 40, Metric: "EUC_2D", Spread: 3000, Iterations: 5,
		Params: params("ants", 1, "candidates", 3, "q0", 0.5, "rho", 0.3, "alpha", 0.5,
			"local_period", 2),
	},
	{
		Solver: "acs", Variant: "gpu", Cities: 40, Metric: "ATT", Spread: 3000, Iterations: 5,
		Params: params("ants", 1, "candidates", 3, "q0", 0.5, "rho", 0.3, "alpha", 0.5,
			"local_period", 1),
	},
	{
		// The closing edge is not worn, for 22 is no multiple of 3. All edges are on lists; the digest
		// has their trails at iteration 64.
		Solver: "acs", Variant: "alt", Cities: 22, Metric: "EUC_2D", Spread: 900, Iterations: 66,
		Params: params("ants", 1, "candidates", 21, "q0", 0.9, "rho", 0.3, "alpha", 0.5,
			"local_period", 3),
	},
	{
		Solver: "acs", Variant: "gpu", Cities: 22, Metric: "EUC_2D", Spread: 900, Iterations: 66,
		Params: params("ants", 1, "candidates", 21, "q0", 0.9, "rho", 0.3, "alpha", 0.5,
			"local_period", 3),
	},
	{
		// Most windows of four steps are right, and some end with an edge that is not on the other
		// city's list.
		Solver: "acs", Variant: "alt", Cities: 48, Metric: "EUC_2D", Spread: 3000, Iterations: 65,
		Params: params("ants", 1, "candidates", 3, "q0", 0.98, "rho", 0.3, "alpha", 0.5,
			"local_period", 3),
	},
	{
		// Cities are near each other, some at one place.
		Solver: "acs", Variant: "alt", Cities: 101, Metric: "EUC_2D", Spread: 25, Iterations: 20,
		Params: params("ants", 12, "candidates", 3, "q0", 0.9, "rho", 0, "alpha", 0.05),
	},
	{
		Solver: "acs", Variant: "alt", Cities: 101, Metric: "CEIL_2D", Spread: 300, Iterations: 12,
		Params: params("ants", 7, "warps", 2, "candidates", 4, "q0", 0.9, "rho", 0, "alpha", 0.3),
	},
	{
		Solver: "acs", Variant: "gpu", Cities: 90, Metric: "EUC_2D", Spread: 3000, Iterations: 12,
		Params: params("ants", 6, "candidates", 32, "q0", 0.9, "rho", 0, "alpha", 0.3),
	},
}

// TestEmulatedUpload: a run that comes from the CPU goes on by all its trails, also those of edges
// on no list.
func TestEmulatedUpload(t *testing.T) {
	emulate.Need(t)
	for _, c := range samechoices[:2] {
		b := c.open(t, "cpu", c.instance(t))
		step(t, b, 8)
		f, err := b.Fork(t.Context(), solvers.Fork{Name: "f", Backend: "emulated"})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for range 4 {
			if p, q := step(t, f, 1), step(t, b, 1); p.Digest != q.Digest {
				t.Fatalf("%s: after a fork from the CPU digest %x, want %x", c.Variant, p.Digest, q.Digest)
			}
		}
	}
}

// TestEmulatedRoom: rings of few places are given more while a run goes on.
func TestEmulatedRoom(t *testing.T) {
	emulate.Need(t)
	defer func(n int) { spare = n }(spare)
	spare = 2
	samechoices[0].emulate(t, "emulated")
}

// TestEmulatedRaces: the emulator runs one block after the other, so what the racing kernels make
// is sound where it is not what the CPU makes: tours, lengths, trails in their bounds, rings and
// masks that fit each other, and states that go to the CPU and back.
func TestEmulatedRaces(t *testing.T) {
	conform.Brief(t, "runs of 90 cities and more take the emulator ten seconds of a core")
	emulate.Need(t)
	for _, c := range racers {
		racesEmulated(t, c, "emulated")
	}
}

// racers are runs of what races.
var racers = []trial{
	{
		Solver: "acs", Variant: "gpu", Cities: 150, Metric: "EUC_2D", Spread: 4000, Iterations: 4,
		Params: params("ants", 9, "q0", 0.8, "local_period", 1, "candidates", 12),
	},
	{
		Solver: "acs", Variant: "gpu", Cities: 120, Metric: "ATT", Spread: 4000, Iterations: 3,
		Params: params("ants", 12, "candidates", 30, "local_period", 2),
	},
	{
		Solver: "acs", Variant: "alt", Cities: 150, Metric: "EUC_2D", Spread: 4000, Iterations: 4,
		Params: params("ants", 9, "warps", 2, "q0", 0.8, "local_period", 1),
	},
	{
		Solver: "acs", Variant: "spm", Cities: 150, Metric: "EUC_2D", Spread: 4000, Iterations: 4,
		Params: params("ants", 9, "warps", 2, "q0", 0.8, "spm_slots", 2, "local_period", 1),
	},
	{
		Solver: "acs", Variant: "alt", Cities: 120, Metric: "EUC_2D", Spread: 4000, Iterations: 3,
		Params: params("ants", 9, "warps", 3, "candidates", 30, "local_period", 2),
	},
	{
		Solver: "acs", Variant: "spm", Cities: 90, Metric: "EUC_2D", Spread: 4000, Iterations: 3,
		Params: params("ants", 9, "warps", 3, "candidates", 22, "spm_slots", 12, "q0", 0.9,
			"local_period", 3),
	},
	{
		Solver: "acs", Variant: "spm", Cities: 120, Metric: "EUC_2D", Spread: 4000, Iterations: 3,
		Params: params("ants", 9, "warps", 3, "candidates", 30, "local_period", 2),
	},
}

func racesEmulated(t *testing.T, c trial, backend string) {
	t.Run(c.String(), func(t *testing.T) {
		inst := c.instance(t)
		a := c.open(t, backend, inst)
		first := step(t, a, 1)
		candidates := candidatesOf(t, a)
		for range c.Iterations {
			step(t, a, 1)
			if err := a.View(t.Context(), func(alg solvers.Algorithm) {
				lengths, tours := alg.(solvers.LengthReporter).Lengths(), alg.(solvers.Tracer).Trace()
				if n := beyondCandidates(t, inst, candidates, tours); n > 0 {
					t.Errorf("%d choices left open candidates for a city beyond the list", n)
				}
				for k, tour := range tours {
					l, err := inst.Length(tour)
					if err != nil || float64(l) != lengths[k] {
						t.Errorf("ant %d: length %v, the tour has %v, %v", k, lengths[k], l, err)
					}
				}
				list, _ := alg.(solvers.Trailer).Trails(1 << 20)
				for _, e := range list {
					if !(e.Strength > 0) || math.IsInf(float64(e.Strength), 0) || e.From == e.To {
						t.Errorf("trail %+v", e)
					}
				}
			}); err != nil {
				t.Fatal(err)
			}
		}
		last := a.Last()
		if last.Best > first.Best || last.Mean < last.Best {
			t.Errorf("from %+v to %+v", first, last)
		}
		if c.Variant == "spm" && (last.Measures[2] <= 0.3 || last.Measures[2] >= 1) {
			t.Errorf("hit ratio %v", last.Measures[2])
		}
		f, err := a.Fork(t.Context(), solvers.Fork{Name: "f", Backend: "cpu"})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		step(t, f, 1)
		g, err := f.Fork(t.Context(),
			solvers.Fork{Name: "g", Backend: backend, With: record.Values{"candidates": record.Num(12)}})
		if err != nil {
			t.Fatal(err)
		}
		defer g.Close()
		if p := step(t, g, 1); p.Best > last.Best {
			t.Errorf("after two forks the best is %v, it was %v", p.Best, last.Best)
		}
	})
}

// candidatesOf is the number of candidates of a city in a run.
func candidatesOf(t *testing.T, r *solvers.Run) int {
	t.Helper()
	list, err := r.Params(t.Context())
	i := slices.IndexFunc(list, func(p record.Param) bool { return p.Name == "candidates" })
	if err != nil || i < 0 {
		t.Fatal("no parameter candidates", err)
	}
	k, _ := list[i].Value.Float()
	return int(k)
}

// beyondCandidates counts the steps to a city beyond the list of candidates of which one was not
// visited yet: figure 3 of the paper has none.
func beyondCandidates(t *testing.T, inst *datasets.TSP, k int,
	tours [][]int32,
) (n int) {
	t.Helper()
	lists := listsByCity(t, inst, k)
	for _, tour := range tours {
		visited := make([]bool, inst.N)
		for p, c := range tour {
			if p > 0 {
				list := lists[tour[p-1]]
				if !slices.Contains(list, c) &&
					slices.ContainsFunc(list, func(j int32) bool { return !visited[j] }) {
					n++
				}
			}
			visited[c] = true
		}
	}
	return n
}

// listsByCity are the candidate lists, in the instance's numbers of cities.
func listsByCity(t *testing.T, inst *datasets.TSP, k int) [][]int32 {
	t.Helper()
	sp, err := tours.NewSpace(inst)
	if err != nil {
		t.Fatal(err)
	}
	l, err := trail.NewLists(sp, min(k, inst.N-1))
	if err != nil {
		t.Fatal(err)
	}
	out := make([][]int32, inst.N)
	for c := range sp.N {
		for _, j := range l.ID[c*l.Stride : c*l.Stride+l.K] {
			out[sp.Orig[c]] = append(out[sp.Orig[c]], sp.Orig[j])
		}
	}
	return out
}

// TestSpread takes memories to the form of the device and back.
func TestSpread(t *testing.T) {
	g := &instance{Space: &tours.Space{N: 3}, K: 2, ID: make([]int32, 3*trail.Width)}
	for c := range int32(3) {
		g.ID[c*trail.Width], g.ID[c*trail.Width+1] = (c+1)%3, (c+2)%3
	}
	g.K = 1 // the second is beyond the list
	m := trail.NewMemory(&tours.Space{N: 3}, 3)
	m.TauMin = 0.5
	copy(m.City, []int32{
		2, trail.NoCity, 1, trail.NoCity, trail.NoCity, trail.NoCity, 0, 1,
		trail.NoCity,
	})
	for i, to := range m.City {
		if to >= 0 {
			m.Tau[i] = float32(i + 2)
		}
	}
	copy(m.Head, []uint8{2, 0, 1})
	tau, ring, head := toDevice(m, g, 32)
	if tau[0] != 4 || tau[1] != -0.5 || tau[31] != 2 || ring[0] != out|2 || ring[1] != none ||
		ring[2] != 0 {
		t.Errorf("rings %x, trails %v", ring, tau[:32])
	}
	got := trail.NewMemory(&tours.Space{N: 3}, 3)
	fromDevice(got, g, 32, tau, ring, head)
	if !slices.Equal(got.City, m.City) || !slices.Equal(got.Tau, m.Tau) ||
		!slices.Equal(got.Head, m.Head) {
		t.Errorf("got %+v, want %+v", got, m)
	}
}

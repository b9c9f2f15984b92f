package ants

import (
	"math"
	"slices"
	"strings"
	"testing"

	"metalab/solvers"
	walkers "metalab/solvers/ants"
	"metalab/solvers/record"
	"metalab/solvers/tours"
)

// The kernels of alt, spm and spm-alt in the emulator, see emulate_test.go.

// emulatedStrider is what the emulated crews of the three share.
type emulatedStrider struct {
	*emulated
	ground *walkers.Ground
	walk   string
	pitch  int
	one    bool // the grid is one block, with a warp that is no ant
}

func emulateStrider(env *solvers.Env, g *walkers.Ground, source, walk string, slots int) (*emulatedStrider, error) {
	e, err := emulate(env, g, source)
	if err != nil {
		return nil, err
	}
	pitch, suffix := pitchOf(g.K, slots)
	e.buf[bTau], e.buf[bTable] = make([]byte, 4*e.n*pitch), raw(wires(g, pitch, e.wide))
	e.buf[bBar], e.buf[bTally] = make([]byte, 4), make([]byte, 16)
	e.buf[bSizes] = append(e.buf[bSizes], raw([]int32{int32(slots), int32(pitch)})...)
	e.buf[bRing], e.buf[bHead], e.buf[bPowers] = raw(empty(e.n*slots)), make([]byte, 4*e.n), e.cities(make([]int32, 2*e.n))
	return &emulatedStrider{emulated: e, ground: g, walk: walk + suffix, pitch: pitch}, nil
}

// SetTrails implements Crew, of alt.
func (e *emulatedStrider) SetTrails(tau []float32) error {
	e.buf[bTau], e.buf[bRing] = raw(rowed(tau, e.pitch)), raw(empty(e.n*beyonds))
	return nil
}

// Trails implements Crew, of alt.
func (e *emulatedStrider) Trails(tau []float32) error {
	rows := cooked(e.buf[bTau], make([]float32, e.n*e.pitch))
	for c := range e.n {
		copy(tau[c*walkers.Width:(c+1)*walkers.Width], rows[c*e.pitch:])
	}
	return nil
}

func (e *emulatedStrider) Look() (int64, uint64, error) {
	e.buf[bOut] = make([]byte, 16)
	err := e.launch("survey", (e.n*walkers.Width+63)/64, 2)
	v := cooked(e.buf[bOut], make([]int64, 2))
	return v[0], uint64(v[1]), err
}

func (e *emulatedStrider) Rules(r walkers.AltRules) error {
	e.buf[bRules] = raw(ruleArgOf(r))
	if r.Eta != nil {
		e.buf[bEta], e.buf[bTable] = raw(r.Eta), raw(wires(e.ground, e.pitch, e.wide))
	}
	return nil
}

func (e *emulatedStrider) Reward(keep, gain float32) {
	e.reward(-1, walkers.KeptBest)
	e.next.Keep, e.next.Gain = keep, gain
	e.act()
}

func (e *emulatedStrider) Walk(it int64, lengths []int64, falls []int32, hashes []uint64) error {
	if e.ants != len(lengths) {
		e.ants = len(lengths)
		e.buf[bTours], e.buf[bResults] = e.cities(make([]int32, e.n*e.ants)), make([]byte, 24*(e.ants+1))
		e.buf[bNotes] = make([]byte, 8*lapNotes*e.ants)
	}
	e.next.ItLo, e.next.ItHi, e.next.Ants = uint32(it), uint32(it>>32), int32(e.ants)
	e.act()
	warps := max(1, e.warps)
	blocks := (e.ants + warps - 1) / warps
	if e.one {
		warps, blocks = e.ants+1, 1
	}
	if err := e.launch(e.walk, blocks, warps); err != nil {
		return err
	}
	if e.err != nil {
		return e.err
	}
	for k, r := range cooked(e.buf[bResults], make([]result, e.ants+1))[1:] {
		lengths[k], falls[k], hashes[k] = r.Length, r.Falls, r.Hash
	}
	return nil
}

// emulatedSpm is an emulated crew of spm or spm-alt.
type emulatedSpm struct {
	*emulatedStrider
	slots  int
	tauMin float32
}

func (e *emulatedSpm) Rules(r walkers.AltRules) error {
	e.tauMin = r.TauMin
	return e.emulatedStrider.Rules(r)
}

func (e *emulatedSpm) SetMemory(m *walkers.Memory) error {
	tau, ring, head := spread(m, e.ground, e.pitch, e.tauMin)
	e.buf[bTau], e.buf[bRing], e.buf[bHead] = raw(tau), raw(ring), raw(head)
	return nil
}

func (e *emulatedSpm) Memory(m *walkers.Memory) error {
	gather(m, e.ground, e.pitch, cooked(e.buf[bTau], make([]float32, e.n*e.pitch)), cooked(e.buf[bRing], make([]uint32, e.n*e.slots)),
		cooked(e.buf[bHead], make([]uint32, e.n)))
	return nil
}

func (e *emulatedSpm) Hits() (int64, int64) {
	v := cooked(e.buf[bTally], make([]int64, 2))
	return v[0], v[1]
}

func emulateSpm(env *solvers.Env, g *walkers.Ground, slots int, source, walk string) (walkers.SelectiveCrew, error) {
	s, err := emulateStrider(env, g, source, walk, slots)
	if err != nil {
		return nil, err
	}
	s.one = !strings.HasPrefix(walk, "walk_alt")
	return &emulatedSpm{emulatedStrider: s, slots: slots}, nil
}

func init() {
	solvers.Register(walkers.AltVariant("emulated", func(env *solvers.Env, g *walkers.Ground) (walkers.AltCrew, error) {
		return emulateStrider(env, g, "alt.cu", "walk", beyonds)
	}))
	solvers.Register(walkers.SelectiveVariant("spm", "emulated", func(env *solvers.Env, g *walkers.Ground, slots int) (walkers.SelectiveCrew, error) {
		return emulateSpm(env, g, slots, "spm.cu", "walk")
	}))
	solvers.Register(walkers.SelectiveVariant("spm-alt", "emulated", func(env *solvers.Env, g *walkers.Ground, slots int) (walkers.SelectiveCrew, error) {
		return emulateSpm(env, g, slots, "spm.cu", "walk_alt")
	}))
	emulations = append(emulations,
		trial{Solver: "acs", Variant: "spm", Cities: 33, Metric: "EUC_2D", Spread: 1000, Iterations: 6, Params: params("ants", 5, "q0", 0.5, "spm_slots", 3, "local_period", 1)},
		trial{Solver: "acs", Variant: "spm", Cities: 64, Metric: "ATT", Spread: 30, Iterations: 4, Params: params("ants", 9, "q0", 0.9, "candidates", 12, "tau_min", 0.3, "local_period", 3, "rho", 0.2)},
		trial{Solver: "acs", Variant: "spm", Cities: 230, Metric: "CEIL_2D", Spread: 40, Iterations: 3, Params: params("ants", 6, "candidates", 5, "local_period", 2, "spm_slots", 2)},
		trial{Solver: "acs", Variant: "spm", Cities: 90, Metric: "EUC_2D", Spread: 300, Iterations: 4, Params: params("ants", 6, "candidates", 29, "spm_slots", 9, "local_period", 1, "q0", 0.9)},
		trial{Solver: "acs", Variant: "spm", Cities: 90, Metric: "EUC_2D", Spread: 300, Iterations: 4, Params: params("ants", 6, "candidates", 26, "spm_slots", 8, "local_period", 1, "q0", 0.9)},
		trial{Solver: "acs", Variant: "spm", Cities: 70, Metric: "EUC_2D", Spread: 3000, Iterations: 5, Params: params("ants", 6, "candidates", 3, "spm_slots", 32, "local_period", 1, "q0", 0.9)},
		trial{Solver: "acs", Variant: "spm", Cities: 100, Metric: "EUC_2D", Spread: 5000, Iterations: 2, Params: params("ants", 4, "local_search", "oropt")},
	)
}

// TestEmulatedRaces: the emulator runs one block after the other, so what the racing kernels make is
// sound where it is not what the CPU makes: tours, lengths, trails in their bounds, rings and
// masks that fit each other, and states that go to the CPU and back.
func TestEmulatedRaces(t *testing.T) {
	needEmulator(t)
	for _, c := range racers {
		racesEmulated(t, c, "emulated")
	}
}

// racers are runs of what races.
var racers = []trial{
	{Solver: "acs", Variant: "alt", Cities: 150, Metric: "EUC_2D", Spread: 4000, Iterations: 4, Params: params("ants", 9, "warps", 2, "q0", 0.8, "local_period", 1)},
	{Solver: "acs", Variant: "spm-alt", Cities: 150, Metric: "EUC_2D", Spread: 4000, Iterations: 4, Params: params("ants", 9, "warps", 2, "q0", 0.8, "spm_slots", 2, "local_period", 1)},
	{Solver: "acs", Variant: "alt", Cities: 120, Metric: "EUC_2D", Spread: 4000, Iterations: 3, Params: params("ants", 9, "warps", 3, "candidates", 30, "local_period", 2)},
	{Solver: "acs", Variant: "spm-alt", Cities: 90, Metric: "EUC_2D", Spread: 4000, Iterations: 3, Params: params("ants", 9, "warps", 3, "candidates", 22, "spm_slots", 12, "q0", 0.9, "local_period", 3)},
	{Solver: "acs", Variant: "spm-alt", Cities: 120, Metric: "EUC_2D", Spread: 4000, Iterations: 3, Params: params("ants", 9, "warps", 3, "candidates", 30, "local_period", 2)},
}

func racesEmulated(t *testing.T, c trial, backend string) {
	t.Run(c.String(), func(t *testing.T) {
		inst := c.instance(t)
		a := c.open(t, backend, inst)
		first := step(t, a, 1)
		for range c.Iterations {
			step(t, a, 1)
			if err := a.View(t.Context(), func(alg solvers.Algorithm) {
				lengths, tours := alg.(solvers.Lengther).Lengths(), alg.(solvers.Tracer).Trace()
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
		if c.Variant == "spm-alt" && (last.Measures[2] <= 0.3 || last.Measures[2] >= 1) {
			t.Errorf("hit ratio %v", last.Measures[2])
		}
		f, err := a.Fork(t.Context(), solvers.Fork{Name: "f", Backend: "cpu"})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		step(t, f, 1)
		g, err := f.Fork(t.Context(), solvers.Fork{Name: "g", Backend: backend, With: record.Values{"candidates": record.Num(12)}})
		if err != nil {
			t.Fatal(err)
		}
		defer g.Close()
		if p := step(t, g, 1); p.Best > last.Best {
			t.Errorf("after two forks the best is %v, it was %v", p.Best, last.Best)
		}
	})
}

// TestSpread takes memories to the form of the device and back.
func TestSpread(t *testing.T) {
	g := &walkers.Ground{Space: &tours.Space{N: 3}, K: 2, ID: make([]int32, 3*walkers.Width)}
	for c := range int32(3) {
		g.ID[c*walkers.Width], g.ID[c*walkers.Width+1] = (c+1)%3, (c+2)%3
	}
	g.K = 1 // the second is beyond the list
	m := walkers.NewMemory(3, 3)
	copy(m.City, []int32{2, walkers.NoCity, 1, walkers.NoCity, walkers.NoCity, walkers.NoCity, 0, 1, walkers.NoCity})
	for i, to := range m.City {
		if to >= 0 {
			m.Tau[i] = float32(i + 2)
		}
	}
	copy(m.Head, []uint8{2, 0, 1})
	tau, ring, head := spread(m, g, 32, 0.5)
	if tau[0] != 4 || tau[1] != -0.5 || tau[31] != 2 || ring[0] != out|2 || ring[1] != none || ring[2] != 0 {
		t.Errorf("rings %x, trails %v", ring, tau[:32])
	}
	got := walkers.NewMemory(3, 3)
	gather(got, g, 32, tau, ring, head)
	if !slices.Equal(got.City, m.City) || !slices.Equal(got.Tau, m.Tau) || !slices.Equal(got.Head, m.Head) {
		t.Errorf("got %+v, want %+v", got, m)
	}
}

// emulatedLockstep is an emulated crew of acs/lockstep.
type emulatedLockstep struct{ *emulated }

func (e emulatedLockstep) Rules(r walkers.AltRules, powers []float32) error {
	if r.Eta != nil {
		e.buf[bEta], e.next.Fill = raw(r.Eta), 1
	}
	e.buf[bRules], e.buf[bPowers], e.period = raw(ruleArgOf(r)), raw(powers), r.Period
	return nil
}

// course makes room for the words of all ants, and says how they walk and where they leave their counts.
func (e *emulated) course() {
	first, at, room := e.listed, 0, roomOf(e.ants)
	if e.far {
		first, at = -1, (e.n+e.period-2)/max(e.period, 1)&1*e.n*walkers.Width
	}
	e.buf[bNotes] = make([]byte, 16*room)
	e.buf[bSizes] = e.buf[bSizes][:16]
	for _, v := range []int{first, at, room, e.ants + 1, e.listed + e.n*walkers.Outs, lineBits} {
		e.buf[bSizes] = append(e.buf[bSizes], raw(int32(v))...)
	}
}

func (e emulatedLockstep) SetOuts(city []int32) error {
	e.buf[bRing], e.next.Fill = raw(narrowed[uint16](city)), 1
	return nil
}

func (e emulatedLockstep) Outs(city []int32) error {
	widened(cooked(e.buf[bRing], make([]uint16, len(city))), city)
	return nil
}

func (e emulatedLockstep) Reward(keep, gain float32) {
	e.reward(-1, walkers.KeptBest)
	e.next.Keep, e.next.Gain = keep, gain
	e.act()
}

package ants

import (
	"errors"
	"slices"

	"metalab/gpu"
	"metalab/kernels/launch"
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
	"metalab/solvers/wave"
)

// ringStore is what the forms of acs/alt, gpu, spm-sync and spm share: rows of trails with a ring
// of places, and the construction on them.
type ringStore struct {
	b          *deviceCrew
	ruleArgs   *gpu.Buffer[rulesArg]
	candidates *gpu.Buffer[candidate]
	kernel     *gpu.Kernel // the construction
	windows    *gpu.Kernel // that of few ants a block; nil for spm-sync and gpu
	survey     *gpu.Kernel
	config     gpu.Config // of the construction

	// The kernels' memory; tau is the crew's, in rows of pitch entries.
	slots, pitch int
	ring, head   *gpu.Buffer[uint32]
	likely       cities // two by city: where ants are likely to go
	// of acs/alt and gpu by place, the trail and the visibility; nil for others
	beyond, sight *gpu.Buffer[float32]
	blank         []candidate // the candidates as long as rings are empty

	perBlock int // the ants of a block, of ants that do not wait for each other
}

// open makes rings with this many places, of which so many are in the rows, and loads the
// construction with this name and the suffix of pitchOf.
func (s *ringStore) open(kernel func(k **gpu.Kernel, name string), name string, slots, inRow int,
) (err error) {
	s.slots = slots
	var suffix string
	s.pitch, suffix = pitchOf(s.b.g.K, inRow)
	kernel(&s.survey, "branching_rows")
	kernel(&s.kernel, name+suffix)
	if s.pitch > trail.Width {
		if err = s.b.trails.tau.Free(); err != nil {
			return err
		}
		s.b.trails.tau, err = launch.Upload(s.b.d, make([]float32, s.b.n*s.pitch), err)
	}
	s.blank = candidates(s.b.g, s.pitch, s.b.wide)
	s.candidates, err = launch.Upload(s.b.d, s.blank, err)
	s.ruleArgs, err = launch.Upload(s.b.d, make([]rulesArg, 1), err)
	s.head, err = launch.Upload(s.b.d, make([]uint32, s.b.n), err)
	s.ring, err = launch.Upload(s.b.d, empty(s.b.n*slots), err)
	s.likely, err = launch.UploadCities(s.b.d, s.b.wide, make([]int32, 2*s.b.n), err)
	return err
}

// constructing is the construction and its launch: by windows of four steps if few ants share a
// block and there is room for the paths.
func (s *ringStore) constructing() (*gpu.Kernel, gpu.Config) {
	c := s.config
	if s.windows == nil || s.perBlock > windowSteps || c.Block.X > s.windows.Info().MaxBlock {
		return s.kernel, s.config
	}
	if c.Shared += pathBytes(s.b.n); c.Shared > s.windows.Info().MaxShared {
		return s.kernel, s.config
	}
	return s.windows, c
}

// rules is form.rules. A pending update uses only rules that never change.
func (s *ringStore) rules(r *crew.Rules, eta bool) error {
	err := s.ruleArgs.Upload([]rulesArg{rulesOf(r)})
	if eta {
		// The weights of edges beyond lists are computed again too.
		err = errors.Join(err, s.b.trails.eta.Upload(scaled(s.b.s.Table, r.Inv)),
			s.candidates.Upload(s.blank))
	}
	return err
}

func (s *ringStore) look() error {
	return s.survey.Launch(s.b.perSlot(), s.b.inst.arg, s.memory(), s.b.trails.out)
}

// memory returns the kernels' argument for the trails.
func (s *ringStore) memory() memoryArg {
	m := memoryArg{
		Tau: s.b.trails.tau.View().Ptr, Candidates: s.candidates.View().Ptr, Ring: s.ring.View().Ptr,
		Head:   s.head.View().Ptr,
		Likely: s.likely.Pointer(), Slots: int32(s.slots), Pitch: int32(s.pitch),
	}
	if s.beyond != nil {
		m.Beyond, m.Sight = s.beyond.View().Ptr, s.sight.View().Ptr
	}
	return m
}

func (s *ringStore) own() wave.Config {
	return launch.Warps(s.b.batch.ants, min(s.b.perBlock(), s.kernel.Info().MaxBlock/warpThreads))
}

func (s *ringStore) shapes() []wave.Config {
	return launch.WarpShapes(s.b.batch.ants, s.kernel.Info().MaxBlock/warpThreads)
}

// blocks is form.adopt of ants that do not wait for each other.
func (s *ringStore) blocks(c wave.Config) error {
	ants := c.Block / warpThreads
	shared, err := s.b.bits(s.kernel, ants)
	s.config = gpu.Config{
		Grid: gpu.Dim{X: (s.b.batch.ants + ants - 1) / ants}, Block: gpu.Dim{X: warpThreads * ants},
		Shared: shared,
	}
	if ants != s.perBlock {
		s.perBlock = ants
		err = errors.Join(err, s.b.dropGraph())
	}
	return err
}

// candidates returns the candidates that the device has before the first iteration, in rows of
// pitch entries.
func candidates(g *instance, pitch int, wide bool) []candidate {
	out := make([]candidate, g.Space.N*pitch)
	for i := range out {
		c := i / pitch
		if s := i % pitch; s < g.K {
			out[i].Link = candidateLink(g, c*trail.Width+s, wide)
		} else {
			out[i].Link = uint32(c) << cityShift(wide)
		}
	}
	return out
}

// cityShift returns the lowest bit of the city in a candidate's link.
func cityShift(wide bool) int {
	if wide {
		return 6
	}
	return 16
}

// candidateLink is the link of the candidate of slot i.
func candidateLink(g *instance, i int, wide bool) uint32 {
	link := uint32(g.ID[i]) << cityShift(wide)
	if back := g.Reverse[i]; back >= 0 {
		link |= 1<<5 | uint32(back%trail.Width)
	}
	return link
}

// pitchOf returns the number of entries of a row, with a list and a ring, and the suffix of the
// constructions for it.
func pitchOf(k, slots int) (pitch int, suffix string) {
	switch {
	case k+slots <= trail.Width:
		return trail.Width, ""
	case slots <= 8:
		return trail.Width + 8, "_40"
	}
	return 2 * trail.Width, "_64"
}

// empty returns empty rings.
func empty(places int) []uint32 {
	ring := make([]uint32, places)
	for i := range ring {
		ring[i] = none
	}
	return ring
}

// storeBytes is what open allocates.
func storeBytes(n, k, slots int) int64 {
	pitch, _ := pitchOf(k, slots)
	city := 2
	if n >= wideFrom {
		city = 4
	}
	return int64(n) * int64(8*pitch+4*(pitch-trail.Width)+4*slots+4+2*city)
}

// The kernels' NONE and BEYOND.
const (
	none = 0xffffffff
	out  = 0x80000000
)

// toDevice converts a memory to the form of the device: trails in rows of pitch entries, with the
// sign bit set for slots that are not stored, rings, and heads. The kernels make candidates from
// rings.
func toDevice(m *trail.Memory, g *instance, pitch int) (tau []float32, ring, head []uint32) {
	n := g.Space.N
	tau, ring, head = make([]float32, n*pitch), empty(n*m.Slots), make([]uint32, n)
	for i := range tau {
		tau[i] = -m.TauMin
	}
	for c := range n {
		head[c] = uint32(m.Head[c])
		list := g.ID[c*trail.Width : c*trail.Width+g.K]
		for p := range m.Slots {
			i := c*m.Slots + p
			to := m.City[i]
			if to < 0 {
				continue
			}
			if slot := slices.Index(list, to); slot >= 0 {
				ring[i], tau[c*pitch+slot] = uint32(slot), m.Tau[i]
			} else {
				ring[i], tau[(c+1)*pitch-1-p] = out|uint32(to), m.Tau[i]
			}
		}
	}
	return tau, ring, head
}

// fromDevice is the reverse of toDevice.
func fromDevice(m *trail.Memory, g *instance, pitch int, tau []float32, ring, head []uint32) {
	for c := range g.Space.N {
		m.Head[c] = uint8(head[c] % uint32(m.Slots))
		for p := range m.Slots {
			i := c*m.Slots + p
			switch e := ring[i]; {
			case e == none:
				m.City[i], m.Tau[i] = trail.NoCity, 0
			case e&out != 0:
				m.City[i], m.Tau[i] = int32(e&^out), tau[(c+1)*pitch-1-p]
			default:
				m.City[i], m.Tau[i] = g.ID[c*trail.Width+int(e)], max(tau[c*pitch+int(e)],
					-tau[c*pitch+int(e)])
			}
		}
	}
}

// The kernels of spm-sync note at most lapNotes edges of an ant between two barriers, see notes_of.
const lapNotes = 32

// chunkBytes returns the shared memory of spm-sync's construction without the visited cities, with
// notes of this many bytes.
func chunkBytes(note int) int { return 4096 * note }

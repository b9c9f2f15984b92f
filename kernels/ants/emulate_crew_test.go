package ants

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"metalab/kernels/internal/emulate"
	"metalab/kernels/launch"
	"metalab/solvers"
	"metalab/solvers/ants"
	"metalab/solvers/ants/cpu"
	"metalab/solvers/ants/crew"
	"metalab/solvers/ants/trail"
)

// The kernels run here without a GPU.

// forCPU is what is replaced in a kernel's source, the rest being C++.
var forCPU = []emulate.Replacement{
	{From: regexp.MustCompile(`(?s)asm volatile\("atom.*?"memory"\);`), To: "old = (*here)++;"},
	{From: regexp.MustCompile(`(?s)asm volatile\("red.*?"memory"\);`), To: "++*bar;"},
	{From: regexp.MustCompile(`(?s)asm volatile\("ld.*?"memory"\);`), To: "v = *bar, yield();"},
}

// emulator compiles a source for the CPU, once.
func emulator(source string) (*emulate.Program, error) {
	stem := strings.TrimSuffix(strings.TrimSuffix(source, ".cu"), "_wide")
	return emulate.Source{
		File: source, Main: emulateMain, Replace: forCPU, Defines: []string{strings.ToUpper(stem)},
	}.Compile()
}

// emulateMain is the program that launches kernels.
const emulateMain = "testdata/emulate.cc"

// Buffers of the emulator.
const (
	bSizes = iota
	bAt
	bBox
	bID
	bExt
	bJob
	bTau
	bEta
	bTable
	bAfter
	bBefore
	bBest
	bRestart
	bMark
	bTours
	bResults
	bCount
	bPowers
	bBar
	bKeys
	bOut
	bRules
	bNumbers
	bRing
	bOutTau
	bOutEta
	bOuts
	bHead
	bNotes
	bTally
	bVisited
	buffers
)

// emulated is a crew whose kernels the emulator runs. It does at once what it is asked.
type emulated struct {
	crew.Untuned
	s       *crew.Setup
	g       *instance
	program *emulate.Program
	err     error // of the first launch that failed
	n, ants int
	warps   int
	wide    bool // city numbers have 32 bits
	remote  bool // the visited cities lie in global memory
	far     bool // mmas: lists are not copied to shared memory; lockstep: nor are counts
	long    bool // mmas: as with many cities
	lone    bool // mmas: a step at a time
	sight   bool // the visibilities are here
	improve int  // tours that get the local search
	nextJob
	buf    [buffers][]byte
	form   emulatedForm
	broken func(e *emulated) // changes results, to see who notices
}

// emulatedForm is what an emulated crew of a variant does otherwise than that of mmas/wrs; what is
// nil is not done otherwise.
type emulatedForm struct {
	rules     func(r *crew.Rules, eta bool)
	send      func()
	fetch     func()
	grow      func() // the number of ants changed
	prepare   func() error
	construct func() (kernel string, blocks, warps int)
	look      string // its kernel
	tell      func(out *crew.Tours)
}

func raw(v any) []byte { return emulate.Raw(v) }

func cooked[T any](b []byte, v T) T { return emulate.Cooked(b, v) }

// cities are city numbers as the kernels have them.
func (e *emulated) cities(v []int32) []byte {
	if e.wide {
		return raw(v)
	}
	return raw(launch.Narrowed[uint16](v))
}

// numbers is the reverse of cities.
func (e *emulated) numbers(b []byte, v []int32) {
	if e.wide {
		cooked(b, v)
		return
	}
	launch.Widened(cooked(b, make([]uint16, len(v))), v)
}

// onCPU opens a crew for the kernels of a source.
func onCPU(s *crew.Setup, source string) (*emulated, error) {
	program, err := emulator(source)
	if err != nil {
		return nil, err
	}
	sp, n := s.Space, s.Space.N
	e := &emulated{
		s: s, nextJob: newNextJob(), program: program, n: n,
		wide: strings.HasSuffix(source, "_wide.cu"),
	}
	e.g = instanceOf(s, e.wide)
	at, box := places(sp)
	e.buf[bSizes] = raw([]int32{int32(n), int32(sp.Metric), int32(e.g.K), int32((n + 31) / 32)})
	e.buf[bAt], e.buf[bBox] = raw(at), raw(boxTree(box, e.wide))
	e.buf[bID], e.buf[bExt] = e.cities(e.g.ID), e.cities(e.g.Ext)
	slots := n * trail.Width
	for _, b := range []int{bTau, bEta} {
		e.buf[b] = make([]byte, 4*slots)
	}
	e.buf[bTable] = emulate.Left(4 * slots)
	if strings.HasSuffix(source, "wrs.cu") && packed(n) {
		e.buf[bNumbers] = emulate.Left(4 * likelyWords(n))
	}
	for _, b := range []int{bAfter, bBefore, bBest, bRestart} {
		e.buf[b] = e.cities(make([]int32, n))
	}
	e.buf[bMark], e.buf[bOut] = make([]byte, 4*n), make([]byte, 16)
	e.buf[bKeys] = raw(roundKeys(s.Env.Seed))
	e.form = emulatedForm{
		rules: e.weigh, send: e.sendTable, fetch: e.fetchTable, grow: func() {}, construct: e.race,
		look:    "branching",
		prepare: func() error { return e.launch("prepare", e.perSlot(), 2) }, tell: func(*crew.Tours) {},
	}
	change(e)
	return e, nil
}

// perSlot is how many blocks of two warps have a thread for each slot.
func (e *emulated) perSlot() int { return (e.n*trail.Width + 63) / 64 }

func (e *emulated) launch(kernel string, blocks, warps int) error {
	if e.remote {
		e.buf[bVisited] = emulate.Left(4 * e.ants * bitWords(e.n, e.wide))
	}
	e.buf[bJob] = raw(e.next)
	return e.program.Launch(kernel, blocks, warps, e.buf[:])
}

// act does what next asks for.
func (e *emulated) act() {
	e.next.Serial++
	want := e.next
	e.err = errors.Join(e.err, e.launch("keep_tours", 1, 3), e.form.prepare())
	if want.KeepBest >= 0 && e.err == nil {
		r := cooked(e.buf[bResults], make([]result, e.ants+1))
		if r[0].Falls != 0 || r[0].Length != r[1+want.KeepBest].Length {
			e.err = fmt.Errorf("the tour of ant %d has length %d, the note says %d and %d cities twice",
				want.KeepBest, r[1+want.KeepBest].Length, r[0].Length, r[0].Falls)
		}
	}
	e.clear()
}

func (e *emulated) Close() {}

func (e *emulated) Schedule(warps, _ int) { e.warps = warps }

func (e *emulated) Rules(r *crew.Rules) error {
	if r.Beta != e.s.Table.Beta {
		e.s.Table.SetBeta(r.Beta)
		e.sight = false
	}
	e.form.rules(r, !e.sight)
	e.sight = true
	return nil
}

// weigh is the form's rules of as and mmas.
func (e *emulated) weigh(r *crew.Rules, eta bool) {
	e.next.Alpha, e.next.Inv = r.Alpha, r.Inv
	if eta {
		e.buf[bEta] = raw(visibilities(e.s.Table))
	}
}

func (e *emulated) Send() error {
	e.sight = false
	e.form.send()
	return nil
}

func (e *emulated) Fetch() error {
	e.form.fetch()
	return nil
}

func (e *emulated) sendTable() {
	if f := e.s.Table.Full; f != nil {
		e.buf[bTau] = raw(f.Tau)
	} else {
		e.buf[bTau] = raw(widen(e.s.Table.Lists, e.s.Table.Tau, 1))
	}
}

func (e *emulated) fetchTable() {
	t := e.s.Table
	if t.Full == nil {
		narrow(t.Lists, cooked(e.buf[bTau], make([]float32, e.n*trail.Width)), t.Tau)
		return
	}
	cooked(e.buf[bTau], t.Full.Tau)
	for s := range t.Tau {
		t.Tau[s] = t.Full.Tau[int(t.From(int32(s)))*e.n+int(t.ID[s])]
	}
}

func (e *emulated) kept(which crew.Kept) int {
	if which == crew.Best {
		return bBest
	}
	return bRestart
}

func (e *emulated) SetKept(which crew.Kept, tour []int32) error {
	if tour == nil {
		tour = make([]int32, e.n)
	}
	e.buf[e.kept(which)] = e.cities(tour)
	return nil
}

func (e *emulated) Kept(which crew.Kept, tour []int32) error {
	e.numbers(e.buf[e.kept(which)], tour)
	return nil
}

func (e *emulated) Keep(which crew.Kept, ant int) error {
	e.keep(which, ant)
	return nil
}

func (e *emulated) Update(u crew.Update) {
	e.update(u, e.s.Table)
	e.act()
}

func (e *emulated) Reset(v float32) {
	e.fill(v, e.s.Table)
	e.act()
}

func (e *emulated) Tours(tours []int32) error {
	e.numbers(e.buf[bTours], tours)
	return nil
}

// Take implements crew.Device.
func (e *emulated) Take(tours []int32, out *crew.Tours) error {
	r := cooked(e.buf[bResults], make([]result, e.ants+1))
	for k := range out.Lengths {
		r[1+k] = result{Length: out.Lengths[k], Hash: out.Hashes[k], Falls: out.Falls[k]}
	}
	e.buf[bTours], e.buf[bResults] = e.cities(tours), raw(r)
	return nil
}

func (e *emulated) Look() (int64, uint64, error) {
	e.buf[bOut] = make([]byte, 16)
	err := e.launch(e.form.look, e.perSlot(), 2)
	v := cooked(e.buf[bOut], make([]uint64, 2))
	return int64(v[0]), v[1], err
}

func (e *emulated) Construct(_ context.Context, it int64, improve int, out *crew.Tours) error {
	e.improve = improve
	if e.ants != len(out.Lengths) {
		e.ants = len(out.Lengths)
		e.buf[bTours] = emulate.Left(len(e.cities(make([]int32, e.n*e.ants))))
		e.buf[bResults] = emulate.Left(24 * (e.ants + 1))
		e.form.grow()
	}
	e.next.ItLo, e.next.ItHi, e.next.Ants = uint32(it), uint32(it>>32), int32(e.ants)
	e.act() // makes the tables
	kernel, blocks, warps := e.form.construct()
	if err := e.launch(kernel, blocks, warps); err != nil {
		return err
	}
	e.search()
	if e.broken != nil {
		e.broken(e)
	}
	if e.err != nil {
		return e.err
	}
	for k, r := range cooked(e.buf[bResults], make([]result, e.ants+1))[1:] {
		out.Lengths[k], out.Falls[k], out.Hashes[k] = r.Length, r.Falls, r.Hash
	}
	e.form.tell(out)
	return nil
}

// race is the form's construction of as/wrs and mmas/wrs.
func (e *emulated) race() (kernel string, blocks, warps int) {
	warps = max(1, e.warps)
	blocks = (e.ants + warps - 1) / warps
	switch {
	case e.wide || e.long:
		return "construct_plain_lists", blocks, warps
	case e.lone && e.far:
		return "construct_large", blocks, warps
	case e.lone:
		return "construct_shared", blocks, warps
	case e.far:
		return "likely_global", blocks, warps
	}
	return "likely_shared", blocks, warps
}

// lineOf is the line of a variant.
func lineOf(solver, variant string) *line {
	i := slices.IndexFunc(lines,
		func(l line) bool { return l.solver == solver && l.variant == variant })
	return &lines[i]
}

// onEmulator registers a variant on the emulator, under the name of a backend.
func onEmulator(backend, solver, variant string, open func(s *crew.Setup) (*emulated, error)) {
	b := lineOf(solver, variant).backend(backend)
	b.Open = func(s *crew.Setup) (crew.Crew, error) {
		e, err := open(s)
		if err != nil {
			return nil, err
		}
		return cpu.SearchOnHost(e, s), nil
	}
	solvers.Register(ants.On(b, solver, variant))
}

// change is applied to each new emulated crew.
var change = func(*emulated) {}

func init() {
	onEmulator("emulated", "mmas", "wrs",
		func(s *crew.Setup) (*emulated, error) { return onCPU(s, "wrs.cu") })
}

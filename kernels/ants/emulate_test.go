package ants

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"metalab/solvers"
	walkers "metalab/solvers/ants"
	"metalab/solvers/record"
)

// The kernels run here without a GPU: testdata/emulate.cc makes fibres of their threads.

// forCPU is what is replaced in a kernel's source, the rest being C++.
var forCPU = []struct {
	from *regexp.Regexp
	to   string
}{
	{regexp.MustCompile(`extern __shared__ (\w+) (\w+)\[\];`), "$1 *$2 = ($1 *)shared;"},
	{regexp.MustCompile(`(?s)asm volatile\("atom.*?"memory"\);`), "old = (*here)++;"},
	{regexp.MustCompile(`(?s)asm volatile\("red.*?"memory"\);`), "++*bar;"},
	{regexp.MustCompile(`(?s)asm volatile\("ld.*?"memory"\);`), "v = *bar, yield();"},
}

var emulators struct {
	sync.Mutex
	dir  string
	made map[string]string
}

// emulator compiles a source for the CPU, once.
func emulator(source string) (string, error) {
	cc, err := exec.LookPath("g++")
	if err != nil {
		return "", err
	}
	e := &emulators
	e.Lock()
	defer e.Unlock()
	if p := e.made[source]; p != "" {
		return p, nil
	}
	if e.dir == "" {
		if e.dir, err = os.MkdirTemp("", "emulate"); err != nil {
			return "", err
		}
		e.made = map[string]string{}
	}
	dir := filepath.Join(e.dir, source)
	stem, wide := strings.CutSuffix(strings.TrimSuffix(source, ".cu"), "_wide")
	if wide { // which only includes the other, after this definition
		text, err := os.ReadFile(source)
		if err != nil || !bytes.Contains(text, []byte("\n#define WIDE\n#include \""+stem+".cu\"\n")) {
			return "", fmt.Errorf("%s does not include %s.cu: %w", source, stem, err)
		}
	}
	headers, err := filepath.Glob("*.cuh")
	if err = errors.Join(err, os.MkdirAll(dir, 0o755)); err != nil {
		return "", err
	}
	for _, name := range append(headers, stem+".cu") {
		text, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		for _, r := range forCPU {
			text = r.from.ReplaceAll(text, []byte(r.to))
		}
		if name == stem+".cu" {
			name = "kernel.cu"
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return "", err
		}
	}
	program := filepath.Join(dir, "emulate")
	args := []string{"-std=c++17", "-O1", "-ffp-contract=off", "-w", "-I", dir, "-I", ".", "-o", program, "testdata/emulate.cc"}
	args = append(args, "-D"+strings.ToUpper(stem))
	if wide {
		args = append(args, "-DWIDE")
	}
	if out, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	e.made[source] = program
	return program, nil
}

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
	bMask
	bRing
	bOutTau
	bOutEta
	bOuts
	bHead
	bNotes
	bTally
	bMasks
	buffers
)

// emulated is a crew whose kernels the emulator runs. It does at once what it is asked.
type emulated struct {
	err     error // of the first launch that failed
	program string
	n, ants int
	warps   int
	wide    bool // city numbers have 32 bits
	lock    bool
	listed  int  // lockstep: edges that are on lists
	period  int  // lockstep: local_period
	far     bool // mmas: lists are not copied to shared memory
	long    bool // mmas: as with many cities
	remote  bool // the visited cities lie in global memory
	orders
	buf    [buffers][]byte
	local  emulatedLocal
	broken func(e *emulated) // changes results, to see who notices

	prepare func() error // in place of the kernel prepare, where that is another
}

func raw(v any) []byte {
	b, err := binary.Append(nil, binary.LittleEndian, v)
	if err != nil {
		panic(err)
	}
	return b
}

func cooked[T any](b []byte, v T) T {
	if _, err := binary.Decode(b, binary.LittleEndian, v); err != nil {
		panic(err)
	}
	return v
}

// cities are city numbers as the kernels have them.
func (e *emulated) cities(v []int32) []byte {
	if e.wide {
		return raw(v)
	}
	return raw(narrowed[uint16](v))
}

// numbers is the reverse of cities.
func (e *emulated) numbers(b []byte, v []int32) {
	if e.wide {
		cooked(b, v)
		return
	}
	widened(cooked(b, make([]uint16, len(v))), v)
}

func emulate(env *solvers.Env, g *walkers.Ground, source string) (*emulated, error) {
	program, err := emulator(source)
	if err != nil {
		return nil, err
	}
	sp := g.Space
	n := sp.N
	words := (n + 31) / 32
	e := &emulated{
		local: emulatedLocal{ground: g}, orders: newOrders(), program: program, n: n,
		lock: source == "lockstep.cu", wide: strings.HasSuffix(source, "_wide.cu"),
	}
	at, box := places(sp)
	e.buf[bSizes] = raw([]int32{int32(n), int32(sp.Metric), int32(g.K), int32(words)})
	e.buf[bAt], e.buf[bBox] = raw(at), raw(stacked(box, e.wide))
	e.buf[bID], e.buf[bExt] = e.cities(g.ID), e.cities(extended(g, e.wide))
	slots := n * walkers.Width
	e.buf[bTau], e.buf[bEta] = make([]byte, 4*slots), make([]byte, 4*slots)
	e.buf[bTable] = make([]byte, 4*slots)
	if e.lock {
		e.buf[bTable], e.buf[bCount], e.buf[bBar] = raw(links(g)), make([]byte, 8*slots), make([]byte, 4)
		numbers, listed := numbersOf(g)
		e.buf[bMask], e.buf[bOutTau], e.listed = raw(numbers), raw(g.Tops()), listed
		e.course()
		e.buf[bRing], e.buf[bRules] = raw(nowhere(n)), raw(ruleArg{})
	}
	for _, b := range []int{bAfter, bBefore, bBest, bRestart} {
		e.buf[b] = e.cities(make([]int32, n))
	}
	e.buf[bMark], e.buf[bOut] = make([]byte, 4*n), make([]byte, 16)
	e.buf[bKeys] = raw(roundKeys(env.Seed))
	change(e)
	return e, nil
}

func (e *emulated) launch(kernel string, blocks, warps int) error {
	if e.remote {
		e.buf[bMasks] = make([]byte, 4*e.ants*bitWords(e.n, e.wide))
	}
	e.buf[bJob] = raw(e.next)
	var in, out, why bytes.Buffer
	for _, b := range e.buf {
		in.Write(raw(int64(len(b))))
		in.Write(b)
	}
	cmd := exec.Command(e.program, kernel, fmt.Sprint(blocks), fmt.Sprint(warps))
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, &why
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("emulate %s: %w %s", kernel, err, why.String())
	}
	for i := range e.buf {
		var n int64
		if err := binary.Read(&out, binary.LittleEndian, &n); err != nil {
			return err
		}
		if _, err := io.ReadFull(&out, e.buf[i]); err != nil {
			return err
		}
	}
	e.polish(kernel)
	return nil
}

// act does what next asks for.
func (e *emulated) act() {
	e.next.Serial++
	want := e.next
	prepare := e.prepare
	if prepare == nil {
		prepare = func() error { return e.launch("prepare", (e.n*walkers.Width+63)/64, 2) }
	}
	e.err = errors.Join(e.err, e.launch("note", 1, 3), prepare())
	if e.lock {
		e.err = errors.Join(e.err, e.launch("pair", (e.n*walkers.Width+63)/64, 2))
	}
	if want.KeepBest >= 0 && e.err == nil {
		r := cooked(e.buf[bResults], make([]result, e.ants+1))
		if r[0].Falls != 0 || r[0].Length != r[1+want.KeepBest].Length {
			e.err = fmt.Errorf("the tour of ant %d has length %d, the note says %d and %d cities twice", want.KeepBest, r[1+want.KeepBest].Length, r[0].Length, r[0].Falls)
		}
	}
	e.fulfil()
}

func (e *emulated) Close() {}

func (e *emulated) SetTrails(tau []float32) error { e.buf[bTau] = raw(tau); return nil }

func (e *emulated) Trails(tau []float32) error { cooked(e.buf[bTau], tau); return nil }

func (e *emulated) kept(which walkers.Kept) int {
	if which == walkers.KeptBest {
		return bBest
	}
	return bRestart
}

func (e *emulated) SetKept(which walkers.Kept, tour []int32) error {
	e.buf[e.kept(which)] = e.cities(tour)
	return nil
}

func (e *emulated) Kept(which walkers.Kept, tour []int32) error {
	e.numbers(e.buf[e.kept(which)], tour)
	return nil
}

func (e *emulated) Keep(which walkers.Kept, ant int) { e.keep(which, ant) }

func (e *emulated) Tours(tours []int32) error {
	e.numbers(e.buf[bTours], tours)
	return nil
}

func (e *emulated) Look() (int64, uint64, error) {
	e.buf[bOut] = make([]byte, 16)
	err := e.launch("look", (e.n*walkers.Width+63)/64, 2)
	v := cooked(e.buf[bOut], make([]uint64, 2))
	return int64(v[0]), v[1], err
}

func (e *emulated) Warps(n int) { e.warps = n }

func (e *emulated) Walk(it int64, lengths []int64, falls []int32, hashes []uint64) error {
	if e.ants != len(lengths) {
		e.ants = len(lengths)
		e.buf[bTours], e.buf[bResults] = e.cities(make([]int32, e.n*e.ants)), make([]byte, 24*(e.ants+1))
	}
	e.next.ItLo, e.next.ItHi, e.next.Ants = uint32(it), uint32(it>>32), int32(e.ants)
	if e.lock {
		e.course()
	}
	e.act() // makes the tables
	warps := max(1, e.warps)
	kernel, blocks := "walk_near", (e.ants+warps-1)/warps
	switch {
	case e.lock:
		kernel, warps, blocks = "walk", e.ants+1+e.warps%3+1, 1 // one warp too many, and some that count
		if e.far {
			kernel, warps = "walk_far", e.ants+1
		}
	case e.wide || e.long:
		kernel = "walk_long"
	case e.far:
		kernel = "walk_far"
	}
	if err := e.launch(kernel, blocks, warps); err != nil {
		return err
	}
	if e.broken != nil {
		e.broken(e)
	}
	if e.err != nil {
		return e.err
	}
	for k, r := range cooked(e.buf[bResults], make([]result, e.ants+1))[1:] {
		lengths[k], falls[k], hashes[k] = r.Length, r.Falls, r.Hash
	}
	return nil
}

// emulatedMaxMin is an emulated crew of mmas/wrs.
type emulatedMaxMin struct{ *emulated }

func (e emulatedMaxMin) Weigh(alpha float64, inv float32, eta []float32) error {
	e.next.Alpha, e.next.Inv = alpha, inv
	if eta != nil {
		e.buf[bEta] = raw(eta)
	}
	return nil
}

func (e emulatedMaxMin) Reward(ant int, kept walkers.Kept, rate, add, lo, hi float32) {
	e.reward(ant, kept)
	e.next.Rate, e.next.Add, e.next.Lo, e.next.Hi = rate, add, lo, hi
	e.act()
}

func (e emulatedMaxMin) Fill(v float32) {
	e.next.Fill, e.next.Level = 1, v
	e.act()
}

// change is applied to each new emulated crew.
var change = func(*emulated) {}

func init() {
	solvers.Register(walkers.ReservoirVariant("emulated", func(env *solvers.Env, g *walkers.Ground) (walkers.MaxMinCrew, error) {
		e, err := emulate(env, g, "wrs.cu")
		return emulatedMaxMin{e}, err
	}))
	solvers.Register(walkers.LockstepVariant("emulated", func(env *solvers.Env, g *walkers.Ground) (walkers.LockstepCrew, error) {
		e, err := emulate(env, g, "lockstep.cu")
		return emulatedLockstep{e}, err
	}))
}

// emulations are compared with the CPU's code point by point: with ties, with lists that have
// ended, with cities too far for every list, with two and more groups of words.
var emulations = []trial{
	{Solver: "mmas", Variant: "wrs", Cities: 33, Metric: "EUC_2D", Spread: 1000, Iterations: 4, Params: params("ants", 5, "warps", 2, "alpha", 1.5)},
	{Solver: "mmas", Variant: "wrs", Cities: 230, Metric: "ATT", Spread: 40, Iterations: 2, Params: params("ants", 7, "candidates", 5, "deposit", "best", "warps", 3)},
	{Solver: "acs", Variant: "lockstep", Cities: 33, Metric: "EUC_2D", Spread: 1000, Iterations: 4, Params: params("ants", 5, "q0", 0.5)},
	{Solver: "acs", Variant: "lockstep", Cities: 230, Metric: "CEIL_2D", Spread: 40, Iterations: 2, Params: params("ants", 6, "candidates", 5, "local_period", 2, "local_search", "none")},
	{Solver: "acs", Variant: "lockstep", Cities: 64, Metric: "EUC_2D", Spread: 1000, Iterations: 6, Params: params("ants", 9, "q0", 0.9, "local_search", "oropt")},
	{Solver: "acs", Variant: "lockstep", Cities: 11, Metric: "EUC_2D", Spread: 500, Iterations: 10, Params: params("ants", 10, "candidates", 1, "q0", 0.5, "local_search", "none")},
	{Solver: "acs", Variant: "lockstep", Cities: 70, Metric: "ATT", Spread: 3000, Iterations: 7, Params: params("ants", 8, "candidates", 2, "q0", 0.9, "local_search", "none")},
	{Solver: "acs", Variant: "lockstep", Cities: 101, Metric: "EUC_2D", Spread: 300, Iterations: 7, Params: params("ants", 5, "candidates", 3, "q0", 0.5, "local_period", 3, "local_search", "none")},
}

// needEmulator skips a test where there is no compiler.
func needEmulator(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip("no g++")
	}
}

// TestEmulated runs the kernels' source without a GPU.
func TestEmulated(t *testing.T) {
	needEmulator(t)
	list := emulations
	if os.Getenv("METALAB_EMULATE") != "" { // slow
		list = append(slices.Clone(list),
			trial{Solver: "mmas", Variant: "wrs", Cities: 4300, Metric: "EUC_2D", Spread: 1e4, Iterations: 2, Params: params("ants", 2, "candidates", 4, "warps", 2)},
			trial{Solver: "mmas", Variant: "wrs", Cities: 1100, Metric: "CEIL_2D", Spread: 300, Iterations: 2, Params: params("ants", 3, "candidates", 4, "warps", 2)},
			trial{Solver: "acs", Variant: "lockstep", Cities: 1100, Metric: "ATT", Spread: 500, Iterations: 2, Params: params("ants", 4, "candidates", 4, "local_search", "none")},
			trial{Solver: "mmas", Variant: "thin", Cities: 1002, Metric: "CEIL_2D", Spread: 300, Iterations: 3, Params: params("ants", 140, "candidates", 4, "rho", 0.3)}, // an arrival that a rounding leaves ahead
		)
	}
	for i, c := range list {
		t.Run(c.String(), func(t *testing.T) {
			change = func(e *emulated) { e.far, e.long = i%3 == 1, i%3 == 2 }
			defer func() { change = func(*emulated) {} }()
			c.emulate(t, "emulated")
		})
		if c.Variant == "lockstep" { // the other way too
			t.Run(c.String()+" the other way", func(t *testing.T) {
				change = func(e *emulated) { e.far = i%3 != 1 }
				defer func() { change = func(*emulated) {} }()
				c.emulate(t, "emulated")
			})
		}
	}
}

// emulate compares a run of the emulator with the CPU's code, point by point.
func (c trial) emulate(t *testing.T, backend string) {
	t.Helper()
	inst := c.instance(t)
	a, b := c.open(t, backend, inst), c.open(t, "cpu", inst)
	for i := 1; i <= c.Iterations; i++ {
		p, q := step(t, a, 1), step(t, b, 1)
		if p.Digest != q.Digest || p.Best != q.Best || p.Mean != q.Mean || !slices.Equal(p.Measures, q.Measures) {
			t.Errorf("iteration %d: the kernels have %+v, the CPU %+v", i, p, q)
			part(t, a, b)
			return
		}
	}
	// What the kernels left is taken over by the CPU.
	f, err := a.Fork(t.Context(), solvers.Fork{Name: "f", Backend: "cpu"})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if p, q := step(t, f, 1), step(t, b, 1); p.Digest != q.Digest {
		t.Errorf("after a fork to the CPU: digest %x, want %x", p.Digest, q.Digest)
	}
}

// TestBrokenKernel lets one ant take two cities in the wrong order in iteration 3: Diff names
// iteration, ant and position.
func TestBrokenKernel(t *testing.T) {
	needEmulator(t)
	c := emulations[0]
	inst := c.instance(t)
	const ant, position = 3, 17
	change = func(e *emulated) {
		e.broken = func(e *emulated) {
			if e.next.ItLo != 3 {
				return
			}
			tours := cooked(e.buf[bTours], make([]uint16, e.ants*e.n))
			at := ant*e.n + position
			tours[at], tours[at+1] = tours[at+1], tours[at]
			e.buf[bTours] = raw(tours)
			r := cooked(e.buf[bResults], make([]result, e.ants+1))
			r[1+ant].Hash++
			e.buf[bResults] = raw(r)
		}
	}
	defer func() { change = func(*emulated) {} }()
	a, b := c.open(t, "emulated", inst), c.open(t, "cpu", inst)
	step(t, a, 4)
	step(t, b, 4)
	paper := func(r *solvers.Run) *record.Record {
		rec, err := r.Record(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return rec
	}
	d, err := solvers.Diff(t.Context(), paper(a), paper(b), inst)
	if err != nil || d.First == nil {
		t.Fatalf("%+v, %v", d, err)
	}
	t.Logf("%+v", *d.First)
	if d.First.Iter != 3 || d.First.Agent != ant || d.First.Position != position {
		t.Errorf("the difference is said to be %+v, want iteration 3, ant %d, position %d", *d.First, ant, position)
	}
}

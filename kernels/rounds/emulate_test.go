package rounds

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"metalab/datasets"
	"metalab/kernels/internal/emulate"
	"metalab/solvers"
	"metalab/solvers/arith"
	"metalab/solvers/rounds"
	"metalab/solvers/tours"
)

// emulateMain is the program that launches kernels.
const emulateMain = "testdata/emulate.cc"

// emulator compiles rounds.cu for the CPU, once; without a compiler the test is skipped.
func emulator(t testing.TB) *emulate.Program {
	t.Helper()
	return emulate.Source{File: "rounds.cu", Main: emulateMain}.For(t)
}

func TestMain(m *testing.M) { os.Exit(emulate.Main(m)) }

// TestLayout holds the Go structs to the kernels': the same fields' places and sizes, in the same
// order, and boards of the size that Go counts with.
func TestLayout(t *testing.T) {
	t.Parallel()
	emulator(t).Layout(t, emulateMain,
		emulate.Struct{Name: "job", Form: job{}},
		emulate.Struct{Name: "outcome", Form: rounds.Outcome{}},
		emulate.Struct{Name: "head", Form: struct {
			Length int64
			Hash   uint64
		}{}},
		emulate.Struct{Name: "board<false>", Form: boardBytes(false)},
		emulate.Struct{Name: "board<true>", Form: boardBytes(true)},
	)
}

// emulated runs an iteration of the kernel on chains, which it changes.
func emulated(
	t testing.TB, q *problem, j rounds.Job, multiprocessors int, chains [][]int32,
) []rounds.Outcome {
	t.Helper()
	l := q.shape(j, len(chains), multiprocessors)
	var in, tail bytes.Buffer
	put := func(v any) {
		tail.Reset()
		if err := binary.Write(&tail, binary.LittleEndian, v); err != nil {
			t.Fatal(err)
		}
		_ = binary.Write(&in, binary.LittleEndian, int64(tail.Len()))
		in.Write(tail.Bytes())
	}
	put(q.of(j))
	switch {
	case q.whole != nil:
		put(q.whole)
	case q.real != nil:
		put(q.real)
	default:
		put(q.matrix)
	}
	put(q.near)
	stride := int(q.job.Stride)
	all := make([]uint16, stride*len(chains))
	for a, c := range chains {
		for i, v := range c {
			all[a*stride+i] = uint16(v)
		}
	}
	put(all)
	// a round too many never ends
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	text, err := emulator(t).Run(ctx, in.Bytes(), l.kernel, fmt.Sprint(l.warps))
	if err != nil {
		t.Fatal(err)
	}
	r := bytes.NewReader(text)
	out := make([]rounds.Outcome, len(chains))
	if err := binary.Read(r, binary.LittleEndian, out); err != nil {
		t.Fatal(err)
	}
	if err := binary.Read(r, binary.LittleEndian, all); err != nil {
		t.Fatal(err)
	}
	for a, c := range chains {
		for i := range c {
			c[i] = int32(all[a*stride+i])
		}
	}
	return out
}

// spread draws n cities; metric and scale choose the plane.
func spread(t testing.TB, n int, metric datasets.Metric, scale float64) *datasets.TSP {
	t.Helper()
	r := arith.NewStream(uint64(n), 0, 0, 0)
	x, y := make([]float64, n), make([]float64, n)
	for i := range n {
		x[i], y[i] = scale*float64(r.IntN(1000)), scale*float64(r.IntN(1000))
	}
	in, err := datasets.NewTSP(fmt.Sprintf("spread%d", n), metric, x, y)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func twin(t testing.TB, in *datasets.TSP, neighbours, width int) *rounds.Problem {
	t.Helper()
	sp, err := tours.NewSpace(in)
	if err != nil {
		t.Fatal(err)
	}
	return &rounds.Problem{
		Space: sp, Near: sp.Nearest(neighbours), Seed: 0x123456789abcdef, Width: width,
		Env: &solvers.Env{Pool: solvers.NewPool(1)},
	}
}

// starts are random tours.
func starts(p *rounds.Problem, chains int) [][]int32 {
	out := make([][]int32, chains)
	for a := range out {
		r := arith.NewStream(p.Seed, 0, uint32(a), 1)
		out[a] = p.Space.Random(&r)
	}
	return out
}

// a trial is an instance and how it is searched, for the twins.
type trial struct {
	n                 int
	metric            datasets.Metric
	scale             float64
	neighbours, width int
	plane             string
}

var trials = []trial{
	{1, datasets.Euc2D, 1, 10, 32, "whole_plane"},
	{2, datasets.Euc2D, 1, 10, 32, "whole_plane"},
	{3, datasets.Euc2D, 1, 10, 32, "whole_plane"},
	{4, datasets.Ceil2D, 1, 10, 32, "real_plane"},
	{5, datasets.Euc2D, 1, 10, 32, "whole_plane"},
	{6, datasets.Man2D, 1, 10, 32, "matrix"},
	{7, datasets.Euc2D, 1, 10, 32, "whole_plane"},
	{8, datasets.Euc2D, 0.25, 10, 32, "real_plane"},
	{33, datasets.Euc2D, 1, 10, 32, "whole_plane"},
	{64, datasets.Euc2D, 1e4, 16, 7, "real_plane"},
	{97, datasets.Ceil2D, 1.5, 5, 32, "real_plane"},
	{97, datasets.Man2D, 1, 10, 32, "matrix"},
	{130, datasets.Att, 3, 8, 3, "real_plane"},
	{198, datasets.Euc2D, 1, 10, 32, "whole_plane"},
	{90, datasets.Euc2D, 0.004, 16, 32, "real_plane"}, // many equal distances
	{77, datasets.Man2D, 0.01, 10, 11, "matrix"},
}

// same fails where two engines made different things of a chain.
func same(
	t testing.TB, what string, got, want []rounds.Outcome, tour func(a int) ([]int32, []int32),
) {
	t.Helper()
	for a := range want {
		x, y := tour(a)
		if got[a] == want[a] && slices.Equal(x, y) {
			continue
		}
		at := 0
		for at < len(x) && x[at] == y[at] {
			at++
		}
		t.Fatalf(
			"%s, chain %d: %+v, want %+v; the tours part at position %d", what, a, got[a], want[a], at,
		)
	}
}

// The kernel's source, run on the CPU, does what its twin does: a descent, kicks with and
// without taking back; for every number of warps.
func TestEmulated(t *testing.T) {
	t.Parallel()
	emulator(t)
	for i, c := range trials {
		if testing.Short() && c.n > 40 {
			continue
		}
		p := twin(t, spread(t, c.n, c.metric, c.scale), c.neighbours, c.width)
		q, err := prepare(p)
		if err != nil {
			t.Fatal(err)
		}
		if q.plane != c.plane {
			t.Fatalf("%+v: the plane is %s", c, q.plane)
		}
		for r, warps := range []int{1 + i%3, 2 + i%11, 1 + (i+2)%12, 1 + (i+1)%3} {
			p.Or = r > 1
			q.or = p.Or
			t.Run(fmt.Sprintf(
				"%d %s insertions %v warps %d", c.n, q.plane, p.Or, warps,
			), func(t *testing.T) {
				const chains = 2
				mine := starts(p, chains)
				cpu, _ := rounds.NewCPU(p)
				if err := cpu.Load(mine); err != nil {
					t.Fatal(err)
				}
				want := make([]rounds.Outcome, chains)
				for _, j := range []rounds.Job{
					{Iter: 1, Descend: true},
					{Iter: 2, Kicks: 12, Size: 10},
					{Iter: 1<<40 + 3, Kicks: 9, Size: 50, Always: true},
				} {
					j.Warps, j.Lanes = warps, warps*i%24
					if err := cpu.Iterate(context.Background(), j, want); err != nil {
						t.Fatal(err)
					}
					got := emulated(t, q, j, i%2, mine)
					same(t, fmt.Sprintf("%+v", j), got, want, func(a int) ([]int32, []int32) {
						theirs := make([]int32, c.n)
						_ = cpu.Tour(a, theirs)
						return mine[a], theirs
					})
				}
			})
		}
	}
}

// Cities up to the limit are taken, one more is not.
func TestMaxCities(t *testing.T) {
	t.Parallel()
	for _, shared := range []int{
		0, 900, 1000, 1100, 48 << 10, 64 << 10, 163 << 10, 227 << 10, 1 << 20,
	} {
		for _, or := range []bool{false, true} {
			n, board := MaxCities(shared, or), boardBytes(or)
			if n > 0 && board+moreCities(n) > shared || n < math.MaxUint16 &&
				board+moreCities(n+1) <= shared {
				t.Errorf("%d bytes: %d cities", shared, n)
			}
			t.Logf("%d bytes, insertions %v: %d cities", shared, or, n)
		}
	}
}

// planeC compares the distance of whole coordinates with float64 around every root, with
// estimates as wrong as the GPU's may be.
const planeC = `
#include <math.h>
#include <stdint.h>
static int ulps;
static float wrong(float x) {
	float r = sqrtf(x);
	for (int i = 0; i < ulps; i++) r = nextafterf(r, 1e30f);
	for (int i = 0; i > ulps; i--) r = nextafterf(r, 0);
	return r;
}
#define ML_ROOT_APPROX wrong
#include "plane.h"
#include <stdio.h>
static int bad;
static void try(int dx, int dy) {
	int want = ml_dist(1, dx, dy), got = ml_dist_whole(dx, dy);
	if (got != want && bad++ < 5) printf("%d %d with %d ulps: %d, want %d\n", dx, dy, ulps, got, want);
}
int main(void) {
	uint64_t x = 88172645463325252ull;
	for (ulps = -2; ulps <= 2; ulps++) {
		for (int i = 0; i < 300; i++) for (int k = 0; k < 300; k++) try(i, -k);
		for (int i = 0; i < 46340; i++) try(i, 0);
		for (int i = 0; i < 300000; i++) {
			x ^= x << 13, x ^= x >> 7, x ^= x << 17;
			int dx = (int)(x & 32767);
			try(dx, (int)(x >> 40 & 32767) - (dx & 1 ? 0 : 32767));
			// A sum of squares next to (e + 1/2)^2, where rounding decides.
			double e = (double)(x >> 20 & 32767) + 0.5;
			double dy = floor(sqrt(e * e > (double)dx * dx ? e * e - (double)dx * dx : 0));
			try(dx, (int)dy);
			try(dx, -(int)dy - 1);
		}
	}
	return bad != 0;
}
`

func TestWholeDistances(t *testing.T) {
	t.Parallel()
	cc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "plane.c"), []byte(planeC), 0o600); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "plane")
	if out, err := exec.Command(
		cc, "-O2", "-ffp-contract=off", "-I.", "-o", program, filepath.Join(dir, "plane.c"), "-lm",
	).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command(program).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

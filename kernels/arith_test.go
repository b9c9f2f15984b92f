package kernels_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"metalab/datasets"
	"metalab/solvers/arith"
)

// arithC calls every function of arith.h on 64-byte inputs and writes 64-byte outputs.
const arithC = `
#include <stdio.h>
#include "arith.h"
typedef struct {
	uint64_t key; uint32_t ctr[4]; uint32_t u, slot; double x, y; float a, b, c; int metric;
} in_t;
typedef struct {
	uint32_t ph[4]; uint64_t mix; double e2, l2, pw, pi; float ex, fm; uint32_t rk; int d;
	float ck; uint32_t pw2;
} out_t;
_Static_assert(sizeof(in_t) == 64 && sizeof(out_t) == 80, "layout");
int main(void) {
	in_t v;
	while (fread(&v, sizeof v, 1, stdin) == 1) {
		out_t o;
		ml_u4 c = {v.ctr[0], v.ctr[1], v.ctr[2], v.ctr[3]};
		c = ml_philox(v.key, c);
		o.ph[0] = c.x; o.ph[1] = c.y; o.ph[2] = c.z; o.ph[3] = c.w;
		o.mix = ml_mix64(v.key);
		o.e2 = ml_exp2(v.x); o.l2 = ml_log2(v.y); o.pw = ml_pow(v.y, v.x);
		o.pi = ml_pow_int(v.x, (int)(v.u & 63));
		ml_u4 q = {v.ctr[0], v.ctr[1], v.ctr[2], v.ctr[3]};
		q = ml_philox_wide(ml_philox_wide(q, v.u, v.slot), v.slot, v.u);
		o.pw2 = q.x ^ q.y * 3 ^ q.z * 5 ^ q.w * 7; o.ck = ml_clock32(v.u);
		q.x = v.ctr[0], q.y = v.ctr[1], q.z = v.ctr[2], q.w = v.ctr[3];
		q = ml_philox_round(ml_philox_round(q, v.u, v.slot), v.slot, v.u);
		o.pw2 ^= q.x ^ q.y * 3 ^ q.z * 5 ^ q.w * 7;
		o.ex = ml_expo32(v.u); o.fm = ML_FMA32(v.a, v.b, v.c);
		o.rk = ml_race_key(o.ex, v.a < 0 ? -v.a : v.a, v.slot & 31);
		o.d = ml_dist(v.metric, (double)v.ctr[0] / 4096, (double)v.ctr[1] / 4096);
		fwrite(&o, sizeof o, 1, stdout);
	}
	return 0;
}
`

type arithIn struct {
	Key     uint64
	Ctr     [4]uint32
	U, Slot uint32
	X, Y    float64
	A, B, C float32
	Metric  int32
}

type arithOut struct {
	Philox         [4]uint32
	Mix            uint64
	E2, L2, Pw, Pi uint64
	Expo, FMA      uint32
	Key            uint32
	Dist           int32
	Clock          uint32
	Wide           uint32 // 0: both kinds of rounds give the same
}

// twin is what Go makes of the input.
func twin(t *testing.T, v arithIn) arithOut {
	t.Helper()
	metric := datasets.Metric(v.Metric)
	p, err := datasets.NewTSP(
		"two", metric, []float64{0, float64(v.Ctr[0]) / 4096}, []float64{0, float64(v.Ctr[1]) / 4096},
	)
	if err != nil {
		t.Fatal(err)
	}
	ex := arith.Expo32(v.U)
	return arithOut{
		Philox: arith.Philox4x32(v.Key, v.Ctr), Mix: arith.Mix64(v.Key),
		E2: math.Float64bits(arith.Exp2(v.X)), L2: math.Float64bits(arith.Log2(v.Y)),
		Pw: math.Float64bits(arith.Pow(v.Y, v.X)), Pi: math.Float64bits(arith.PowInt(v.X, int(v.U&63))),
		Expo: math.Float32bits(ex), FMA: math.Float32bits(arith.FMA32(v.A, v.B, v.C)),
		Key: arith.RaceKey(ex, float32(math.Abs(float64(v.A))), v.Slot&31), Dist: p.Dist(0, 1),
		Clock: math.Float32bits(arith.Clock32(v.U)),
	}
}

// inputs are edge cases of every function, then random ones.
func inputs(n int) []arithIn {
	rnd := rand.New(rand.NewPCG(1, 2))
	edgeU := []uint32{
		0, 1, 2, 3, 31, 32, 0x7FFFFFFF, 0x80000000, 0xAAAAAAAA, 0xAAAAAAAB, 0x55555555, 0x55555556,
		0xFFFFFFFE, 0xFFFFFFFF,
	}
	edgeX := []float64{
		0, 0.5, -0.5, 1, 2, -1, 3, 1023, 1023.5, 1024, -1022, -1022.5, 1e-300, math.Inf(1),
		math.Inf(-1), 0.4999999999999999,
	}
	edgeY := []float64{
		0, 1, 2, 0.5, math.Sqrt2, math.Nextafter(math.Sqrt2, 2), math.Nextafter(1, 0),
		math.Nextafter(1, 2), 0x1p-1074, 0x1p-1022, math.MaxFloat64, math.Inf(1),
	}
	edgeA := []float32{
		0, 1, -1, 0x1p-149, 0x1p-126, math.MaxFloat32, 1 + 0x1p-23, 1 - 0x1p-24, 3, 1e-20, -1e20,
	}
	metrics := []int32{int32(datasets.Euc2D), int32(datasets.Ceil2D), int32(datasets.Att)}
	out := make([]arithIn, n)
	for i := range out {
		v := arithIn{
			Key: rnd.Uint64(), Ctr: [4]uint32{rnd.Uint32(), rnd.Uint32(), rnd.Uint32(), rnd.Uint32()},
			U: rnd.Uint32() >> (rnd.Uint32() % 32), Slot: rnd.Uint32(),
			X: rnd.NormFloat64() * 20, Y: math.Exp(rnd.NormFloat64() * 40),
			A:      float32(rnd.NormFloat64() * math.Exp(rnd.NormFloat64()*10)),
			B:      float32(rnd.NormFloat64() * math.Exp(rnd.NormFloat64()*10)),
			C:      float32(rnd.NormFloat64() * math.Exp(rnd.NormFloat64()*10)),
			Metric: metrics[i%3],
		}
		if i%5 == 0 {
			v.C = -v.A * v.B // sums that cancel
		}
		if i%7 == 0 {
			v.Y = 1 + rnd.NormFloat64()*1e-9
		}
		if i < 2000 {
			v.U, v.X, v.Y = edgeU[i%len(edgeU)], edgeX[i%len(edgeX)], edgeY[i%len(edgeY)]
			v.A, v.B, v.C = edgeA[i%11], edgeA[i/11%11], edgeA[i/121%11]
			v.Ctr[0], v.Ctr[1] = uint32(i)*4096, uint32(i*i%97)*2048
		}
		out[i] = v
	}
	return out
}

// TestArithIsOneInTwoLanguages compares arith.h, compiled by a C compiler, with package
// solvers/arith, bit for bit.
func TestArithIsOneInTwoLanguages(t *testing.T) {
	t.Parallel()
	cc, err := exec.LookPath("gcc")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("no gcc: CI must compare the two languages")
		}
		t.Skip("no gcc to compile kernels/arith.h")
	}
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	in := inputs(200_000)
	var stdin bytes.Buffer
	if err := binary.Write(&stdin, binary.LittleEndian, in); err != nil {
		t.Fatal(err)
	}
	for _, flags := range [][]string{{"-O0"}, {"-O3"}, {"-O3", "-march=native"}} {
		dir := t.TempDir()
		src, bin := filepath.Join(dir, "a.c"), filepath.Join(dir, "a.out")
		if err := os.WriteFile(src, []byte(arithC), 0o600); err != nil {
			t.Fatal(err)
		}
		args := append([]string{
			"-std=c11", "-Wall", "-Werror", "-ffp-contract=off", "-I", here, "-o", bin, src, "-lm",
		}, flags...)
		if out, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		cmd := exec.Command(bin)
		cmd.Stdin = bytes.NewReader(stdin.Bytes())
		raw, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		rd := bufio.NewReader(bytes.NewReader(raw))
		for i := range in {
			var got arithOut
			if err := binary.Read(rd, binary.LittleEndian, &got); err != nil {
				t.Fatal(err)
			}
			if want := twin(t, in[i]); got != want {
				t.Fatalf("%v: input %d %+v:\nC  %+v\nGo %+v", flags, i, in[i], got, want)
			}
		}
	}
}

package tours

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// wideC compares the distances of wide.h with float64 around many roots, with estimates as wrong as
// the GPU's may be.
const wideC = `
#include <math.h>
#include <stdint.h>
static int ulps;
static float wrong(float x) {
	float r = sqrtf(x);
	for (int i = 0; i < ulps; i++) r = nextafterf(r, 1e30f);
	for (int i = 0; i > ulps && r > 0; i--) r = nextafterf(r, 0);
	return r;
}
#define ML_ROOT_APPROX wrong
#include "wide.h"
#include <stdio.h>
static int bad;
static void try(int dx, int dy) {
	for (int up = 0; up < 2; up++) {
		int want = ml_dist(up ? 3 : 1, dx, dy), got = ml_dist_wide(dx, dy, up);
		if (got != want && bad++ < 5)
			printf("%d %d up %d with %d ulps: %d, want %d\n", dx, dy, up, ulps, got, want);
	}
}
int main(void) {
	uint64_t x = 88172645463325252ull;
	for (ulps = -2; ulps <= 2; ulps++) {
		for (int i = 0; i < 200; i++) for (int k = 0; k < 200; k++) try(i, -k);
		for (int i = 1; i < 2000; i++) try(1048 * i, 0), try(0, -(1 << 21) + i);
		for (int i = 0; i < 200000; i++) {
			x ^= x << 13, x ^= x >> 7, x ^= x << 17;
			int bits = 1 + (int)(x >> 60), dx = (int)(x & 1048575) >> bits;
			try(dx, (int)(x >> 30 & 1048575) - 1000000);
			// Sums of squares next to (e + 1/2)^2 and e^2, where rounding decides.
			for (int half = 0; half < 2; half++) {
				double e = (double)(x >> 20 & 2097151) + half * 0.5;
				double dy = floor(sqrt(e * e > (double)dx * dx ? e * e - (double)dx * dx : 0));
				try(dx, (int)dy);
				try(dx, -(int)dy - 1);
			}
		}
	}
	return bad != 0;
}
`

func TestWideDistances(t *testing.T) {
	t.Parallel()
	cc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "wide.c"), []byte(wideC), 0o600); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "wide")
	if out, err := exec.Command(
		cc, "-O2", "-ffp-contract=off", "-I.", "-o", program, filepath.Join(dir, "wide.c"), "-lm",
	).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command(program).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

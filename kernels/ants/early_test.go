package ants

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// earlyC prints the first word whose bound is above the least clock, or in 2^23 steps none. Clocks
// fall with words, so of those with the same upper 23 bits the last has the least.
const earlyC = `
#include <stdio.h>
#include "early.h"
int main(void) {
	for (uint32_t top = 0; top < 1u << 23; top++)
		for (uint32_t low = 0; low < 512; low += 73) {
			const uint32_t u = top << 9 | low;
			if (!(early(u) >= 0 && early(u) <= 0.9905f * (EARLY * ml_expo32(u)) || early(u) == 0))
				return printf("%#x: %g, a clock of %g\n", u, early(u), ml_expo32(u)), 1;
		}
	return 0;
}
`

// TestEarly holds the bound by which clocks are passed over to all clocks.
func TestEarly(t *testing.T) {
	t.Parallel()
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc")
	}
	dir := t.TempDir()
	source, program := filepath.Join(dir, "early.c"), filepath.Join(dir, "early")
	if err := os.WriteFile(source, []byte(earlyC), 0o644); err != nil {
		t.Fatal(err)
	}
	build := exec.Command(gcc, "-O2", "-ffp-contract=off", "-I", ".", "-o", program, source, "-lm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command(program).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

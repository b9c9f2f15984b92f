package main

import (
	"os/exec"
	"testing"
)

// TestPython runs the tests of the magic of Python that need nothing beside it; .ci/release
// executes the guide's cells in ipykernel.
func TestPython(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	if out, err := exec.Command(python, "-B", "python/metalab_test.py").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

package bind_test

import (
	"testing"

	"metalab/kernel/eval/bind/binding"
)

// TestCurrent fails when a bound package has changed and its binding has not: run
// go generate ./kernel/eval/bind.
func TestCurrent(t *testing.T) {
	for file, path := range map[string]string{
		"lab_bind.go":    "metalab/kernel/lab",
		"stat_bind.go":   "gonum.org/v1/gonum/stat",
		"floats_bind.go": "gonum.org/v1/gonum/floats",
	} {
		if err := binding.Check(".", path, file); err != nil {
			t.Error(err)
		}
	}
}

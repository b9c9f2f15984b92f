package bind_test

import (
	"testing"

	"metalab/repl/bind/binding"
)

// TestCurrent fails when a bound package has changed and its binding has not: run
// go generate ./repl/bind.
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

package bind_test

import (
	"testing"

	"metalab/repl/bind/binding"
)

// TestLabIsCurrent fails when package lab has changed and its binding has not: run
// go generate ./repl/bind.
func TestLabIsCurrent(t *testing.T) {
	if err := binding.Check(".", "metalab/kernel/lab", "lab_bind.go"); err != nil {
		t.Error(err)
	}
}

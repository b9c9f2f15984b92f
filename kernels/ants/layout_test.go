package ants

import (
	"testing"

	"metalab/kernels/internal/emulate"
	"metalab/solvers/conform"
)

// structs are the Go forms of the kernels' structs, by source.
var structs = map[string][]emulate.Struct{
	"lockstep.cu": {
		{Name: "instance", Form: instanceArg{}},
		{Name: "keys", Form: keysArg{}},
		{Name: "job", Form: job{}},
		{Name: "result", Form: result{}},
		{Name: "rules", Form: rulesArg{}},
		{Name: "edge", Form: edge{}},
		{Name: "lockstep_args", Form: lockstepArg{}},
	},
	"alt.cu": {
		{Name: "candidate", Form: candidate{}},
		{Name: "memory", Form: memoryArg{}},
		{Name: "rules", Form: rulesArg{}},
	},
}

// TestLayout holds each Go struct to the kernels' one.
func TestLayout(t *testing.T) {
	conform.Brief(t, "two sources are compiled, ten seconds of a core")
	emulate.Need(t)
	for source, list := range structs {
		t.Run(source, func(t *testing.T) {
			p, err := emulator(source)
			if err != nil {
				t.Fatal(err)
			}
			p.Layout(t, emulateMain, list...)
		})
	}
}

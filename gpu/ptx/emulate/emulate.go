// Package emulate runs kernels that metalab/gpu/ptx has compiled where there is no GPU: an
// interpreter of the PTX, which is slow. It is for checks and tests of what launches such kernels.
package emulate

import (
	"metalab/gpu/cuda"
	"metalab/gpu/ptx"
	"metalab/gpu/ptx/internal/machine"
)

// A Memory holds the arrays of kernels.
type Memory struct{ m machine.Memory }

// Put makes b an array, and returns its address; kernels see and change its bytes.
func (m *Memory) Put(b []byte) (address uint64) { return m.m.Put(b) }

// A Program is a module that can be run.
type Program struct{ m *machine.Module }

// Load reads the PTX of a module.
func Load(m *ptx.Module) (*Program, error) {
	p, err := machine.Parse(m.PTX)
	if err != nil {
		return nil, err
	}
	return &Program{p}, nil
}

// Steps is how many instructions the threads of the program's kernels have run.
func (p *Program) Steps() int64 { return p.m.Steps }

// Run runs a kernel; args are its parameters in PTX, as words, the address of the error word too.
func (p *Program) Run(kernel string, s cuda.Shape, m *Memory, args []uint64) error {
	return p.m.Run(kernel, machine.Shape{Blocks: s.Blocks, Threads: s.Threads, Shared: s.Shared}, &m.m,
		args)
}

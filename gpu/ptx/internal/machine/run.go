package machine

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// Shape is how a kernel is launched.
type Shape struct {
	Blocks, Threads int
	Shared          int // bytes of dynamic shared memory
}

// A Memory is the global memory: arrays, each with its address.
type Memory struct {
	arrays [][]byte
	fixed  []bool // may not be written
	wrote  []bool
}

const (
	firstAddress = 1 << 40
	apart        = 1 << 34
)

// Put makes b an array; its bytes are what the kernel sees and changes.
func (m *Memory) Put(b []byte) (address uint64) {
	m.arrays = append(m.arrays, b)
	m.fixed, m.wrote = append(m.fixed, false), append(m.wrote, false)
	return uint64(firstAddress + apart*(len(m.arrays)-1))
}

func (m *Memory) at(address uint64, size int) ([]byte, int, error) {
	k := (address - firstAddress) / apart
	off := (address - firstAddress) % apart
	if address < firstAddress || k >= uint64(len(m.arrays)) ||
		off+uint64(size) > uint64(len(m.arrays[k])) {
		return nil, 0, fmt.Errorf("no array at %#x", address)
	}
	if address%uint64(size) != 0 {
		return nil, 0, fmt.Errorf("the address %#x is not aligned to %d", address, size)
	}
	return m.arrays[k][off : off+uint64(size)], int(k), nil
}

// MaxSteps is how many instructions a thread may run.
const MaxSteps = 20_000_000

// Run runs a kernel; args are its parameters, as words.
func (m *Module) Run(name string, s Shape, mem *Memory, args []uint64) error {
	e := m.entries[name]
	if e == nil {
		return fmt.Errorf("no entry %s", name)
	}
	if len(args) != len(e.params) {
		return fmt.Errorf("%d arguments, %s takes %d", len(args), name, len(e.params))
	}
	l := &launch{
		m: m, e: e, shape: s, mem: mem, params: map[string]uint64{}, symbols: map[string]uint64{},
	}
	for i, p := range e.params {
		l.params[p] = args[i]
	}
	for n, b := range m.tables {
		l.symbols[n] = mem.Put(b)
		mem.fixed[len(mem.fixed)-1] = true
	}
	for i := range mem.wrote {
		mem.wrote[i] = false
	}
	size := 0
	for n, a := range e.arrays {
		l.symbols[n] = a.at
		if a.space == "shared" {
			size = max(size, int(a.at)+a.size+16)
		} else {
			l.local = max(l.local, int(a.at)+a.size+16)
		}
	}
	for n := range m.dynamic {
		if strings.HasPrefix(n, name+"_dynamic") {
			l.symbols[n] = uint64(size)
		}
	}
	for b := range s.Blocks {
		l.shared = pattern(size + s.Shared)
		if err := l.block(b); err != nil {
			return err
		}
	}
	return nil
}

func pattern(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = 0xC3
	}
	return b
}

type launch struct {
	m       *Module
	e       *entry
	shape   Shape
	mem     *Memory
	params  map[string]uint64
	symbols map[string]uint64
	shared  []byte
	local   int
}

type thread struct {
	*launch
	block, tid int
	regs       []uint64
	set        []bool
	local      []byte
	pc         int
	steps      int
	done       bool
	waits      *instr // bar, vote or shfl
}

func (l *launch) block(b int) error {
	ts := make([]*thread, l.shape.Threads)
	for i := range ts {
		ts[i] = &thread{
			launch: l, block: b, tid: i, regs: make([]uint64, len(l.e.regs)),
			set: make([]bool, len(l.e.regs)), local: pattern(l.local),
		}
	}
	for {
		for _, t := range ts {
			if err := t.run(); err != nil {
				return fmt.Errorf("thread %d of block %d, line %d: %w", t.tid, b, t.where(), err)
			}
		}
		moved, alive, err := l.meet(ts)
		if err != nil {
			return fmt.Errorf("block %d: %w", b, err)
		}
		if !alive {
			for _, t := range ts {
				l.m.Steps += int64(t.steps)
			}
			return nil
		}
		if !moved {
			return fmt.Errorf("block %d: threads wait for others that never come", b)
		}
	}
}

func (t *thread) where() int {
	if t.pc < len(t.e.code) {
		return t.e.code[t.pc].line
	}
	return 0
}

// meet lets those go on that all wait for the same.
func (l *launch) meet(ts []*thread) (moved, alive bool, err error) {
	barrier := true
	for _, t := range ts {
		if !t.done {
			alive = true
			barrier = barrier && t.waits.parts[0] == "bar"
		}
	}
	if alive && barrier {
		for _, t := range ts {
			if !t.done {
				t.waits = nil
				t.pc++
			}
		}
		return true, true, nil
	}
	for w := 0; w < len(ts); w += 32 {
		lanes := ts[w:min(w+32, len(ts))]
		var in *instr
		same := true
		for _, t := range lanes {
			if t.done {
				continue
			}
			if in == nil {
				in = t.waits
			}
			same = same && t.waits == in
		}
		if in == nil || !same || in.parts[0] == "bar" {
			continue
		}
		if err := talk(in, lanes); err != nil {
			return false, true, err
		}
		moved = true
	}
	return moved, alive, nil
}

// talk is a vote or a shuffle of a warp.
func talk(in *instr, lanes []*thread) error {
	results := make([]uint64, len(lanes))
	mask := uint64(1)<<len(lanes) - 1
	ballot, all := uint64(0), true
	for i, t := range lanes {
		if t.done {
			continue
		}
		v, err := t.get(in.args[1])
		if err != nil {
			return err
		}
		if in.parts[0] == "vote" {
			ballot |= v & 1 << i
			all = all && v&1 != 0
		}
		m, err := t.get(in.args[len(in.args)-1])
		if err != nil {
			return err
		}
		if uint32(m) != uint32(mask) {
			return fmt.Errorf("line %d: the mask is %#x, the warp %#x", in.line, uint32(m), mask)
		}
	}
	for i, t := range lanes {
		if t.done {
			continue
		}
		switch {
		case in.parts[0] == "shfl":
			k, err := t.get(in.args[2])
			if err != nil {
				return err
			}
			if uint32(k) >= uint32(len(lanes)) {
				return fmt.Errorf("line %d: a shuffle from lane %d, which is not there", in.line, k)
			}
			if lanes[k].done { // what a GPU gives is not defined; the twin gives this
				k = uint64(i)
			}
			if results[i], err = lanes[k].get(in.args[1]); err != nil {
				return err
			}
		case in.parts[2] == "ballot":
			results[i] = ballot
		case in.parts[2] == "any":
			results[i] = bit(ballot != 0)
		default:
			results[i] = bit(all)
		}
	}
	for i, t := range lanes {
		if !t.done {
			t.put(in.args[0], results[i])
			t.waits = nil
			t.pc++
		}
	}
	return nil
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (t *thread) run() error {
	for !t.done && t.waits == nil {
		if t.pc >= len(t.e.code) {
			return errors.New("it runs beyond the end")
		}
		if t.steps++; t.steps > MaxSteps {
			return errors.New("it does not end")
		}
		in := t.e.code[t.pc]
		if in.guard >= 0 {
			if !t.set[in.guard] {
				return errors.New("the guard was not set")
			}
			if (t.regs[in.guard] != 0) == in.negated {
				t.pc++
				continue
			}
		}
		switch in.parts[0] {
		case "bar", "vote", "shfl":
			t.waits = in
			continue
		case "ret":
			t.done = true
			continue
		case "bra":
			t.pc = t.e.labels[in.args[0].name]
			continue
		}
		if err := t.exec(in); err != nil {
			return err
		}
		t.pc++
	}
	return nil
}

func (t *thread) get(o operand) (uint64, error) {
	switch o.kind {
	case 'r':
		if !t.set[o.reg] {
			return 0, errors.New("a register is read that was not set")
		}
		return t.regs[o.reg], nil
	case 'i':
		return o.bits, nil
	case 'v':
		return uint64(uint32(t.regs[o.reg])) | t.regs[o.reg2]<<32, nil
	}
	switch o.name {
	case "%tid.x":
		return uint64(t.tid), nil
	case "%ntid.x":
		return uint64(t.shape.Threads), nil
	case "%ctaid.x":
		return uint64(t.block), nil
	case "%nctaid.x":
		return uint64(t.shape.Blocks), nil
	case "%dynamic_smem_size":
		return uint64(t.shape.Shared), nil
	}
	if v, ok := t.params[o.name]; ok {
		return v, nil
	}
	if v, ok := t.symbols[o.name]; ok {
		return v, nil
	}
	return 0, fmt.Errorf("no symbol %s", o.name)
}

func (t *thread) put(o operand, v uint64) {
	switch o.class {
	case "%p":
		v = bit(v != 0)
	case "%r", "%f":
		v = uint64(uint32(v))
	}
	t.regs[o.reg], t.set[o.reg] = v, true
}

// memory is the bytes that an operand addresses.
func (t *thread) memory(in *instr, o operand, size int, write bool) ([]byte, error) {
	a, err := t.get(operand{kind: 'r', reg: o.reg})
	if err != nil {
		return nil, err
	}
	a += uint64(o.off)
	if in.parts[1] == "global" {
		b, k, err := t.mem.at(a, size)
		switch {
		case err != nil:
			return nil, err
		case write && t.mem.fixed[k]:
			return nil, errors.New("a table is written")
		case !write && in.parts[2] == "nc" && t.mem.wrote[k]:
			return nil, errors.New("an array that the kernel has written is read as if it did not change")
		}
		t.mem.wrote[k] = t.mem.wrote[k] || write
		return b, nil
	}
	s := t.shared
	if in.parts[1] == "local" {
		s = t.local
	}
	if a+uint64(size) > uint64(len(s)) || a+uint64(size) < a || a%uint64(size) != 0 {
		return nil, fmt.Errorf("the %s address %#x", in.parts[1], a)
	}
	return s[a : a+uint64(size)], nil
}

func sizeOf(t string) int {
	switch t[1:] {
	case "8":
		return 1
	case "16":
		return 2
	case "32":
		return 4
	}
	return 8
}

func read(b []byte, t string) uint64 {
	le := binary.LittleEndian
	switch t {
	case "u8":
		return uint64(b[0])
	case "s8":
		return uint64(int64(int8(b[0])))
	case "u16":
		return uint64(le.Uint16(b))
	case "s16":
		return uint64(int64(int16(le.Uint16(b))))
	}
	if len(b) == 4 {
		return uint64(le.Uint32(b))
	}
	return le.Uint64(b)
}

func write(b []byte, v uint64) {
	var w [8]byte
	binary.LittleEndian.PutUint64(w[:], v)
	copy(b, w[:])
}

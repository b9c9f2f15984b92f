package wire_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"metalab/kernel/wire"
)

// What is written is read back, whatever its size and parts.
func TestFrames(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		op := rapid.Byte().Draw(t, "op")
		parts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) []byte {
			return bytes.Repeat([]byte{rapid.Byte().Draw(t, "byte")},
				rapid.SampledFrom([]int{0, 1, 7, 1000, 1 << 15, 1<<16 - 5, 1 << 16, 1<<16 + 1, 3 << 20}).Draw(t,
					"length"))
		}), 0, 4).Draw(t, "parts")
		var b bytes.Buffer
		for range 2 {
			if err := wire.WriteFrame(&b, op, parts...); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			gotOp, body, err := wire.ReadFrame(&b)
			if err != nil || gotOp != op || !bytes.Equal(body, bytes.Join(parts, nil)) {
				t.Fatalf("op %d, %d bytes, %v", gotOp, len(body), err)
			}
		}
		if _, _, err := wire.ReadFrame(&b); err == nil {
			t.Fatal("a frame after the last")
		}
	})
}

func TestWorkerMessages(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		q := wire.WorkerStep{
			First: rapid.Int64().Draw(t, "first"), Count: rapid.Int64().Draw(t, "count"),
			Budget: rapid.Int64().Draw(t, "budget"), State: rapid.Bool().Draw(t, "state"),
		}
		if got, err := wire.ParseWorkerStep(q.Append(nil)); err != nil || got != q {
			t.Fatalf("%+v, %v", got, err)
		}
		m, n := rapid.IntRange(0, 3).Draw(t, "measures"), rapid.IntRange(0, 5).Draw(t, "points")
		s := wire.WorkerSteps{
			CPU: rapid.Int64().Draw(t, "cpu"), StateNS: 5, Measures: m, More: rapid.Bool().Draw(t, "more"),
			Points: rapid.SliceOfN(rapid.Float64(), n*(4+m), n*(4+m)).Draw(t, "numbers"),
			State:  rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"), Failed: []byte("x"),
			Best: rapid.SliceOf(rapid.Byte()).Draw(t, "best"), Later: rapid.Bool().Draw(t, "later"),
		}
		if n > 0 {
			s.Points[0] = math.Inf(-1)
		}
		got, err := wire.ParseWorkerSteps(s.Append(nil))
		if err != nil || !reflect.DeepEqual(got, s) {
			t.Fatalf("%+v, %v, want %+v", got, err, s)
		}
		b := wire.WorkerBest{Value: 3.5, Solution: rapid.SliceOf(rapid.Int32()).Draw(t, "solution")}
		if got, err := wire.ParseWorkerBest(b.Append(nil)); err != nil || got.Value != b.Value ||
			!bytes.Equal(got.Append(nil), b.Append(nil)) {
			t.Fatalf("%+v, %v", got, err)
		}
		head, err := wire.AppendHead(nil, map[string]int{"x": m})
		if err != nil {
			t.Fatal(err)
		}
		var x map[string]int
		if rest, err := wire.CutHead(append(head, 1, 2), &x); err != nil || len(rest) != 2 ||
			x["x"] != m {
			t.Fatal(rest, x, err)
		}
	})
}

// Whatever comes through the pipe, it is read or refused.
func FuzzWorkerMessages(f *testing.F) {
	f.Add(wire.WorkerStep{First: 1, Count: 2}.Append(nil))
	f.Add(wire.WorkerSteps{Measures: 1, Points: make([]float64, 10), State: []byte("s")}.Append(nil))
	f.Add(wire.WorkerBest{Solution: []int32{1, 2}}.Append(nil))
	head, _ := wire.AppendHead(nil, wire.WorkerInit{Name: "x"})
	f.Add(head)
	f.Fuzz(func(_ *testing.T, b []byte) {
		_, _ = wire.ParseWorkerStep(b)
		_, _ = wire.ParseWorkerSteps(b)
		_, _ = wire.ParseWorkerBest(b)
		_, _, _ = wire.ReadFrame(bytes.NewReader(b))
		var in wire.WorkerInit
		_, _ = wire.CutHead(b, &in)
	})
}

// A frame longer than any that is written is refused by its head, before anything of it is read.
func TestFrameTooLong(t *testing.T) {
	t.Parallel()
	for _, n := range []uint32{0, wire.MaxFrame + 1, math.MaxUint32} {
		head := append(binary.LittleEndian.AppendUint32(nil, n), 'h')
		_, _, err := wire.ReadFrame(bytes.NewReader(head))
		if err == nil || !strings.Contains(err.Error(), "want 1 to 1073741824") {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

// sizes counts what is written, and keeps nothing.
type sizes int

func (n *sizes) Write(b []byte) (int, error) {
	*n += sizes(len(b))
	return len(b), nil
}

// A frame of the greatest length is written, and of one that is a byte longer nothing is.
func TestFrameTooLongToWrite(t *testing.T) {
	t.Parallel()
	parts := slices.Repeat([][]byte{make([]byte, 1<<20)}, wire.MaxFrame>>20) // the same bytes
	last := len(parts) - 1
	parts[last] = parts[last][1:] // the letter of the frame has a byte
	var n sizes
	if err := wire.WriteFrame(&n, 'h', parts...); err != nil || n != wire.MaxFrame+4 {
		t.Errorf("the longest frame: %d bytes are written, %v", n, err)
	}
	n = 0
	err := wire.WriteFrame(&n, 'h', append(parts, []byte{1})...)
	if err == nil || n != 0 || !strings.Contains(err.Error(), "1073741825 bytes") {
		t.Errorf("a longer one: %d bytes are written, %v", n, err)
	}
}

package genetic

import (
	"context"
	"strings"
	"testing"

	"metalab/kernels/internal/emulate"
)

// TestClaims holds what an engine reserves against what it allocates then, and looks at what is
// said where a population has no room. The driver is none.
func TestClaims(t *testing.T) {
	if !emulate.OnFake(t) {
		return
	}
	image = func() ([]byte, error) { return emulate.FakeImage, nil }
	open := func(n int) *Engine {
		p := trial{n, 1, 1}.problem(t)
		e, err := NewEngine(p)
		if err != nil {
			t.Fatal(err)
		}
		return e.(*Engine)
	}
	const slack = 4 << 10 // buffers of a few bytes
	for _, n := range []int{1, 101, 4001} {
		e := open(n)
		check := func(births int) {
			t.Helper()
			h := e.Dev.Holding()
			// Room for births is claimed with the rows, of which there are more.
			least := h.Claimed - slack - int64(len(e.rows)-births)*(birthBytes+madeBytes)
			if h.Held > h.Claimed+slack || h.Held < least {
				t.Errorf("%d cities: %d bytes were asked for, and %d are held", n, h.Claimed, h.Held)
			}
		}
		for _, rows := range []int{6, 48, 33, 50} {
			if err := e.Room(rows, 0); err != nil {
				t.Fatal(err)
			}
			w, err := e.wayOf(rows/2, 0)
			if err != nil {
				t.Fatal(err)
			}
			if err := e.Dev.Do(context.Background(), func() error {
				return e.settle(rows/2, w.bytes(n), rows > 33)
			}); err != nil {
				t.Fatal(err)
			}
			check(e.births.far.Len())
		}
		e.Close()
		if h := e.Dev; h != nil {
			t.Error("the device is still open")
		}
	}
	e := open(20000)
	defer e.Close()
	err := e.Room(2048, 2048)
	if err == nil || !strings.Contains(err.Error(), "there is room for population=") {
		t.Errorf("a population that does not fit: %v", err)
	}
	if err := e.Room(20, 0); err != nil {
		t.Errorf("after that: %v", err)
	}
	// What births need is claimed with the room for them.
	if err := e.Room(40, 20); err != nil {
		t.Fatal(err)
	}
	before := e.Dev.Holding().Claimed
	if err := e.Dev.Do(context.Background(), func() error {
		return e.settle(20, e.most(20), false)
	}); err != nil {
		t.Fatal(err)
	}
	if h := e.Dev.Holding(); h.Claimed > before {
		t.Errorf("%d bytes are claimed for births, after %d with the room for them", h.Claimed, before)
	}
	t.Log(err)
}

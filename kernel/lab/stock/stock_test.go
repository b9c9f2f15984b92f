package stock

import (
	"testing"

	"metalab/kernel/reply"
	"metalab/solvers/record"
)

// A widget stands where its parameter does, its ends are those of the range, and what it sets is a
// value of it.
func TestControls(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		p     reply.Param
		at    int
		last  int
		value map[int]record.Value
	}{
		{
			reply.Param{Type: "float", Value: record.Num(0.98), Min: 0, Max: 1},
			980, 1000,
			map[int]record.Value{0: record.Num(0), 123: record.Num(0.123), 1000: record.Num(1)},
		},
		{
			reply.Param{Type: "float", Value: record.Num(2), Min: 1, Max: 5, Step: 0.5},
			2, 8,
			map[int]record.Value{3: record.Num(2.5), 8: record.Num(5), 9: record.Num(5)},
		},
		{
			reply.Param{Type: "int", Value: record.Num(10), Min: 1, Max: 65536},
			9, 65535,
			map[int]record.Value{0: record.Num(1), 65535: record.Num(65536), -1: record.Num(1)},
		},
		{
			reply.Param{Type: "int", Value: record.Num(0), Min: 0, Max: 1e9},
			0, 1000,
			map[int]record.Value{1: record.Num(1e6), 1000: record.Num(1e9)},
		},
		{
			reply.Param{Type: "truth", Value: record.Bool(true)},
			1, 1,
			map[int]record.Value{0: record.Bool(false), 1: record.Bool(true)},
		},
		{
			reply.Param{Type: "enum", Value: record.Text("b"), Options: []string{"a", "b", "c"}},
			1, 2,
			map[int]record.Value{0: record.Text("a"), 2: record.Text("c"), 3: record.Text("c")},
		},
	} {
		got, ok := controlOf(c.p)
		if last := max(got.most, len(got.words)-1); !ok || got.at != c.at || last != c.last {
			t.Errorf("%+v: at %d of %d, want %d of %d", c.p, got.at, last, c.at, c.last)
		}
		for at, want := range c.value {
			if v := got.value(at); v != want {
				t.Errorf("%+v: at %d it is %v, want %v", c.p, at, v, want)
			}
		}
	}
	moved := make(chan int, 3)
	moved <- 5
	moved <- 7
	if at := settled(1, moved); at != 7 {
		t.Errorf("a drag to 7 ends at %d", at)
	}
	close(moved)
	if at := settled(3, moved); at != 3 {
		t.Errorf("a widget that is gone stands at %d, want 3", at)
	}
	if _, ok := controlOf(reply.Param{Type: "float", Value: record.Num(1), Min: 2, Max: 2}); ok {
		t.Error("a parameter without a range has a slider")
	}
}

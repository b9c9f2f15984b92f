package fault_test

import (
	"testing"

	"metalab/solvers/fault"
)

type list []int

func (l list) at(i int) int { return l[i] }

func where(f func(), callers ...string) (fn string, line int) {
	defer func() {
		recover()
		fn, line = fault.Place(callers...)
	}()
	f()
	return "", 0
}

func TestPlace(t *testing.T) {
	t.Parallel()
	fn, line := where(func() { list{}.at(3) })
	if fn != "fault_test.list.at" || line != 11 {
		t.Errorf("an index: %s, line %d", fn, line)
	}
	if fn, _ := where(func() { panic("own") }); fn != "fault_test.TestPlace.func2" {
		t.Errorf("a panic: %s", fn)
	}
	fn, _ = where(func() { list{}.at(3) }, "metalab/solvers/fault_test")
	if fn != "testing.tRunner" {
		t.Errorf("but for this package: %s", fn)
	}
}

package own

import (
	"fmt"
	"strings"

	"metalab/solvers/fault"
)

// A Fault is an error or a panic of somebody's code.
type Fault struct {
	Text  string // one line
	Where string // the function, as "(*Knapsack).Delta"; empty where it is not known
	Line  int    // of the program's source
}

// Error is the fault less its place in the source.
func (f *Fault) Error() string {
	if f.Where == "" {
		return f.Text
	}
	return f.Text + ", in " + f.Where
}

// Place is the fault with its place apart.
func (f *Fault) Place() (text, where string, line int) { return f.Text, f.Where, f.Line }

// faultOf is what a deferred function has recovered.
func faultOf(x any) *Fault {
	if f, ok := x.(*Fault); ok {
		return f
	}
	f := &Fault{Text: strings.Join(strings.Fields(fmt.Sprintf("panic: %v", x)), " ")}
	f.Where, f.Line = fault.Place("metalab/solvers/own", "metalab/solvers/moves",
		"metalab/solvers/recombine", "metalab/solvers/anneal", "metalab/solvers/threshold")
	return f
}

// Guard carries f out and returns the fault where it panics.
func (p *Problem) Guard(f func()) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = faultOf(x)
		}
	}()
	f()
	return nil
}

// Keep is deferred around code that calls somebody's: where that panics, it keeps the fault for
// Fault, and goes on panicking with it.
func (p *Problem) Keep() {
	if x := recover(); x != nil {
		f := faultOf(x)
		p.fault.CompareAndSwap(nil, f)
		panic(f)
	}
}

// Fault returns the first fault since the last call, nil where there was none.
func (p *Problem) Fault() *Fault { return p.fault.Swap(nil) }

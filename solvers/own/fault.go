package own

import (
	"fmt"
	"strings"

	"metalab/solvers/fault"
)

// A Fault is an error or a panic of a user's code.
type Fault struct {
	Text  string // one line
	Where string // the function, such as "(*Knapsack).Delta"; empty if unknown
	Line  int    // of the program's source
}

// Error returns the fault without its place in the source.
func (f *Fault) Error() string {
	if f.Where == "" {
		return f.Text
	}
	return f.Text + ", in " + f.Where
}

// Place returns the fault and its place separately.
func (f *Fault) Place() (text, where string, line int) { return f.Text, f.Where, f.Line }

// faultOf is what a deferred function has recovered.
func faultOf(x any) *Fault {
	if f, ok := x.(*Fault); ok {
		return f
	}
	f := &Fault{Text: strings.Join(strings.Fields(fmt.Sprintf("panic: %v", x)), " ")}
	f.Where, f.Line = fault.Place("metalab/solvers/own", "metalab/solvers/moves",
		"metalab/solvers/recombine", "metalab/solvers/anneal", "metalab/solvers/threshold",
		"metalab/solvers/cmaes")
	return f
}

// Guard calls f and returns the fault if f panics.
func (p *Problem) Guard(f func()) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = faultOf(x)
		}
	}()
	f()
	return nil
}

// Keep stores the fault of a panic for Fault, and panics on. Defer it around calls of a user's
// code.
func (p *Problem) Keep() {
	if x := recover(); x != nil {
		f := faultOf(x)
		p.fault.CompareAndSwap(nil, f)
		panic(f)
	}
}

// Fault returns the first fault since the last call, nil if there was none.
func (p *Problem) Fault() *Fault { return p.fault.Swap(nil) }

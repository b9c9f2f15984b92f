package lab

import (
	"fmt"
	"os"
	"reflect"
	"strings"

	"metalab/kernel/lab/front"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// A Drawing is a picture of a solution, in the units of its axes. The method Plot of your own
// problem returns one, and plot a solution draws it on screens, in notebooks and into files.
//
//	func (f *FlowShop) Plot(order []int32) *lab.Drawing {
//		d := &lab.Drawing{X: "time", Y: "machine"}
//		d.Bar(0, 1, 7, 1.8, 3) // from (0, 1) to (7, 1.8), in colour 3
//		return d
//	}
//
// Bar, Line, Dots and Text add shapes, with at most 200,000 places in total.
type Drawing = record.Drawing

// A ProblemOption describes the solutions of your own problem, or which values are better; see
// DeclareProblem.
type ProblemOption func(*record.Form)

// Bits declares solutions of n bits, x []uint8 of 0 and 1: n from 1 to 2^20. Neighbourhoods are
// hamming1, hamming2 and hamming3, which flip one, two or three bits.
func Bits(n int) ProblemOption {
	return func(f *record.Form) { f.Kind, f.N = record.FormBits, n }
}

// Permutation declares solutions p []int32 that hold each number from 0 to n-1 once, n from 1 to
// 2^20. Neighbourhoods are swap, insertion, reverse and 3exchange.
func Permutation(n int) ProblemOption {
	return func(f *record.Form) { f.Kind, f.N = record.FormPermutation, n }
}

// Values declares solutions x []int32 of n numbers from 0 to k-1, k from 2. Neighbourhoods are
// change (an entry gets another value) and swap.
func Values(n, k int) ProblemOption {
	return func(f *record.Form) { f.Kind, f.N, f.K = record.FormValues, n, k }
}

// Reals declares solutions x []float64 of n numbers from low to high. Neighbourhoods are ball,
// random points in concentric crowns around a solution, wide, with four times the radius, and
// gauss, steps whose numbers are normal deviates with the radius as standard deviation.
func Reals(n int, low, high float64) ProblemOption {
	return func(f *record.Form) { f.Kind, f.N, f.Low, f.High = record.FormReals, n, low, high }
}

// Minimise declares that smaller values are better, which is the default; Maximise that greater
// ones are. Everything that shows a run shows values, and best>=… ends a step of a maximised run. A
// search minimises costs: records hold costs, the negatives of the values, and say so ("maximise"
// of the instance).
var (
	Minimise ProblemOption = func(f *record.Form) { f.Maximise = false }
	Maximise ProblemOption = func(f *record.Form) { f.Maximise = true }
)

// BestKnown declares the best known value, and its source: gaps and targets refer to it.
func BestKnown(value float64, source string) ProblemOption {
	return func(f *record.Form) { f.BestKnown, f.Source = &value, source }
}

// DeclareProblem registers your own problem in the session under a name. lab.Load(name) returns its
// instance, on which tabu, hill, vnd, anneal, threshold, ils and ga run, and cmaes on real numbers,
// with all features of runs.
// make returns a new value of a type with the method Cost:
//
//	type Knapsack struct {
//		Weight, Value []int64
//		Capacity      int64
//		Penalty       float64 `param:"penalty,0..1000" doc:"what a unit of weight too much costs"`
//	}
//
//	func (k *Knapsack) Cost(x []uint8) int64          // the value of the whole solution
//	func (k *Knapsack) Delta(x []uint8, i int) int64  // optional: its change if bit i is flipped
//
//	lab.DeclareProblem("knapsack", func() any { return newKnapsack() }, lab.Bits(1000), lab.Maximise)
//	a := lab.Open("a", "tabu", lab.Load("knapsack"), lab.With("walks", 8))
//
// Values are int64, exact up to 2^53, or float64. One of Bits, Permutation, Values and Reals must
// be among the options; go doc metalab/solvers/own lists the optional methods of each: a Delta for
// each neighbourhood, and Load, Apply, ApplySwap and SwappedRow, which maintain data for deltas in
// the fields. Without a Delta, Cost evaluates a neighbour. Each value serves one goroutine at a
// time, and DeclareProblem calls make for each of them, so make must return an equal value each
// time. CheckProblem compares deltas with costs.
//
// Fields with the tag param are parameters of the problem, like those of a [Solver]: set changes
// them during a run, and the journal records it. The run then computes the values of all solutions
// again, also of the best, so the best may become worse at that iteration.
//
// Solvers from Declare search on it too; see [Problem.Own] and [Problem.Walk].
//
// The searches run in a process compiled from the declarations that the problem uses, directly or
// not, and nothing else, so not from the variables of a function; where Go is interpreted,
// variables of plain data go along with their present values. It may use standard packages and
// metalab's. Another source under the same name is another instance, and open runs keep their old
// one. Records hold the source.
//
// Errors: a method with wrong arguments or results, a constructor that panics, source that does not
// compile, a name that an instance or a solver has already.
func DeclareProblem(name string, make func() any, options ...ProblemOption) *reply.DeclareReply {
	if make == nil {
		fail(&Error{wire.CodeRequest, "lab: DeclareProblem: no constructor, as func() any { return " +
			"&Knapsack{…} }"})
	}
	if w := os.Getenv(wire.EnvWorker); w != "" {
		if s := front.Server(); w == name && s != nil {
			serving = true
			s(declaredProblem(name, make, options))
		}
		besides(name, func() front.Problem { return declaredProblem(name, make, options) })
		return &reply.DeclareReply{Solver: name} // another one: its worker is another process
	}
	q := wire.DeclareRequest{Solver: name, Problem: true}
	if f := front.Get().DeclareProblem; f != nil {
		var err error
		q, err = f(name)
		check(err)
	} else if q.Source, q.Line = sourceOf(make); len(q.Source) == 0 {
		fail(&Error{wire.CodeFile, "lab: DeclareProblem: the source of this program cannot be read, " +
			"and the process that searches is compiled of it"})
	}
	var r reply.DeclareReply
	ask("declare", q, &r)
	return &r
}

// CheckProblem tests a problem on random moves of all its neighbourhoods: the deltas against the
// costs, Cost against itself, and the CPU against the kernels compiled from the methods (on a GPU,
// or else interpreted, with fewer moves). It names the first difference. It fails with the error
// that the verb check shows at the prompt.
func CheckProblem(name string) *reply.CheckReply {
	var r reply.CheckReply
	ask("check", wire.CheckRequest{Problem: name}, &r)
	return &r
}

// declaredProblem returns the problem that a worker serves.
func declaredProblem(name string, make func() any, options []ProblemOption) front.Problem {
	p := front.Problem{Name: name, Make: make}
	for _, o := range options {
		if o != nil {
			o(&p.Form)
		}
	}
	if p.Form.Kind == "" {
		p.Refused = "none of the options says how a solution is written: lab.Bits(n), " +
			"lab.Permutation(n), lab.Values(n, k) or lab.Reals(n, low, high)"
		return p
	}
	if err := p.Form.Check(); err != nil {
		p.Refused = err.Error()
		return p
	}
	// A panic comes again when the problem is opened, which reports it.
	_ = (&worker{}).Caught(func() error {
		if v := make(); v == nil {
			p.Refused = "the constructor returns nil"
		} else if params, _, err := problemParams(v); err != nil {
			p.Refused = err.Error()
		} else {
			p.Params = params
		}
		return nil
	})
	p.Set = func(v any, vs record.Values) {
		params, fields, err := problemParams(v)
		if err != nil {
			return // another type than at the first call: nothing of it is set
		}
		for i, q := range params {
			if w, ok := vs[q.Name]; ok {
				setField(fields[i], q, w)
			}
		}
	}
	return p
}

// problemParams reads the fields with the tag param.
func problemParams(v any) (params []record.Param, fields []reflect.Value, err error) {
	r := reflect.ValueOf(v)
	if r.Kind() != reflect.Pointer || r.IsNil() || r.Elem().Kind() != reflect.Struct {
		if t := reflect.TypeOf(v); t.Kind() == reflect.Struct {
			for i := range t.NumField() {
				if _, ok := t.Field(i).Tag.Lookup("param"); ok {
					return nil, nil, fmt.Errorf("the constructor returns a %s with parameters, want a "+
						"pointer to one", strings.TrimPrefix(t.String(), "main."))
				}
			}
		}
		return nil, nil, nil
	}
	var look func(v reflect.Value) error
	look = func(v reflect.Value) error {
		for i := range v.NumField() {
			f, fv := v.Type().Field(i), open(v.Field(i))
			if f.Anonymous && f.Type.Kind() == reflect.Struct && f.Tag == "" {
				if err := look(fv); err != nil {
					return err
				}
				continue
			}
			tag, ok := f.Tag.Lookup("param")
			if !ok {
				continue
			}
			p, err := paramOf(tag, f, fv)
			if err != nil {
				return fmt.Errorf("field %s: %w", f.Name, err)
			}
			if p.Class == record.Schedule {
				return fmt.Errorf("field %s: parameter %s of a problem is live or structural: it changes "+
					"results", f.Name, p.Name)
			}
			for _, o := range params {
				if o.Name == p.Name {
					return fmt.Errorf("two parameters are called %s", p.Name)
				}
			}
			params, fields = append(params, p), append(fields, fv)
		}
		return nil
	}
	return params, fields, look(r.Elem())
}

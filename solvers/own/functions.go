package own

import (
	"fmt"
	"reflect"

	"metalab/solvers/record"
)

// value is the type of a cost.
type value interface{ int64 | float64 }

// Functions holds the methods of a value of a user's type, nil for missing ones. Their results are
// values of the objective.
type Functions struct {
	Whole bool // costs are whole numbers

	Bits   Bits
	Vector Vector
	Cost   func(x []float64) float64 // of real numbers

	Plot func(s record.Solution) *record.Drawing

	Moves func() int // of the user's own neighbourhood
}

// Bits holds the methods on bits.
type Bits struct {
	Cost   func(x []uint8) float64
	Delta  func(x []uint8, i int) float64
	Delta2 func(x []uint8, i, j int) float64
	Delta3 func(x []uint8, i, j, k int) float64
	Apply  func(x []uint8, i int)
	Load   func(x []uint8)
	Move   func(x []uint8, k int)         // of the user's own neighbourhood
	ByMove func(x []uint8, k int) float64 // DeltaMove

	// Whole is the type's own Delta, if its values are whole numbers; never negated. A scan of single
	// bits calls nothing else.
	Whole interface{ Delta(x []uint8, i int) int64 }
}

// Vector holds the methods on values and permutations.
type Vector struct {
	Cost    func(x []int32) float64
	Delta   func(x []int32, i int, v int32) float64
	Swap    func(x []int32, i, j int) float64
	Insert  func(x []int32, i, j int) float64
	Reverse func(x []int32, i, j int) float64
	Cycle   func(x []int32, i, j, k int) float64
	Apply   func(x []int32, i int, v int32)
	Swapped func(x []int32, i, j int)    // ApplySwap
	Row     func(x []int32, i, j, k int) // SwappedRow
	Load    func(x []int32)
	Move    func(x []int32, k int)         // of the user's own neighbourhood
	ByMove  func(x []int32, k int) float64 // DeltaMove

	// WholeSwap and WholeInsert are the type's own DeltaSwap and DeltaInsert, if their values are
	// whole numbers; never negated. Scans of these neighbourhoods call nothing else.
	WholeSwap interface {
		DeltaSwap(x []int32, i, j int) int64
	}
	WholeInsert interface {
		DeltaInsert(x []int32, i, j int) int64
	}
}

// known are the names that a method may have on each form.
var known = map[string][]string{
	record.FormBits: {
		"Cost", "Delta", "Delta2", "Delta3", "Apply", "Load", "Plot", "Moves", "Move", "DeltaMove",
	},
	record.FormValues: {
		"Cost", "Delta", "DeltaSwap", "Apply", "Load", "Plot", "Moves", "Move", "DeltaMove",
	},
	record.FormPermutation: {
		"Cost", "DeltaSwap", "DeltaInsert", "DeltaReverse", "DeltaCycle", "ApplySwap", "SwappedRow",
		"Load", "Plot", "Moves", "Move", "DeltaMove",
	},
	record.FormReals: {"Cost", "Plot"},
}

// all are the names that mean something on some form.
var all = []string{
	"Cost", "Delta", "Delta2", "Delta3", "DeltaSwap", "DeltaInsert", "DeltaReverse", "DeltaCycle",
	"Apply", "ApplySwap", "SwappedRow", "Load", "Plot", "Moves", "Move", "DeltaMove",
}

// FunctionsOf finds the methods of v on solutions of a form. The error names a method with wrong
// arguments or results, or one with a name that the form does not know.
func FunctionsOf(v any, form record.Form) (Functions, error) {
	f := Functions{}
	if v == nil {
		return f, fmt.Errorf("the constructor returns nil")
	}
	var whole, real bool
	switch form.Kind {
	case record.FormBits:
		f.Bits, whole = bitsOf[int64](v)
		if !whole {
			f.Bits, real = bitsOf[float64](v)
		}
	case record.FormReals:
		if c, ok := v.(interface{ Cost(x []float64) float64 }); ok {
			f.Cost, real = c.Cost, true
		} else if c, ok := v.(interface{ Cost(x []float64) int64 }); ok {
			f.Cost, whole = func(x []float64) float64 { return float64(c.Cost(x)) }, true
		}
	default:
		f.Vector, whole = vectorOf[int64](v)
		if !whole {
			f.Vector, real = vectorOf[float64](v)
		}
	}
	f.Whole, f.Plot = whole, plotOf(v, form)
	if !whole && !real {
		return f, fmt.Errorf("%T has no method Cost(x %s) int64, nor one that returns a float64: that "+
			"is the value of a solution of %v", v, sliceOf(form), form)
	}
	if m, ok := v.(interface{ Moves() int }); ok && form.Kind != record.FormReals {
		f.Moves = m.Moves
	}
	if err := f.misfit(v, form); err != nil {
		return f, err
	}
	return f, f.moving(v)
}

// moving tells what a neighbourhood of one's own lacks.
func (f *Functions) moving(v any) error {
	b, x := f.Bits, f.Vector
	move := b.Move != nil || x.Move != nil
	switch {
	case f.Moves == nil && (move || b.ByMove != nil || x.ByMove != nil):
		return fmt.Errorf("%T has a method Move or DeltaMove, and no Moves() int, which says how many "+
			"moves there are", v)
	case f.Moves != nil && !move:
		return fmt.Errorf("%T has a method Moves, and no Move(x, k int), which makes move k on x", v)
	case move && (b.Apply != nil && b.Load == nil || x.Apply != nil && x.Load == nil):
		return fmt.Errorf("%T has the methods Move and Apply, and no Load, which is called after Move", v)
	case (x.Swapped != nil || x.Row != nil) && x.Load == nil:
		name := "ApplySwap"
		if x.Row != nil {
			name = "SwappedRow"
		}
		return fmt.Errorf("%T has a method %s, and no Load, which is called after all other moves", v,
			name)
	}
	return nil
}

// plotOf is the method Plot, nil where there is none that fits the form.
func plotOf(v any, form record.Form) func(s record.Solution) *record.Drawing {
	switch form.Kind {
	case record.FormBits:
		if p, ok := v.(interface {
			Plot(x []uint8) *record.Drawing
		}); ok {
			return func(s record.Solution) *record.Drawing { return p.Plot(Flags(s.Bits)) }
		}
	case record.FormReals:
		if p, ok := v.(interface {
			Plot(x []float64) *record.Drawing
		}); ok {
			return func(s record.Solution) *record.Drawing { return p.Plot(s.Real) }
		}
	default:
		if p, ok := v.(interface {
			Plot(x []int32) *record.Drawing
		}); ok {
			return func(s record.Solution) *record.Drawing { return p.Plot(s.Perm) }
		}
	}
	return nil
}

// sliceOf is the type of solutions of a form.
func sliceOf(form record.Form) string {
	switch form.Kind {
	case record.FormBits:
		return "[]uint8"
	case record.FormReals:
		return "[]float64"
	}
	return "[]int32"
}

// misfit names a method that has the name of one that is called, and is not called.
func (f *Functions) misfit(v any, form record.Form) error {
	b, x := f.Bits, f.Vector
	have := map[string]bool{
		"Cost": true, "Delta": b.Delta != nil || x.Delta != nil, "Delta2": b.Delta2 != nil,
		"Delta3": b.Delta3 != nil, "DeltaSwap": x.Swap != nil, "DeltaInsert": x.Insert != nil,
		"DeltaReverse": x.Reverse != nil, "DeltaCycle": x.Cycle != nil,
		"Plot":  f.Plot != nil,
		"Apply": b.Apply != nil || x.Apply != nil, "ApplySwap": x.Swapped != nil,
		"SwappedRow": x.Row != nil,
		"Load":       b.Load != nil || x.Load != nil,
		"Moves":      f.Moves != nil, "Move": b.Move != nil || x.Move != nil,
		"DeltaMove": b.ByMove != nil || x.ByMove != nil,
	}
	t := reflect.TypeOf(v)
	for _, name := range all {
		m, ok := method(t, name)
		if !ok {
			continue
		}
		allowed := false
		for _, n := range known[form.Kind] {
			allowed = allowed || n == name
		}
		switch {
		case !allowed:
			return fmt.Errorf("%T has a method %s, which nothing calls on %v: there are %v", v, name, form,
				known[form.Kind])
		case !have[name]:
			return fmt.Errorf("the method %s of %T is %v, want %s", name, v,
				signatureOf(m.Type), f.want(name, form))
		}
	}
	return nil
}

// method finds one of the methods of all. Each is asked for by a constant name: for a name that is
// not known before the linker keeps every exported method of every type, which makes the engine of
// pages larger by a seventh.
func method(t reflect.Type, name string) (reflect.Method, bool) {
	switch name {
	case "Cost":
		return t.MethodByName("Cost")
	case "Delta":
		return t.MethodByName("Delta")
	case "Delta2":
		return t.MethodByName("Delta2")
	case "Delta3":
		return t.MethodByName("Delta3")
	case "DeltaSwap":
		return t.MethodByName("DeltaSwap")
	case "DeltaInsert":
		return t.MethodByName("DeltaInsert")
	case "DeltaReverse":
		return t.MethodByName("DeltaReverse")
	case "DeltaCycle":
		return t.MethodByName("DeltaCycle")
	case "Apply":
		return t.MethodByName("Apply")
	case "ApplySwap":
		return t.MethodByName("ApplySwap")
	case "SwappedRow":
		return t.MethodByName("SwappedRow")
	case "Load":
		return t.MethodByName("Load")
	case "Plot":
		return t.MethodByName("Plot")
	case "Moves":
		return t.MethodByName("Moves")
	case "Move":
		return t.MethodByName("Move")
	case "DeltaMove":
		return t.MethodByName("DeltaMove")
	}
	panic("no method is called " + name)
}

// signatureOf is a method's type less its receiver.
func signatureOf(t reflect.Type) string {
	var in, out []reflect.Type
	for i := 1; i < t.NumIn(); i++ {
		in = append(in, t.In(i))
	}
	for i := range t.NumOut() {
		out = append(out, t.Out(i))
	}
	return reflect.FuncOf(in, out, t.IsVariadic()).String()
}

// want is what a method should be.
func (f *Functions) want(name string, form record.Form) string {
	result := " float64"
	if f.Whole {
		result = " int64, as Cost"
	}
	x := "func(" + sliceOf(form)
	switch name {
	case "Load":
		return x + ")"
	case "Moves":
		return "func() int"
	case "Move":
		return x + ", int)"
	case "ApplySwap":
		return x + ", int, int)"
	case "SwappedRow":
		return x + ", int, int, int)"
	case "DeltaMove":
		return x + ", int)" + result
	case "Plot":
		return x + ") *lab.Drawing"
	case "Apply":
		if form.Kind == record.FormValues {
			return x + ", int, int32)"
		}
		return x + ", int)"
	case "Delta":
		if form.Kind == record.FormValues {
			return x + ", int, int32)" + result
		}
		return x + ", int)" + result
	case "Delta3", "DeltaCycle":
		return x + ", int, int, int)" + result
	}
	return x + ", int, int)" + result
}

// bitsOf are the methods on bits with costs of type V; ok is false where Cost is none.
func bitsOf[V value](v any) (f Bits, ok bool) {
	c, ok := v.(interface{ Cost(x []uint8) V })
	if !ok {
		return f, false
	}
	f.Cost = func(x []uint8) float64 { return float64(c.Cost(x)) }
	if d, ok := v.(interface{ Delta(x []uint8, i int) V }); ok {
		f.Delta = func(x []uint8, i int) float64 { return float64(d.Delta(x, i)) }
	}
	f.Whole, _ = v.(interface{ Delta(x []uint8, i int) int64 })
	if d, ok := v.(interface{ Delta2(x []uint8, i, j int) V }); ok {
		f.Delta2 = func(x []uint8, i, j int) float64 { return float64(d.Delta2(x, i, j)) }
	}
	if d, ok := v.(interface {
		Delta3(x []uint8, i, j, k int) V
	}); ok {
		f.Delta3 = func(x []uint8, i, j, k int) float64 { return float64(d.Delta3(x, i, j, k)) }
	}
	if a, ok := v.(interface{ Apply(x []uint8, i int) }); ok {
		f.Apply = a.Apply
	}
	if l, ok := v.(interface{ Load(x []uint8) }); ok {
		f.Load = l.Load
	}
	if m, ok := v.(interface{ Move(x []uint8, k int) }); ok {
		f.Move = m.Move
	}
	if m, ok := v.(interface{ DeltaMove(x []uint8, k int) V }); ok {
		f.ByMove = func(x []uint8, k int) float64 { return float64(m.DeltaMove(x, k)) }
	}
	return f, true
}

// vectorOf are the methods on values and permutations with costs of type V.
func vectorOf[V value](v any) (f Vector, ok bool) {
	c, ok := v.(interface{ Cost(x []int32) V })
	if !ok {
		return f, false
	}
	f.Cost = func(x []int32) float64 { return float64(c.Cost(x)) }
	if d, ok := v.(interface {
		Delta(x []int32, i int, to int32) V
	}); ok {
		f.Delta = func(x []int32, i int, to int32) float64 { return float64(d.Delta(x, i, to)) }
	}
	if d, ok := v.(interface{ DeltaSwap(x []int32, i, j int) V }); ok {
		f.Swap = func(x []int32, i, j int) float64 { return float64(d.DeltaSwap(x, i, j)) }
	}
	f.WholeSwap, _ = v.(interface {
		DeltaSwap(x []int32, i, j int) int64
	})
	f.WholeInsert, _ = v.(interface {
		DeltaInsert(x []int32, i, j int) int64
	})
	if d, ok := v.(interface{ DeltaInsert(x []int32, i, j int) V }); ok {
		f.Insert = func(x []int32, i, j int) float64 { return float64(d.DeltaInsert(x, i, j)) }
	}
	if d, ok := v.(interface {
		DeltaReverse(x []int32, i, j int) V
	}); ok {
		f.Reverse = func(x []int32, i, j int) float64 { return float64(d.DeltaReverse(x, i, j)) }
	}
	if d, ok := v.(interface {
		DeltaCycle(x []int32, i, j, k int) V
	}); ok {
		f.Cycle = func(x []int32, i, j, k int) float64 { return float64(d.DeltaCycle(x, i, j, k)) }
	}
	if a, ok := v.(interface {
		Apply(x []int32, i int, to int32)
	}); ok {
		f.Apply = a.Apply
	}
	if a, ok := v.(interface{ ApplySwap(x []int32, i, j int) }); ok {
		f.Swapped = a.ApplySwap
	}
	if a, ok := v.(interface {
		SwappedRow(x []int32, i, j, k int)
	}); ok {
		f.Row = a.SwappedRow
	}
	if l, ok := v.(interface{ Load(x []int32) }); ok {
		f.Load = l.Load
	}
	if m, ok := v.(interface{ Move(x []int32, k int) }); ok {
		f.Move = m.Move
	}
	if m, ok := v.(interface{ DeltaMove(x []int32, k int) V }); ok {
		f.ByMove = func(x []int32, k int) float64 { return float64(m.DeltaMove(x, k)) }
	}
	return f, true
}

package own

import (
	"fmt"
	"strings"

	"metalab/solvers/record"
)

// number is a value of one of the problem's methods as the search has it: smaller is better.
func (c *scan) number(call string) string {
	if c.form.Maximise {
		return "(0 - float64(" + call + "))"
	}
	return "float64(" + call + ")"
}

// cost is the whole cost of a solution by a value of the type.
func (c *scan) cost(of, x string) string {
	return fmt.Sprintf("mlwalks.Checked(%s, %v)", c.number(of+".Cost("+x+")"), c.has.Whole)
}

// delta is the body of the function that evaluates move m on y, by q.
func (c *scan) delta() string {
	if call := c.call(); call != "" {
		return "\t\t\treturn " + c.number("q."+call)
	}
	f := c.has.Bits
	stateless := f.Load == nil && f.Apply == nil
	if c.form.Kind == record.FormBits && !c.owned && f.Delta != nil && stateless {
		var b strings.Builder
		b.WriteString("\t\t\td := 0.0\n")
		for _, at := range c.positions() {
			fmt.Fprintf(&b, "\t\t\td = d + %s\n\t\t\ty[%s] ^= 1\n", c.number("q.Delta(y, "+at+")"), at)
		}
		return b.String() + c.flip("y") + "\t\t\treturn d"
	}
	if c.form.Kind == record.FormReals {
		return c.point() + "\t\t\treturn " + c.cost("q", "y") + " - cost"
	}
	made := c.change("y")
	back := c.undo("y")
	if c.owned {
		made = "\t\t\tq.Move(y, m.I)\n"
		back = "\t\t\tfor i := 0; i < mlN; i++ {\n\t\t\t\ty[i] = x[i]\n\t\t\t}\n"
	}
	return made + "\t\t\td := " + c.cost("q", "y") + " - cost\n" + back + "\t\t\treturn d"
}

// call is the problem's own method that evaluates the move; empty: it has none.
func (c *scan) call() string {
	b, v := c.has.Bits, c.has.Vector
	switch {
	case c.owned:
		if b.ByMove != nil || v.ByMove != nil {
			return "DeltaMove(y, m.I)"
		}
	case c.form.Kind == record.FormBits:
		switch {
		case c.k == 0 && b.Delta != nil:
			return "Delta(y, m.I)"
		case c.k == 1 && b.Delta2 != nil:
			return "Delta2(y, m.I, m.J)"
		case c.k == 2 && b.Delta3 != nil:
			return "Delta3(y, m.I, m.J, m.K)"
		}
	case c.form.Kind == record.FormValues && c.k == 0:
		if v.Delta != nil {
			return "Delta(y, m.I, mlwalks.Taken(y, m, mlJ.K))"
		}
	case c.form.Kind == record.FormValues || c.k == 0:
		if v.Swap != nil {
			return "DeltaSwap(y, m.I, m.J)"
		}
	case c.k == 1:
		if v.Insert != nil {
			return "DeltaInsert(y, m.I, m.J)"
		}
	case c.k == 2:
		if v.Reverse != nil {
			return "DeltaReverse(y, m.I, m.J)"
		}
	case v.Cycle != nil:
		return "DeltaCycle(y, m.I, mlwalks.Second(m), mlwalks.Third(m))"
	}
	return ""
}

// positions are those that the move touches.
func (c *scan) positions() []string { return []string{"m.I", "m.J", "m.K"}[:c.arity] }

func (c *scan) flip(x string) string {
	var b strings.Builder
	for _, at := range c.positions() {
		fmt.Fprintf(&b, "\t\t\t%s[%s] ^= 1\n", x, at)
	}
	return b.String()
}

// change makes the move on a solution, and undo takes it back.
func (c *scan) change(x string) string {
	switch c.mapping() {
	case "mlwalks.Change":
		return fmt.Sprintf("\t\t\t%s[m.I] = mlwalks.Taken(%[1]s, m, mlJ.K)\n", x)
	case "mlwalks.Insertion":
		return fmt.Sprintf("\t\t\tmlwalks.Insert(%s, m.I, m.J)\n", x)
	case "mlwalks.Circle":
		return fmt.Sprintf("\t\t\tmlwalks.Turn(%s, m)\n", x)
	}
	switch {
	case c.form.Kind == record.FormBits:
		return c.flip(x)
	case c.form.Kind == record.FormPermutation && c.k == 2:
		return fmt.Sprintf("\t\t\tmlwalks.Reverse(%s, m.I, m.J)\n", x)
	}
	return fmt.Sprintf("\t\t\t%s[m.I], %[1]s[m.J] = %[1]s[m.J], %[1]s[m.I]\n", x)
}

func (c *scan) undo(x string) string {
	switch c.mapping() {
	case "mlwalks.Change":
		return fmt.Sprintf("\t\t\tm.By = int32(mlJ.K) - m.By\n%s", c.change(x))
	case "mlwalks.Insertion":
		return fmt.Sprintf("\t\t\tmlwalks.Insert(%s, m.J, m.I)\n", x)
	case "mlwalks.Circle":
		return fmt.Sprintf("\t\t\tm.Back = !m.Back\n%s", c.change(x))
	}
	return c.change(x)
}

// commit is the body of the function that makes move m on x, keeps p and returns the cost.
func (c *scan) commit() string {
	var b strings.Builder
	w := func(format string, a ...any) { fmt.Fprintf(&b, "\t\t\t"+format+"\n", a...) }
	f, v := c.has.Bits, c.has.Vector
	apply, load := f.Apply != nil || v.Apply != nil, f.Load != nil || v.Load != nil
	switch {
	case c.form.Kind == record.FormReals:
		b.WriteString(c.point())
		w("for i := 0; i < mlN; i++ {\n\t\t\t\tx[i] = y[i]\n\t\t\t}")
	case c.owned:
		w("p.Move(x, m.I)")
		switch c.form.Kind {
		case record.FormBits:
			w("mlwalks.Below(x, 2)")
		case record.FormValues:
			w("mlwalks.Below(x, mlJ.K)")
		default:
			w("mlwalks.Distinct(x, mlMarks[mlW*mlN:mlW*mlN+mlN])")
		}
	case apply && (c.has.Whole || !load):
		load = false
		switch {
		case c.form.Kind == record.FormBits:
			for _, at := range c.positions() {
				w("p.Apply(x, %s)\n\t\t\tx[%[1]s] ^= 1", at)
			}
		case c.k == 0:
			w("v := mlwalks.Taken(x, m, mlJ.K)\n\t\t\tp.Apply(x, m.I, v)\n\t\t\tx[m.I] = v")
		default:
			w("v, o := x[m.I], x[m.J]\n\t\t\tp.Apply(x, m.I, o)\n\t\t\tx[m.I] = o")
			w("p.Apply(x, m.J, v)\n\t\t\tx[m.J] = v")
		}
	case c.form.Kind == record.FormPermutation && c.k == 0 && c.has.Whole &&
		(v.Swapped != nil || v.Row != nil):
		load = false
		if v.Swapped != nil {
			w("p.ApplySwap(x, m.I, m.J)")
		}
		b.WriteString(c.change("x"))
	default:
		b.WriteString(c.change("x"))
	}
	if load {
		w("p.Load(x)")
	}
	if c.has.Whole && c.form.Kind != record.FormReals {
		w("cost += d")
	} else {
		w("cost = %s", c.cost("p", "x"))
	}
	return b.String() + c.keep() + "\t\t\treturn cost"
}

// rows has all threads keep what a swap changes of the problem's tables; empty: there is nothing of
// the kind. at is the move's index, or its number in the iteration where it anneals.
func (c *scan) rows(anneals bool) string {
	if c.form.Kind != record.FormPermutation || c.k != 0 || c.has.Vector.Row == nil || !c.has.Whole {
		return ""
	}
	var b strings.Builder
	if anneals {
		b.WriteString("\t\t\tat, _ = mlwalks.Drawn(&mlJ, mlHeads[mlW].Clock, mlW, at)\n")
	}
	fmt.Fprintf(&b, "\t\t\tm := %s(mlJ.N, mlJ.K, at)\n", c.mapping())
	for i, l := range c.leaves {
		if !l.slice() {
			fmt.Fprintf(&b, "\t\t\tp.%s = mlA%d[mlW]\n", l.path, i)
		}
	}
	return b.String() + "\t\t\tfor k := mlT.Local(); k < mlN; k += mlT.Dim() {\n" +
		"\t\t\t\tp.SwappedRow(x, m.I, m.J, k)\n\t\t\t}\n\t\t\tmlT.Sync()\n"
}

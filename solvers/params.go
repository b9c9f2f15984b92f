package solvers

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"metalab/solvers/record"
)

// Params is the table of an algorithm's parameters, filled by Algorithm.Declare. Each entry joins a
// record.Param with the address of the field that holds the value, so that the algorithm reads
// plain fields and all other code goes through the table.
//
// The field's value at the time of the declaration is the default.
type Params struct {
	list []entry
	size int               // of the instance, for values such as 0.1n; 0: unknown
	was  map[string]string // by a name of before: the parameter's name
}

type entry struct {
	record.Param
	of *Params
	f  *float64
	i  *int
	s  *string
	b  *bool
}

// Float declares a parameter with real values in [d.Min, d.Max].
func (t *Params) Float(p *float64, d record.Param) {
	d.Type = record.Float
	t.add(entry{Param: d, f: p})
}

// Int declares a parameter with integer values in [d.Min, d.Max].
func (t *Params) Int(p *int, d record.Param) {
	d.Type = record.Int
	t.add(entry{Param: d, i: p})
}

// Enum declares a parameter whose values are the words in d.Options.
func (t *Params) Enum(p *string, d record.Param) {
	d.Type = record.Enum
	t.add(entry{Param: d, s: p})
}

// Truth declares a parameter with the values true and false.
func (t *Params) Truth(p *bool, d record.Param) {
	d.Type = record.Truth
	t.add(entry{Param: d, b: p})
}

func (t *Params) add(e entry) {
	e.of = t
	if e.Class == "" {
		e.Class = record.Live
	}
	if t.find(e.Name) != nil {
		panic("solvers: parameter " + e.Name + " is declared twice")
	}
	e.Default = e.value()
	if _, err := e.check(e.Default); err != nil {
		panic("solvers: default: " + err.Error())
	}
	t.list = append(t.list, e)
}

// Amend replaces range, step, unit, words and texts of a parameter, for an algorithm whose code is
// replaced between two iterations. Name, class, type, default and value stay. The value must lie in
// the new range.
func (t *Params) Amend(d record.Param) {
	if e := t.find(d.Name); e != nil {
		d.Class, d.Type, d.Default, d.Value = e.Class, e.Type, e.Default, e.Value
		e.Param = d
	}
}

// Formerly declares a former name of a parameter, which old records and plans have.
func (t *Params) Formerly(name, was string) {
	if t.was == nil {
		t.was = map[string]string{}
	}
	t.was[was] = name
}

// renamed returns values by the names that parameters have now.
func (t *Params) renamed(vs record.Values) record.Values {
	for was, name := range t.was {
		v, old := vs[was]
		if !old {
			continue
		}
		vs = maps.Clone(vs)
		delete(vs, was)
		if _, both := vs[name]; !both {
			vs[name] = v
		}
	}
	return vs
}

func (t *Params) find(name string) *entry {
	if now, ok := t.was[name]; ok {
		name = now
	}
	for i := range t.list {
		if t.list[i].Name == name {
			return &t.list[i]
		}
	}
	return nil
}

// value reads the field.
func (e *entry) value() record.Value {
	switch {
	case e.f != nil:
		return record.Num(*e.f)
	case e.i != nil:
		return record.Num(float64(*e.i))
	case e.s != nil:
		return record.Text(*e.s)
	default:
		return record.Bool(*e.b)
	}
}

// store writes the field; v has passed check.
func (e *entry) store(v record.Value) {
	x, _ := v.Float()
	switch {
	case e.f != nil:
		*e.f = x
	case e.i != nil:
		*e.i = int(x)
	case e.s != nil:
		*e.s, _ = v.Word()
	default:
		*e.b, _ = v.Truth()
	}
}

// perCity ends the unit of a parameter that counts by cities, so that 0.1n is 0.1 of them.
const perCity = " a city"

// check returns v as it would be stored, or an error with the name, the value and
// the legal range.
func (e *entry) check(v record.Value) (record.Value, error) {
	bad := func(want string) error { return fmt.Errorf("%s is %s, want %s", e.Name, v, want) }
	switch e.Type {
	case record.Float, record.Int:
		x, ok := v.Float()
		if w, _ := v.Word(); e.Sized && e.of.size > 0 {
			if f, times := record.TimesSize(w); times {
				x, ok = math.Ceil(f*float64(e.of.size)), true
				if x < e.Min || x > e.Max {
					return v, fmt.Errorf("%s is %s, here %.0f, want %s", e.Name, v, x, e.Range())
				}
				v = record.Num(x)
			}
		} else if strings.HasSuffix(e.Unit, perCity) {
			if f, times := record.TimesSize(w); times && f >= e.Min && f <= e.Max {
				x, ok, v = f, true, record.Num(f)
			}
		}
		if !ok || math.IsNaN(x) || x < e.Min || x > e.Max ||
			(e.Type == record.Int && x != math.Trunc(x)) {
			return v, bad(e.Range())
		}
		if x == 0 {
			return record.Num(0), nil // not -0
		}
	case record.Enum:
		if w, ok := v.Word(); !ok || !slices.Contains(e.Options, w) {
			// A number may be one of the words, as "2" of {2, 3}.
			if w = v.String(); slices.Contains(e.Options, w) {
				return record.Text(w), nil
			}
			return v, bad(e.Range())
		}
	case record.Truth:
		if _, ok := v.Truth(); !ok {
			return v, bad("true or false")
		}
	}
	return v, nil
}

// Range says which values e may take, as "0 to 1" or "one of rwm, wrs".
func (e *entry) Range() string { return RangeOf(e.Param) }

// RangeOf describes the legal values of a parameter, such as "0 to 1", "an integer from 1 to
// 65536", "one of rwm, wrs", or, if a value may be a multiple of the instance's size, "an integer
// from 1 to 1000000, or times the cities, as 0.1n".
func RangeOf(p record.Param) string {
	switch p.Type {
	case record.Float:
		return record.Num(p.Min).String() + " to " + record.Num(p.Max).String()
	case record.Int:
		s := fmt.Sprintf("an integer from %.0f to %.0f", p.Min, p.Max)
		if p.Sized {
			s += ", or times the cities, as 0.1n"
		}
		return s
	case record.Enum:
		return "one of " + strings.Join(p.Options, ", ")
	}
	return "true or false"
}

// List returns the declarations with their present values, in the order of declaration.
func (t *Params) List() []record.Param {
	out := make([]record.Param, len(t.list))
	for i := range t.list {
		out[i] = t.list[i].Param
		out[i].Value = t.list[i].value()
	}
	return out
}

// Values returns the present values by name.
func (t *Params) Values() record.Values {
	v := make(record.Values, len(t.list))
	for i := range t.list {
		v[t.list[i].Name] = t.list[i].value()
	}
	return v
}

// An UnknownParamError is the error for a name that no parameter of the run has.
type UnknownParamError struct {
	Name  string
	Known []string // the existing names
}

func (e *UnknownParamError) Error() string {
	return fmt.Sprintf("no parameter is called %q; there are %s", e.Name, strings.Join(e.Known, ", "))
}

// Check converts a value to the form in which the parameter name stores it. The error for a bad
// value names the parameter, the value and the range; that for an unknown name, an
// *UnknownParamError, lists the names that exist.
func (t *Params) Check(name string, v record.Value) (record.Value, error) {
	e := t.find(name)
	if e == nil && own(name) {
		return v, fmt.Errorf("%s is a parameter of islands: open or fork the run with %s=, as %s=4", name,
			ParamIslands, ParamIslands)
	}
	if e == nil {
		var names []string
		for i := range t.list {
			names = append(names, t.list[i].Name)
		}
		slices.Sort(names)
		return v, &UnknownParamError{Name: name, Known: names}
	}
	return e.check(v)
}

// stored returns values that are legal as they are stored; nil for nil.
func (t *Params) stored(vs record.Values) record.Values {
	vs = t.renamed(vs)
	out := maps.Clone(vs)
	for name, v := range vs {
		out[name], _ = t.Check(name, v)
	}
	return out
}

// setAll checks all values and stores them only when every one is legal.
func (t *Params) setAll(vs record.Values) error {
	vs = t.renamed(vs)
	checked := make(record.Values, len(vs))
	for _, name := range sortedNames(vs) {
		v, err := t.Check(name, vs[name])
		if err != nil {
			return err
		}
		checked[name] = v
	}
	for i := range t.list {
		if v, ok := checked[t.list[i].Name]; ok {
			t.list[i].store(v)
		}
	}
	return nil
}

// defaults makes the present values the defaults.
func (t *Params) defaults() {
	for i := range t.list {
		t.list[i].Default = t.list[i].value()
	}
}

func sortedNames(vs record.Values) []string {
	names := make([]string, 0, len(vs))
	for n := range vs {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

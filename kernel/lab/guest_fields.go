package lab

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unsafe"

	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// described holds the declarations in the fields of a solver.
type described struct {
	solver   Solver
	hello    wire.WorkerHello
	params   []reflect.Value // the fields, in the order of hello.Params
	measures []reflect.Value
	state    []field // nil for a Keeper
	keeper   Keeper
}

// field is a part of the state.
type field struct {
	name, sig string
	value     reflect.Value
}

// reserved are the names that no parameter may have.
var reserved = map[string]string{"code": "it is the code itself"}

var problemType = reflect.TypeFor[*Problem]()

// describe reads the fields of a solver. Its errors are about tags and types.
func describe(name string, s Solver) (*described, error) {
	v := reflect.ValueOf(s)
	d := &described{solver: s}
	d.hello = wire.WorkerHello{
		Protocol: wire.WorkerProtocol, Name: name, Type: v.Type().String(),
		Params: []record.Param{}, Measures: []string{},
	}
	if err := wire.CheckSession(name); err != nil {
		return nil, fmt.Errorf("%q is no name of a solver: letters, digits, - and _", name)
	}
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return nil, fmt.Errorf("the constructor of %s returns a %s, want a pointer to a "+
			"struct, as &Walk{}", name, v.Type())
	}
	if t, ok := s.(Titler); ok {
		d.hello.Title = oneLine(t.Title())
	}
	d.keeper, _ = s.(Keeper)
	if err := d.fields(v.Elem(), ""); err != nil {
		return nil, fmt.Errorf("%s: %w", d.hello.Type, err)
	}
	return d, nil
}

// fields reads the fields of a struct, and of those that it embeds.
func (d *described) fields(v reflect.Value, prefix string) error {
	for i := range v.NumField() {
		f, fv := v.Type().Field(i), open(v.Field(i))
		f.Name = prefix + f.Name
		var err error
		if f.Anonymous && f.Type.Kind() == reflect.Struct && f.Tag == "" {
			err = d.fields(fv, f.Name+".")
		} else if err = d.field(f, fv); err != nil {
			err = fmt.Errorf("field %s: %w", f.Name, err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// skipped reports whether a field is not part of the state.
func skipped(f reflect.StructField) bool {
	return f.Tag.Get("state") == "-" || f.Type == problemType || f.Name == "_"
}

// open returns a field so that it can be set even if its name is not exported.
func open(v reflect.Value) reflect.Value {
	if v.CanSet() {
		return v
	}
	return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
}

// field reads one field.
func (d *described) field(f reflect.StructField, v reflect.Value) error {
	if tag, ok := f.Tag.Lookup("param"); ok {
		p, err := paramOf(tag, f, v)
		if err != nil {
			return err
		}
		for _, o := range d.hello.Params {
			if o.Name == p.Name {
				return fmt.Errorf("two parameters are called %s", p.Name)
			}
		}
		d.hello.Params, d.params = append(d.hello.Params, p), append(d.params, v)
		return nil
	}
	if name, ok := f.Tag.Lookup("measure"); ok {
		if !v.CanInt() && !v.CanFloat() {
			return fmt.Errorf("a measure is a %s, want a number", f.Type)
		}
		if !isWord(name) {
			return fmt.Errorf("measure %q, want small letters, digits and _", name)
		}
		d.hello.Measures, d.measures = append(d.hello.Measures, name), append(d.measures, v)
	}
	if skipped(f) || d.keeper != nil {
		return nil
	}
	if why := unkept(f.Type, map[reflect.Type]bool{}); why != "" {
		return fmt.Errorf("%s cannot be kept in a state: give the field the tag `state:\"-\"` and make "+
			"it in Init, or the type the methods of lab.Keeper", why)
	}
	d.state = append(d.state, field{f.Name, signature(f.Type, map[reflect.Type]bool{}), v})
	return nil
}

// isWord reports whether a name can be typed as name=value.
func isWord(s string) bool {
	for i, r := range s {
		if (r < 'a' || r > 'z') && r != '_' && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != "" && len(s) <= 40
}

// paramOf reads a tag.
func paramOf(tag string, f reflect.StructField, v reflect.Value) (record.Param, error) {
	words := strings.Split(tag, ",")
	p := record.Param{Name: strings.TrimSpace(words[0]), Class: record.Live, Doc: f.Tag.Get("doc")}
	if p.Doc == "" {
		p.Doc = "field " + f.Name + " of the solver, which says no more of it (tag doc)"
	}
	if !isWord(p.Name) {
		return p, fmt.Errorf("parameter %q, want small letters, digits and _", p.Name)
	}
	if why := reserved[p.Name]; why != "" {
		return p, fmt.Errorf("a parameter cannot be called %s: %s", p.Name, why)
	}
	ranged := false
	for _, w := range words[1:] {
		w = strings.TrimSpace(w)
		lo, hi, isRange := strings.Cut(w, "..")
		key, val, isKey := strings.Cut(w, "=")
		var err error
		switch {
		case w == "live" || w == "structural" || w == "schedule":
			p.Class = record.Class(w)
		case isRange:
			ranged = true
			var err1, err2 error
			p.Min, err1 = strconv.ParseFloat(lo, 64)
			p.Max, err2 = strconv.ParseFloat(hi, 64)
			if err1 != nil || err2 != nil || !(p.Min < p.Max) {
				err = fmt.Errorf("range %q of %s, want two numbers, the smaller first, as 0..1", w, p.Name)
			}
		case isKey && key == "step":
			if p.Step, err = strconv.ParseFloat(val, 64); err != nil || p.Step <= 0 {
				err = fmt.Errorf("%q of %s, want a number above 0", w, p.Name)
			}
		case isKey && key == "unit":
			p.Unit = val
		case strings.Contains(w, "|"):
			p.Options = strings.Split(w, "|")
		default:
			err = fmt.Errorf("%q of %s, want live, structural, schedule, a range as 0..1, words as a|b, "+
				"step=… or unit=…", w, p.Name)
		}
		if err != nil {
			return p, err
		}
	}
	switch v.Kind() {
	case reflect.Float64:
		p.Type, p.Default = record.Float, record.Num(v.Float())
	case reflect.Int, reflect.Int64:
		p.Type, p.Default = record.Int, record.Num(float64(v.Int()))
	case reflect.Bool:
		p.Type, p.Default = record.Truth, record.Bool(v.Bool())
	case reflect.String:
		p.Type, p.Default = record.Enum, record.Text(v.String())
	default:
		return p, fmt.Errorf("parameter %s is a %s, want float64, int, int64, bool or string", p.Name,
			f.Type)
	}
	number := p.Type == record.Float || p.Type == record.Int
	x, _ := p.Default.Float()
	switch {
	case number && !ranged:
		return p, fmt.Errorf("parameter %s has no range, as `param:\"%s,0..1000\"`", p.Name, p.Name)
	case number && (math.IsNaN(x) || x < p.Min || x > p.Max):
		return p, fmt.Errorf("parameter %s is %v by default, want %v to %v", p.Name, x, p.Min, p.Max)
	case p.Type == record.Enum && !contains(p.Options, v.String()):
		return p, fmt.Errorf("parameter %s is %q by default, want one of its words, as "+
			"`param:\"%s,2opt|swap\"`", p.Name, v.String(), p.Name)
	}
	p.Value = p.Default
	return p, nil
}

func contains(list []string, s string) bool {
	for _, w := range list {
		if w == s {
			return true
		}
	}
	return false
}

// set stores the values of parameters that the solver has and returns the names of those
// that changed. The host has checked them.
func (d *described) set(vs record.Values) (changed []string) {
	for i, p := range d.hello.Params {
		v, ok := vs[p.Name]
		if !ok {
			continue
		}
		f := d.params[i]
		old := f.Interface()
		setField(f, p, v)
		if f.Interface() != old {
			changed = append(changed, p.Name)
		}
	}
	return changed
}

// setField stores the value of a parameter in its field.
func setField(f reflect.Value, p record.Param, v record.Value) {
	x, _ := v.Float()
	switch p.Type {
	case record.Float:
		f.SetFloat(x)
	case record.Int:
		f.SetInt(int64(x))
	case record.Enum:
		w, _ := v.Word()
		f.SetString(w)
	default:
		b, _ := v.Truth()
		f.SetBool(b)
	}
}

// values appends the measures.
func (d *described) values(to []float64) []float64 {
	for _, v := range d.measures {
		if v.CanInt() {
			to = append(to, float64(v.Int()))
		} else {
			to = append(to, v.Float())
		}
	}
	return to
}

// oneLine is a text without line breaks.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

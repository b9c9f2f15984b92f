package lab

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sort"
	"strings"
	"unsafe"
)

// The state of a solver, as the fields of its struct, in little-endian order: for each the
// length of its name (uint32) and the name, the same of its type written out, the same of
// its value. Numbers of any size are 8 bytes in values, those in slices as many as in
// memory; slices, strings and maps begin with their length + 1 (uint64), 0 is nil; maps are
// sorted by the bytes of their keys; pointers are 0 for nil, a new number and then the
// value, or the number of one that was written. A Keeper's state is one field, named "".

// errShared says that two slices of the state share memory.
var errShared = errors.New("share memory, which a state does not keep: copy one of them")

// stateWriter writes values.
type stateWriter struct {
	b      []byte
	seen   map[unsafe.Pointer]uint64
	slices []span
	path   string
	err    error
}

type span struct {
	from, to uintptr
	path     string
}

// snapshot returns the state.
func (d *described) snapshot() ([]byte, error) {
	if d.keeper != nil {
		s, err := d.keeper.Snapshot()
		if err != nil {
			return nil, fmt.Errorf("its Snapshot: %w", err)
		}
		return appendText(appendText(appendText(nil, ""), ""), string(s)), nil
	}
	w := &stateWriter{}
	for _, f := range d.state {
		w.b = appendText(appendText(w.b, f.name), f.sig)
		at := len(w.b)
		w.b = append(w.b, 0, 0, 0, 0)
		w.path = f.name
		w.value(f.value)
		binary.LittleEndian.PutUint32(w.b[at:], uint32(len(w.b)-at-4))
	}
	if w.err == nil {
		w.err = w.shared()
	}
	return w.b, w.err
}

// shared looks for slices that overlap.
func (w *stateWriter) shared() error {
	slices.SortFunc(w.slices, func(a, b span) int {
		if a.from < b.from {
			return -1
		}
		return 1
	})
	for i := 1; i < len(w.slices); i++ {
		if a, b := w.slices[i-1], w.slices[i]; b.from < a.to {
			return fmt.Errorf("fields %s and %s %w", a.path, b.path, errShared)
		}
	}
	return nil
}

func appendText(b []byte, s string) []byte {
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(s))), s...)
}

func (w *stateWriter) word(x uint64) { w.b = binary.LittleEndian.AppendUint64(w.b, x) }

// flat reports whether values of a kind are their bytes in memory.
func flat(k reflect.Kind) bool {
	return k >= reflect.Bool && k <= reflect.Complex128 && k != reflect.Uintptr
}

// memory is the memory of a slice or an array of flat values; little-endian machines only,
// which all that Go's first-class ports for notebooks are.
func memory(v reflect.Value) []byte {
	n := v.Len()
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(v.Index(0).Addr().UnsafePointer()), n*int(v.Type().Elem().Size()))
}

// value appends one value.
func (w *stateWriter) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		x := uint64(0)
		if v.Bool() {
			x = 1
		}
		w.word(x)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.word(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		w.word(v.Uint())
	case reflect.Float32, reflect.Float64:
		w.word(math.Float64bits(v.Float()))
	case reflect.Complex64, reflect.Complex128:
		w.word(math.Float64bits(real(v.Complex())))
		w.word(math.Float64bits(imag(v.Complex())))
	case reflect.String:
		w.word(uint64(v.Len()) + 1)
		w.b = append(w.b, v.String()...)
	case reflect.Slice:
		if v.IsNil() {
			w.word(0)
			return
		}
		w.word(uint64(v.Len()) + 1)
		if size := v.Type().Elem().Size(); v.Len() > 0 && size > 0 {
			from := v.Pointer()
			w.slices = append(w.slices, span{from, from + uintptr(v.Len())*size, w.path})
		}
		w.items(v)
	case reflect.Array:
		w.items(v)
	case reflect.Struct:
		if v.Type() == walkType {
			(*Walk)(v.Addr().UnsafePointer()).keep()
		}
		for i := range v.NumField() {
			if !skipped(v.Type().Field(i)) {
				w.value(open(v.Field(i)))
			}
		}
	case reflect.Pointer:
		w.pointer(v)
	case reflect.Map:
		w.mapping(v)
	default:
		w.err = fmt.Errorf("a %s cannot be kept", v.Type())
	}
}

func (w *stateWriter) items(v reflect.Value) {
	if flat(v.Type().Elem().Kind()) {
		w.b = append(w.b, memory(v)...)
		return
	}
	for i := range v.Len() {
		w.value(v.Index(i))
	}
}

func (w *stateWriter) pointer(v reflect.Value) {
	if v.IsNil() {
		w.word(0)
		return
	}
	id, ok := w.seen[v.UnsafePointer()]
	if ok {
		w.word(id)
		return
	}
	if w.seen == nil {
		w.seen = map[unsafe.Pointer]uint64{}
	}
	id = uint64(len(w.seen)) + 1
	w.seen[v.UnsafePointer()] = id
	w.word(id)
	w.value(v.Elem())
}

func (w *stateWriter) mapping(v reflect.Value) {
	if v.IsNil() {
		w.word(0)
		return
	}
	w.word(uint64(v.Len()) + 1)
	type pair struct {
		key  []byte
		k, v reflect.Value
	}
	var all []pair
	for it := v.MapRange(); it.Next(); {
		k := &stateWriter{}
		k.value(addressable(it.Key()))
		all = append(all, pair{k.b, it.Key(), it.Value()})
	}
	sort.Slice(all, func(i, j int) bool { return bytes.Compare(all[i].key, all[j].key) < 0 })
	for _, p := range all {
		w.b = append(w.b, p.key...)
		w.value(addressable(p.v))
	}
}

// addressable is a copy of v whose fields can be reached.
func addressable(v reflect.Value) reflect.Value {
	p := reflect.New(v.Type()).Elem()
	p.Set(v)
	return p
}

// unkept names the first part of a type that a state cannot hold.
func unkept(t reflect.Type, seen map[reflect.Type]bool) string {
	if seen[t] {
		return ""
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Func, reflect.Chan, reflect.Interface, reflect.UnsafePointer, reflect.Uintptr:
		return "a " + t.String()
	case reflect.Slice, reflect.Array, reflect.Pointer:
		return unkept(t.Elem(), seen)
	case reflect.Map:
		if k := t.Key().Kind(); k == reflect.Pointer || k == reflect.Struct || k == reflect.Array {
			if why := unkept(t.Key(), seen); why != "" || k == reflect.Pointer {
				return "a map by " + t.Key().String()
			}
		}
		return unkept(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if skipped(t.Field(i)) {
				continue
			}
			if why := unkept(t.Field(i).Type, seen); why != "" {
				return why + " in " + t.String()
			}
		}
	}
	return ""
}

// signature is a type written out, so that a field fits only what it was written from.
func signature(t reflect.Type, seen map[reflect.Type]bool) string {
	switch t.Kind() {
	case reflect.Slice:
		return "[]" + signature(t.Elem(), seen)
	case reflect.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), signature(t.Elem(), seen))
	case reflect.Pointer:
		return "*" + signature(t.Elem(), seen)
	case reflect.Map:
		return "map[" + signature(t.Key(), seen) + "]" + signature(t.Elem(), seen)
	case reflect.Struct:
		if seen[t] {
			return t.String()
		}
		seen[t] = true
		var b strings.Builder
		b.WriteString(t.String() + "{")
		for i := range t.NumField() {
			f := t.Field(i)
			if skipped(f) {
				continue
			}
			b.WriteString(f.Name + " " + signature(f.Type, seen) + "; ")
		}
		delete(seen, t)
		return b.String() + "}"
	}
	return t.Kind().String()
}

// stateReader reads values.
type stateReader struct {
	b    []byte
	seen map[uint64]reflect.Value
	err  error
}

// restore sets the fields from a state. Fields that the state does not have, or with another type,
// stay as they are; notes say which, and which parts of the state have no field any more.
func (d *described) restore(b []byte) (notes []string, err error) {
	fields := map[string][2]string{}
	r := &stateReader{b: b}
	var order []string
	for len(r.b) > 0 && r.err == nil {
		name := r.text()
		fields[name] = [2]string{r.text(), r.text()}
		order = append(order, name)
	}
	if r.err != nil {
		return nil, r.err
	}
	kept, isKept := fields[""]
	switch {
	case d.keeper != nil && isKept:
		if err := d.keeper.Restore([]byte(kept[1])); err != nil {
			return nil, fmt.Errorf("its Restore: %w", err)
		}
		return nil, nil
	case d.keeper != nil || isKept:
		return nil, errors.New("one of the two has the methods Snapshot and Restore and " +
			"the other has not")
	}
	r.seen = map[uint64]reflect.Value{}
	own := map[string]field{}
	for _, f := range d.state {
		own[f.name] = f
		if _, ok := fields[f.name]; !ok {
			notes = append(notes, fmt.Sprintf("field %s is new, and as Init makes it", f.name))
		}
	}
	for _, name := range order { // in the order in which they were written, because of pointers
		f, ok := own[name]
		switch {
		case !ok:
			notes = append(notes, fmt.Sprintf("field %s is there no more", name))
		case f.sig != fields[name][0]:
			notes = append(notes, fmt.Sprintf("field %s was a %s and is as Init makes it", name,
				fields[name][0]))
		default:
			r.b = []byte(fields[name][1])
			r.value(f.value)
			if r.err == nil && len(r.b) > 0 {
				r.err = errors.New("bytes are left over")
			}
			if r.err != nil {
				return nil, fmt.Errorf("field %s: %w", name, r.err)
			}
		}
	}
	return notes, nil
}

// cut takes n bytes.
func (r *stateReader) cut(n uint64) []byte {
	if r.err == nil && n > uint64(len(r.b)) {
		r.err = errors.New("the state is cut short")
	}
	if r.err != nil {
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *stateReader) text() string {
	if n := r.cut(4); n != nil {
		return string(r.cut(uint64(binary.LittleEndian.Uint32(n))))
	}
	return ""
}

func (r *stateReader) word() uint64 {
	if b := r.cut(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// count reads the length of a thing whose items take at least size bytes; -1 is nil.
func (r *stateReader) count(size uint64) int {
	n := r.word()
	if n > 0 && size > 0 && n-1 > uint64(len(r.b))/size {
		r.err = errors.New("the state is cut short")
		return -1
	}
	if n > 1<<40 {
		r.err = errors.New("a length in the state is not one")
		return -1
	}
	return int(n) - 1
}

// value reads one value into v.
func (r *stateReader) value(v reflect.Value) {
	if r.err != nil {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(r.word() != 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(r.word()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(r.word())
	case reflect.Float32, reflect.Float64:
		v.SetFloat(math.Float64frombits(r.word()))
	case reflect.Complex64, reflect.Complex128:
		re := math.Float64frombits(r.word())
		v.SetComplex(complex(re, math.Float64frombits(r.word())))
	case reflect.String:
		v.SetString(string(r.cut(uint64(max(r.count(1), 0)))))
	case reflect.Slice:
		r.slice(v)
	case reflect.Array:
		r.items(v)
	case reflect.Struct:
		for i := range v.NumField() {
			if !skipped(v.Type().Field(i)) {
				r.value(open(v.Field(i)))
			}
		}
		if v.Type() == walkType {
			(*Walk)(v.Addr().UnsafePointer()).in = nil // another solution: it is loaded when it is used
		}
	case reflect.Pointer:
		r.pointer(v)
	case reflect.Map:
		r.mapping(v)
	default:
		r.err = fmt.Errorf("a %s cannot be kept", v.Type())
	}
}

func (r *stateReader) slice(v reflect.Value) {
	size := uint64(1)
	if flat(v.Type().Elem().Kind()) {
		size = uint64(v.Type().Elem().Size())
	}
	if v.Type().Elem().Size() == 0 {
		size = 0
	}
	n := r.count(size)
	if n < 0 || r.err != nil {
		v.SetZero()
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	r.items(v)
}

func (r *stateReader) items(v reflect.Value) {
	if flat(v.Type().Elem().Kind()) {
		to := memory(v)
		copy(to, r.cut(uint64(len(to))))
		return
	}
	for i := range v.Len() {
		r.value(v.Index(i))
	}
}

func (r *stateReader) pointer(v reflect.Value) {
	id := r.word()
	if old, ok := r.seen[id]; ok && id != 0 {
		if old.Type() != v.Type() {
			r.err = errors.New("a pointer of the state is of another type")
			return
		}
		v.Set(old)
		return
	}
	if id == 0 {
		v.SetZero()
		return
	}
	p := reflect.New(v.Type().Elem())
	if p.Type() != v.Type() {
		p = p.Convert(v.Type())
	}
	r.seen[id] = p
	v.Set(p)
	r.value(p.Elem())
}

func (r *stateReader) mapping(v reflect.Value) {
	n := r.count(0)
	if n < 0 || r.err != nil {
		v.SetZero()
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	for range n {
		key, item := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		r.value(key)
		r.value(item)
		if r.err != nil {
			return
		}
		v.SetMapIndex(key, item)
	}
}

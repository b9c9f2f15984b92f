package own

import (
	"fmt"
	"go/token"
	"reflect"
	"strings"

	"metalab/gpu/ptx"
	"metalab/gpu/ptx/extract"
)

// A leaf is a field of the problem's type that kernels use: a slice, or what holds none.
type leaf struct {
	path  string // from the type: in.Weight
	index []int  // as reflect.Value.FieldByIndex has it
	typ   reflect.Type
	size  int // of an element, in bytes

	// For a slice; see source.classify.
	commit bool // an applied move changes it: each walk has its own
	eval   bool // an evaluation changes it: each thread has its own
}

func (l *leaf) slice() bool { return l.typ.Kind() == reflect.Slice }

// A refusal is what of a problem cannot be compiled, and where it stands.
func refusal(at token.Position, format string, a ...any) error {
	return &ptx.Refusal{Pos: at, Why: fmt.Sprintf(format, a...)}
}

// leavesOf lists the fields that the text keeps of the structure t and of those that it embeds.
func leavesOf(t reflect.Type, part *extract.Part) (all []leaf, err error) {
	var walk func(t reflect.Type, path string, index []int, at token.Position) error
	field := func(f reflect.StructField, path string, index []int, at token.Position) error {
		index = append(append([]int{}, index...), f.Index...)
		return walk(f.Type, path+f.Name, index, at)
	}
	walk = func(t reflect.Type, path string, index []int, at token.Position) error {
		kept, narrow := part.Fields[t.Name()]
		if t.Kind() == reflect.Struct && (narrow || holdsSlice(t)) {
			prefix := path
			if prefix != "" {
				prefix += "."
			}
			if narrow {
				for _, k := range kept {
					f, ok := t.FieldByName(k.Name)
					if !ok || len(f.Index) != 1 {
						return refusal(k.Pos, "field %s is not in the value that the constructor makes", k.Name)
					}
					if err := field(f, prefix, index, k.Pos); err != nil {
						return err
					}
				}
				return nil
			}
			for i := range t.NumField() {
				if err := field(t.Field(i), prefix, index, at); err != nil {
					return err
				}
			}
			return nil
		}
		l := leaf{path: path, index: index, typ: t}
		elem := t
		if l.slice() {
			elem = t.Elem()
		}
		if _, err := ptx.Layout(elem); err != nil {
			return refusal(at, "field %s is a %s, and the GPU has numbers, arrays, structures and slices "+
				"of these: %s", path, t, instead(elem))
		}
		if elem.Name() != "" && elem.PkgPath() != "" && elem.PkgPath() != t.PkgPath() &&
			strings.Contains(elem.Name(), "[") {
			return refusal(at, "field %s is of the generic type %s: write it out", path, elem)
		}
		l.size = int(elem.Size())
		all = append(all, l)
		return nil
	}
	return all, walk(t, "", nil, token.Position{})
}

// instead says what to write in place of a type.
func instead(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice:
		return "of a matrix make one slice, row after row, m[i*n+j]"
	case reflect.Map:
		return "in place of a map take a slice by number"
	case reflect.String:
		return "leave strings to methods that Cost, Delta and the others do not call"
	case reflect.Pointer:
		return "embed the structure itself, or keep numbers of elements in place of pointers"
	}
	return "leave it to methods that Cost, Delta and the others do not call"
}

// holdsSlice tells whether a type has a slice in it, which no array's element may have.
func holdsSlice(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice:
		return true
	case reflect.Struct:
		for i := range t.NumField() {
			if holdsSlice(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}

// text is the name of a type in the problem's own source, whose package is pkg.
func text(t reflect.Type, pkg string) string { return strings.ReplaceAll(t.String(), pkg+".", "") }

package emulate

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// A Struct is a struct of the kernels, by its name there, and the Go struct that stands for it.
type Struct struct {
	Name string
	Form any
}

// Layout holds Go structs to the kernels': the same number of fields, at the same places and of the
// same sizes, in the same order. A Form that is an int is the size of the kernels' struct.
func (p *Program) Layout(t testing.TB, main string, structs ...Struct) {
	t.Helper()
	here, err := filepath.Abs(main)
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("#define main not_this\n#include %q\n#undef main\nint main() {\n", here)
	for _, s := range structs {
		if _, size := s.Form.(int); !size {
			for _, f := range p.fields(t, s.Name) {
				text += fmt.Sprintf("\tprintf(\"%%zu:%%zu \", offsetof(%s, %s), sizeof(%s::%s));\n", s.Name, f,
					s.Name, f)
			}
		}
		text += fmt.Sprintf("\tprintf(\"%%zu\\n\", sizeof(%s));\n", s.Name)
	}
	source, program := filepath.Join(p.dir, "layout.cc"), filepath.Join(p.dir, "layout")
	if err := os.WriteFile(source, []byte(text+"}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := p.compile(source, program); err != nil {
		t.Fatal(err)
	}
	out, err := (&Program{path: program}).Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	for i, s := range structs {
		want := fmt.Sprint(s.Form)
		if _, size := s.Form.(int); !size {
			typ := reflect.TypeOf(s.Form)
			want = fieldsOf(typ, 0) + fmt.Sprint(typ.Size())
		}
		if lines[i] != want {
			t.Errorf("the kernels' %s has offset:size %s, %T has %s", s.Name, lines[i], s.Form, want)
		}
	}
}

// fieldsOf lists a struct's fields as offset:size, those of embedded ones in their places.
func fieldsOf(t reflect.Type, at uintptr) (out string) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			out += fieldsOf(f.Type, at+f.Offset)
			continue
		}
		out += fmt.Sprintf("%d:%d ", at+f.Offset, f.Type.Size())
	}
	return out
}

var (
	comments   = regexp.MustCompile(`//[^\n]*`)
	declarator = regexp.MustCompile(`(\w+)(\[\w+\])?$`)
)

// fields are the names of a struct's fields, from the sources.
func (p *Program) fields(t testing.TB, name string) (fields []string) {
	t.Helper()
	headers, err := filepath.Glob(filepath.Join(p.dir, "*.cuh"))
	if err != nil {
		t.Fatal(err)
	}
	files := append([]string{filepath.Join(p.dir, p.file)}, headers...)
	begin := regexp.MustCompile(`struct (__align__\(\w+\) )?` + name + ` \{`)
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		at := begin.FindIndex(text)
		if at == nil {
			continue
		}
		body, _, _ := strings.Cut(string(text[at[1]:]), "};")
		for _, line := range strings.Split(comments.ReplaceAllString(body, ""), ";") {
			for _, part := range strings.Split(strings.TrimSpace(line), ",") {
				if m := declarator.FindStringSubmatch(strings.TrimSpace(part)); m != nil {
					fields = append(fields, m[1])
				}
			}
		}
		return fields
	}
	t.Fatalf("no struct %s in %v", name, files)
	return nil
}

package ants

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"metalab/solvers/ants/crew"
	"metalab/solvers/conform"
)

// structs are the Go forms of the kernels' structs, by source and name there.
var structs = []struct {
	source, name string
	form         any
}{
	{"lockstep.cu", "instance", instanceArg{}},
	{"lockstep.cu", "keys", keysArg{}},
	{"lockstep.cu", "job", job{}},
	{"lockstep.cu", "result", result{}},
	{"lockstep.cu", "rules", crew.Steps{}},
	{"lockstep.cu", "edge", edge{}},
	{"lockstep.cu", "lockstep_args", lockstepArg{}},
	{"alt.cu", "candidate", candidate{}},
	{"alt.cu", "memory", memoryArg{}},
	{"alt.cu", "rules", crew.Steps{}},
}

// TestLayout holds each Go struct to the kernels' one: the same number of fields, at the same
// places and of the same sizes, in the same order.
func TestLayout(t *testing.T) {
	conform.Brief(t, "a program is compiled for each struct, ten seconds of a core")
	needEmulator(t)
	for _, s := range structs {
		t.Run(s.source+" "+s.name, func(t *testing.T) {
			if _, err := emulator(s.source); err != nil { // leaves the sources as C++
				t.Fatal(err)
			}
			dir := filepath.Join(emulators.dir, s.source)
			fields := fieldsOf(t, dir, s.name)
			shims, err := os.ReadFile("testdata/emulate.cc")
			if err != nil {
				t.Fatal(err)
			}
			head, _, ok := strings.Cut(string(shims), "enum { SIZES")
			if !ok {
				t.Fatal("emulate.cc has no list of buffers")
			}
			main := "#include <cstddef>\nint main() {\n"
			for _, f := range fields {
				main += fmt.Sprintf("printf(\"%%zu:%%zu \", offsetof(%s, %s), sizeof(%s::%s));\n", s.name, f,
					s.name, f)
			}
			main += fmt.Sprintf("printf(\"%%zu\", sizeof(%s));\n}\n", s.name)
			source, program := filepath.Join(dir, "layout_"+s.name+".cc"),
				filepath.Join(dir, "layout_"+s.name)
			if err := os.WriteFile(source, []byte(head+main), 0o644); err != nil {
				t.Fatal(err)
			}
			def := "-D" + strings.ToUpper(strings.TrimSuffix(s.source, ".cu"))
			out, err := exec.Command("g++", "-std=c++17", "-w", "-I", dir, "-I", ".", def, "-o", program,
				source).CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			got, err := exec.Command(program).Output()
			if err != nil {
				t.Fatal(err)
			}
			typ := reflect.TypeOf(s.form)
			if want := layoutOf(typ, 0) + fmt.Sprint(typ.Size()); string(got) != want {
				t.Errorf("fields %v at offset:size %s, %v has %s", fields, got, typ, want)
			}
		})
	}
}

// layoutOf lists a struct's fields as offset:size, those of embedded ones in their places.
func layoutOf(t reflect.Type, at uintptr) (out string) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			out += layoutOf(f.Type, at+f.Offset)
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

// fieldsOf are the names of a struct's fields, from the sources in a folder.
func fieldsOf(t *testing.T, dir, name string) (fields []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.cu*"))
	if err != nil {
		t.Fatal(err)
	}
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

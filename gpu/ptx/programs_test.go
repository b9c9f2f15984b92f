package ptx_test

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"metalab/gpu/ptx"
)

// compiled runs the programs as Go compiles them, in a process of its own.
func compiled(t *testing.T, ps []program) []*input {
	t.Helper()
	var src strings.Builder
	lines := map[string]int{} // where each body begins
	src.WriteString(strings.Replace(head, "package k", "package main", 1))
	src.WriteString("type input struct {\n\tA []int64\n\tB []int32\n\tC []uint8\n\tF []float64\n" +
		"\tG []float32\n\tN int\n\tK int32\n\tOut []uint64\n\tAcc []int64\n\tError string\n}\n")
	for _, p := range ps {
		lines[p.name] = strings.Count(src.String(), "\n")
		src.WriteString(p.body)
	}
	src.WriteString("func main() {\n\tvar in []*input\n" +
		"\tif err := gob.NewDecoder(os.Stdin).Decode(&in); err != nil { panic(err) }\n")
	for i, p := range ps {
		fmt.Fprintf(&src, "\tif err := cuda.Run(cuda.Shape{Blocks: %d, Threads: %d}, func(t cuda.T) {\n"+
			"\t\tq := in[%d]\n\t\t%s(t, q.A, q.B, q.C, q.F, q.G, q.N, q.K, q.Out, q.Acc)\n"+
			"\t}); err != nil {\n\t\tin[%d].Error = err.Error()\n\t}\n", p.shape.Blocks, p.shape.Threads, i,
			p.name, i)
	}
	src.WriteString("\tif err := gob.NewEncoder(os.Stdout).Encode(in); err != nil { panic(err) }\n}\n")
	text := strings.Replace(src.String(), "import (\n", "import (\n\t\"encoding/gob\"\n\t\"os\"\n", 1)
	ins := execute(t, text, ps)
	for i, in := range ins { // lines as in the program's own file
		if in.Error == "" {
			continue
		}
		_, rest, _ := strings.Cut(in.Error, ":")
		line, what, _ := strings.Cut(rest, ": ")
		var n int
		fmt.Sscan(line, &n)
		n += strings.Count(head, "\n") - lines[ps[i].name] - 2 // the two imports
		in.Error = fmt.Sprintf("k.go:%d: %s", n, what)
	}
	return ins
}

// judge compares what a program gave with what it gives as Go.
func judge(t *testing.T, p program, who string, got, want *input, err error) {
	t.Helper()
	var f *ptx.Failure
	switch {
	case want.Error != "":
		if !errors.As(err, &f) {
			t.Fatalf("%s: %v, Go says %s\n%s", who, err, want.Error, p.text)
		}
		mine := fmt.Sprintf("k.go:%d: %s", f.Pos.Line, f.What)
		thread := fmt.Sprintf("(thread %d)", f.Thread)
		if !strings.HasPrefix(want.Error, mine) || !strings.HasSuffix(want.Error, thread) {
			t.Fatalf("%s: %v, Go says %s\n%s", who, err, want.Error, p.text)
		}
	case err != nil:
		t.Fatalf("%s: %v, Go finds nothing\n%s", who, err, p.text)
	default:
		for i := range want.Out {
			if got.Out[i] != want.Out[i] {
				t.Fatalf("%s: out[%d] is %#x, Go's %#x\n%s", who, i, got.Out[i], want.Out[i], p.text)
			}
		}
		for i := range want.Acc {
			if got.Acc[i] != want.Acc[i] {
				t.Fatalf("%s: acc[%d] is %d, Go's %d\n%s", who, i, got.Acc[i], want.Acc[i], p.text)
			}
		}
	}
}

// TestPrograms runs random programs of the subset as Go compiles them and as PTX, in all ways of
// compiling: the same words and the same failures.
func TestPrograms(t *testing.T) {
	t.Parallel()
	count := 150
	if testing.Short() {
		count = 30
	}
	ps := programs(count, 1)
	failed := 0
	for i, want := range compiled(t, ps) {
		if want.Error != "" {
			failed++
		}
		for _, o := range []ptx.Options{{Plain: true}, {}, {Bounded: true}} {
			m, err := ptx.Compile("k.go", ps[i].text, o)
			if err != nil {
				t.Fatalf("%v\n%s", err, ps[i].text)
			}
			got := ps[i].input()
			err = emulate(t, m, ps[i].name, ps[i].shape, 1<<40, got.args()...)
			judge(t, ps[i], fmt.Sprintf("program %d, %+v", i, o), got, want, err)
		}
	}
	if failed == 0 || failed > count*3/4 {
		t.Errorf("%d of %d programs fail: the generator tests little", failed, count)
	}
}

// FuzzPrograms compares random programs compiled with and without optimisation.
func FuzzPrograms(f *testing.F) {
	for s := range uint64(5) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		p := generate(0, seed)
		want, err := interpreted(t, p, ptx.Options{Plain: true})
		if err != nil {
			want.Error = sansColumn(err)
		}
		got, err := interpreted(t, p, ptx.Options{})
		judge(t, p, "optimised", got, want, err)
	})
}

// sansColumn is a failure as Go writes it.
func sansColumn(err error) string {
	var f *ptx.Failure
	if !errors.As(err, &f) {
		return err.Error()
	}
	return fmt.Sprintf("k.go:%d: %s (thread %d)", f.Pos.Line, f.What, f.Thread)
}

// interpreted runs a program in the interpreter.
func interpreted(t *testing.T, p program, o ptx.Options) (*input, error) {
	t.Helper()
	m, err := ptx.Compile("k.go", p.text, o)
	if err != nil {
		t.Fatalf("%v\n%s", err, p.text)
	}
	in := p.input()
	return in, emulate(t, m, p.name, p.shape, 1<<40, in.args()...)
}

// execute runs a main package with go run; it reads and writes inputs.
func execute(t *testing.T, text string, ps []program) (ins []*input) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{
		"go.mod": "module programs\n\ngo 1.26.0\n\nrequire metalab v0.0.0\n\nreplace metalab => " + root +
			"\n",
		"go.sum": string(sum), "main.go": text,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var data bytes.Buffer
	for _, p := range ps {
		ins = append(ins, p.input())
	}
	if err := gob.NewEncoder(&data).Encode(ins); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", "-mod=mod", ".")
	cmd.Dir, cmd.Stdin = dir, &data
	cmd.Env = append(os.Environ(), "GOAMD64=v1", "GOWORK=off", "GOFLAGS=-buildvcs=false")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%.3000s", err, stderr.String())
	}
	ins = nil
	if err := gob.NewDecoder(bytes.NewReader(out)).Decode(&ins); err != nil {
		t.Fatal(err)
	}
	return ins
}

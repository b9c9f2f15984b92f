package eval_test

import (
	"errors"
	"strings"
	"testing"

	"metalab/kernel/eval"
)

// An input that wants more memory than there is gets one line, whatever it asks by, and the session
// goes on with what it had.
func TestMemory(t *testing.T) { // not parallel: the heap is the process's
	const room = 256 << 20
	s, err := eval.New(eval.Config{Memory: room})
	if err != nil {
		t.Fatal(err)
	}
	do := func(src string) error {
		_, err := s.Eval(t.Context(), src)
		return err
	}
	for _, src := range []string{
		`import "bytes"`, `import "math/rand/v2"`, `import "os"`, `import "io"`, `import "bufio"`,
		`zero, _ := os.Open("/dev/zero")`, "n := 1 << 40", "kept := []int{7}",
		"func twice(x []byte) []byte { return append(x, x...) }",
	} {
		if err := do(src); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ src, want string }{
		{"make([]byte, 1<<46)", "1:5: panic: memory: make([]byte, 70368744177664) asks for 64 TiB; "},
		{"x := make([]byte, n)", "make([]byte, 1099511627776) asks for 1 TiB; "},
		{"make([]float64, 0, n)", "make([]float64, 1099511627776) asks for 8 TiB; "},
		{"make(map[string]int, n)", "make(map[string]int, 1099511627776) asks for "},
		{"make(chan [4]int, n)", "make(chan [4]int, 1099511627776) asks for 32 TiB; "},
		{"var a [1 << 45]byte", "asks for 32 TiB; "},
		{"a := new([1 << 45]byte)", "asks for 32 TiB; "},
		{"b := [1 << 41]int{5: 1}", "asks for 16 TiB; "},
		{"slices.Repeat([]int{1}, n)", "asks for 8 TiB; "},
		{"slices.Grow([]int{1}, n)", "asks for 8 TiB; "},
		{"x := strings.Repeat(\"ab\", n)", "strings.Repeat asks for 2 TiB; "},
		{"bytes.Repeat([]byte(\"ab\"), n)", "bytes.Repeat asks for 2 TiB; "},
		{"var b strings.Builder; b.Grow(n)", "Grow asks for 1 TiB; "},
		{"var b bytes.Buffer; b.Grow(n)", "Grow asks for 1 TiB; "},
		{"rand.Perm(n)", "rand.Perm asks for 8 TiB; "},
		{"rand.New(rand.NewPCG(1, 2)).Perm(n)", "Perm asks for 8 TiB; "},
		{"bufio.NewReaderSize(zero, n)", "bufio.NewReaderSize asks for 1 TiB; "},
		{"bufio.NewWriterSize(os.Stdout, n)", "bufio.NewWriterSize asks for 1 TiB; "},
		{"io.ReadAll(zero)", "io.ReadAll, after "},
		{"os.ReadFile(\"/dev/zero\")", "os.ReadFile, after "},
		{"word := \"x\"; for { word += word }", "a string of "},
		{"word := \"x\"; for { word = \"ab\" + word + word }", "a string of "},
		{"func() { _ = make([]int32, n) }()", "make([]int32, 1099511627776) asks for 4 TiB; "},
		{"all := []byte{1}; for { all = twice(all) }", "append of "},
		// What is gathered in small pieces, touched, in a variable that lives on or not.
		{
			"var all [][]byte; for { x := make([]byte, 1<<20); for i := 0; i < len(x); i += 4096 " +
				"{ x[i] = 1 }; all = append(all, x) }", "memory: Go at the prompt holds ",
		},
		{
			"m := map[int]string{}; for i := 0; ; i++ { m[i] = strings.Repeat(\"x\", 1<<12) }",
			"memory: Go at the prompt holds ",
		},
	} {
		src, want := c.src, c.want
		err := do(src)
		if !errors.Is(err, eval.ErrMemory) || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), " of the 256 MiB that are free") ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s\n got  %v\n want %s", src, err, want)
		}
		for _, name := range []string{"all", "m"} {
			if err := do(name + " = nil"); err != nil && !strings.Contains(err.Error(), "undefined") {
				t.Errorf("after %s: %v", src, err)
			}
		}
		if err := do("kept[0]++; kept = append(kept[:0], make([]int, 1<<20)...)"); err != nil {
			t.Fatalf("after %s: %v", src, err)
		}
	}
}

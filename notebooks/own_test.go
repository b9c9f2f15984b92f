package notebooks_test

import (
	"os"
	"strings"
	"testing"
)

// What the notebook about a solver of one's own promises holds in its file: the mistake is
// told in a line and costs nothing, the new code goes on, and all of it replays.
func TestASolverOfYourOwn(t *testing.T) {
	t.Parallel()
	const path = "03_a_solver_of_your_own.ipynb"
	all := ""
	for _, c := range read(t, path) {
		all += c.text()
	}
	for _, want := range []string{
		"walk: declared, code ", "temperature 2000 → 1000",
		"index out of range [1000] with length 1000, in (*Walk).try: w.pos[n] = 0",
		"the run stands at iteration 1400", "from iteration 1401",
		"iterations made again, by three codes, identical: true",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("the file does not show %q", want)
		}
	}
	st, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if st.Size() > 500_000 {
		t.Errorf("the file has %d bytes", st.Size())
	}
}

// The kernel in the notebook about them is the file beside it, and the search around it finds what
// it found, whoever makes its steps.
func TestAKernelOfYourOwn(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("two_opt.cu")
	if err != nil {
		t.Fatal(err)
	}
	code, all := "", ""
	for _, c := range read(t, "13_a_kernel_of_your_own.ipynb") {
		code += strings.Join(c.Source, "") + "\n"
		all += c.text()
	}
	if !strings.Contains(code, "const source = `"+string(source)) {
		t.Error("the kernel of the notebook is not that of two_opt.cu")
	}
	for _, want := range []string{
		"-187935 by the move (305, 351), of a tour of 25112334",
		"25112334 before, 18129319 after the descent", "17463203 after 200 kicks",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("the file does not show %q", want)
		}
	}
}

// The notebook about a problem of one's own finds the best known makespan, and takes no more code
// for it than it promises; its table that swaps keep is that of the example of metalab/solvers/own.
func TestAProblemOfYourOwn(t *testing.T) {
	t.Parallel()
	lines, all, table := 0, "", false
	for _, c := range read(t, "14_a_problem_of_your_own.ipynb") {
		all += c.text() + strings.Join(c.Source, "")
		table = table || strings.HasPrefix(c.Source[0], "## A table that swaps keep")
		for _, line := range c.Source {
			line = strings.TrimSpace(line)
			if c.Type == "code" && !table && line != "" && line != "%%" &&
				!strings.HasPrefix(line, "//") {
				lines++
			}
		}
	}
	if lines >= 150 {
		t.Errorf("%d lines of code, want less than 150", lines)
	}
	example, err := os.ReadFile("../solvers/own/example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := strings.Cut(string(example), "\n\n// Assignment is")
	code, _, ok := strings.Cut(code, "\n\n// A table that swaps keep")
	if !ok || !strings.Contains(all, "// Assignment is"+code) {
		t.Errorf("the notebook's table is not that of the example, %t:\n%s", ok, code)
	}
	for _, want := range []string{
		"4000 moves agree with Cost", "evaluated by DeltaInsert", "evaluated by DeltaSwap",
		"best 1278 (gap 0.000%)", "best,solution of a", "greedy: declared, code ",
		"2500 iterations made again, identical: true", "SwappedRow", "iteration 200, best 6630",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("the file does not show %q", want)
		}
	}
}

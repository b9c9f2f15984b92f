package notebooks_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	exercise = regexp.MustCompile(`(?m)^\*\*\d+\.\*\* `)
	answer   = regexp.MustCompile(`(?s)<details><summary>Answer</summary>\n\n(.+?)\n\n</details>`)
	goBlock  = regexp.MustCompile("(?s)```go\n(.+?)\n```")
)

// exercises are the texts of a notebook's exercises.
func exercises(t *testing.T, path string) string {
	t.Helper()
	for _, c := range read(t, path) {
		if s := strings.Join(c.Source, ""); c.Type == "markdown" && strings.HasPrefix(s, "## Exercise") {
			return s
		}
	}
	return ""
}

// Each lesson has two exercises or more, each reproduction of a paper one or more, and each
// exercise an answer that is hidden until it is asked for.
func TestExercises(t *testing.T) {
	t.Parallel()
	for _, path := range notebooks(t) {
		want := 2
		switch {
		case path > "13":
			continue
		case path > "08":
			want = 1
		}
		text := exercises(t, path)
		asked, told := len(exercise.FindAllString(text, -1)), len(answer.FindAllString(text, -1))
		if asked < want || told != asked {
			t.Errorf("%s has %d exercises with %d answers, want %d or more", path, asked, told, want)
		}
	}
}

// firstNotebooks are those that go test executes without Jupyter, all of them where
// METALAB_NOTEBOOKS is all. Jupyter executes all in CI, see [TestExecuted]; 02 takes a minute, and
// [TestTuningInJupyter] has its cells.
var firstNotebooks = []string{"00_first_steps.ipynb", "03_a_solver_of_your_own.ipynb"}

// A notebook runs from beginning to end without Jupyter, and what a reader of the file sees is what
// running it shows. So do the answers of its exercises, behind it: of the first steps here, of all
// where METALAB_NOTEBOOKS is all.
func TestNotebooks(t *testing.T) {
	t.Parallel()
	all := os.Getenv("METALAB_NOTEBOOKS") == "all"
	for _, path := range notebooks(t) {
		if !slices.Contains(firstNotebooks, path) && !all {
			continue
		}
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			h := tool(t)
			dir := t.TempDir()
			file, n := filepath.Join(dir, path), 0
			if all || path == firstNotebooks[0] {
				n = withAnswers(t, path, file)
			} else {
				copyFile(t, path, file)
			}
			if err := os.CopyFS(filepath.Join(dir, "records"), os.DirFS("records")); err != nil {
				t.Fatal(err)
			}
			copyFile(t, "capitals.csv", filepath.Join(dir, "capitals.csv"))
			h.exec(t, file, file)
			asKept(t, file, path, n)
		})
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// withAnswers writes a notebook to a file, with the answers of its exercises as cells behind it,
// and returns how many there are.
func withAnswers(t *testing.T, path, file string) int {
	t.Helper()
	var answers []any
	for _, a := range answer.FindAllStringSubmatch(exercises(t, path), -1) {
		for _, code := range goBlock.FindAllStringSubmatch(a[1], -1) {
			answers = append(answers, map[string]any{
				"cell_type": "code", "metadata": map[string]any{}, "outputs": []any{},
				"execution_count": nil, "source": strings.SplitAfter(code[1], "\n"),
			})
		}
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var nb map[string]any
	if err := json.Unmarshal(b, &nb); err != nil {
		t.Fatal(err)
	}
	nb["cells"] = append(nb["cells"].([]any), answers...)
	if b, err = json.Marshal(nb); err == nil {
		err = os.WriteFile(file, b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return len(answers)
}

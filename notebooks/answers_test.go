package notebooks_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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

// Answers of exercises run in the notebook that they belong to: those of the first steps here, of
// all notebooks where METALAB_NOTEBOOKS is all.
func TestAnswers(t *testing.T) {
	program, prefix := tool(t)
	for _, path := range notebooks(t) {
		if path != "00_first_steps.ipynb" && os.Getenv("METALAB_NOTEBOOKS") != "all" {
			continue
		}
		var answers []any
		for _, a := range answer.FindAllStringSubmatch(exercises(t, path), -1) {
			for _, code := range goBlock.FindAllStringSubmatch(a[1], -1) {
				answers = append(answers, map[string]any{
					"cell_type": "code", "metadata": map[string]any{}, "outputs": []any{},
					"execution_count": nil, "source": code[1],
				})
			}
		}
		if answers == nil {
			continue
		}
		t.Run(path, func(t *testing.T) {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var nb map[string]any
			if err := json.Unmarshal(b, &nb); err != nil {
				t.Fatal(err)
			}
			nb["cells"] = append(nb["cells"].([]any), answers...)
			if b, err = json.Marshal(nb); err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			if err := os.CopyFS(filepath.Join(dir, "records"), os.DirFS("records")); err != nil {
				t.Fatal(err)
			}
			table, err := os.ReadFile("capitals.csv")
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(dir, path)
			for name, b := range map[string][]byte{
				filepath.Join(dir, "capitals.csv"): table, file: b,
			} {
				if err := os.WriteFile(name, b, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if out, err := exec.Command(program, "exec", "-q", "-prefix", prefix, "-o", file,
				file).CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

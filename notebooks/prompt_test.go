package notebooks_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"metalab/kernel/browser/prompt"
	_ "metalab/solvers/ants" // registers acs and mmas
)

// promptLines are the lines of the prompt that the metadata of a notebook's cells have, for the
// site, cell by cell.
func promptLines(t *testing.T, path string) (all [][]string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var book struct {
		Cells []struct {
			Metadata struct {
				Prompt []string `json:"prompt"`
			} `json:"metadata"`
		} `json:"cells"`
	}
	if err := json.Unmarshal(b, &book); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	for _, c := range book.Cells {
		if c.Metadata.Prompt != nil {
			all = append(all, c.Metadata.Prompt)
		}
	}
	return all
}

// The lines that the site's links bring to the prompt of a page are carried out by it.
func TestPromptLines(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it makes the runs of the course")
	}
	cells := 0
	for _, path := range notebooks(t) {
		lines := promptLines(t, path)
		if lines == nil {
			continue
		}
		cells += len(lines)
		t.Run(strings.TrimSuffix(path, ".ipynb"), func(t *testing.T) {
			t.Parallel()
			s, end, err := prompt.Start(t.Context(), t.TempDir(), t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			defer end()
			for _, cell := range lines {
				for _, line := range cell {
					s.Do(t.Context(), line, prompt.Request{Do: "line", Text: line}, func(e prompt.Event) {
						if e.Kind == "error" {
							t.Errorf("%s: %s", line, e.Text)
						}
					})
				}
			}
		})
	}
	if cells < 10 {
		t.Errorf("%d cells have lines of the prompt", cells)
	}
}

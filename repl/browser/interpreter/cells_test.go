package interpreter

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"metalab/kernel/browser/prompt"
	_ "metalab/solvers/anneal"
	_ "metalab/solvers/ants"
	_ "metalab/solvers/genetic"
	_ "metalab/solvers/ils"
	_ "metalab/solvers/moves"
	_ "metalab/solvers/recombine"
)

// A tab is a page without a browser: the prompt's session and that of Go, which ask each other.
type tab struct {
	t      *testing.T
	prompt *prompt.Session
	gopher *session
	link   *link
	said   []string
	begun  string
	last   int
}

func newTab(t *testing.T) *tab {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Chdir(dir)
	ctx, cancel := context.WithCancel(t.Context())
	s, end, err := prompt.Start(ctx, dir, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(end)
	t.Cleanup(cancel)
	b := &tab{t: t, prompt: s}
	go s.Follow(ctx, func(prompt.Event) {})
	b.link = &link{ask: b.ask, drop: func(string) {}, waiting: map[string]chan answer{}}
	if b.gopher, err = newSession(b.link, dir, func(string) {}); err != nil {
		t.Fatal(err)
	}
	return b
}

// ask passes a question of Go on to the prompt's session.
func (b *tab) ask(q question) {
	go func() {
		var a answer
		b.prompt.Do(b.t.Context(), "go."+q.Key,
			prompt.Request{Do: "call", Verb: q.Verb, Body: q.Body}, func(e prompt.Event) {
				switch e.Kind {
				case "done":
					a.Raw = e.Raw
				case "error":
					a.Text, a.Code = e.Text, e.Code
				}
			})
		b.link.give(q.Key, a)
	}()
}

// line types a line, and returns what was wrong.
func (b *tab) line(text string) (wrong string) {
	if b.begun != "" {
		text = b.begun + "\n" + text
	}
	b.begun = ""
	b.last++
	b.prompt.Do(b.t.Context(), fmt.Sprint(b.last), prompt.Request{Do: "line", Text: text, Cols: 80},
		func(e prompt.Event) {
			switch e.Kind {
			case "go":
				go b.goes(*e.Wish)
			case "out":
				b.said = append(b.said, e.Text)
			case "error":
				wrong = e.Text
			case "done":
				if e.More {
					b.begun = text
				}
			}
		})
	return wrong
}

// goes lets Go do what the prompt's session wishes.
func (b *tab) goes(w prompt.Wish) {
	went := prompt.Went{Key: w.Key}
	b.gopher.do(b.t.Context(), Request{Do: w.Do, Text: w.Text, Cols: w.Cols}, func(e Event) {
		switch e.Kind {
		case "out":
			b.said = append(b.said, e.Text)
		case "error":
			went.Error = e.Text
		case "done":
			went.More, went.Text = e.More, e.Text
		}
	})
	b.prompt.Do(b.t.Context(), "went", prompt.Request{Do: "went", Went: &went},
		func(prompt.Event) {})
}

// What stands beside the cells of the course runs in a page, each cell after those before it.
func TestCellsRunInAPage(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 on PATH")
	}
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	books, err := filepath.Glob(filepath.Join(root, "notebooks", "[0-9]*.ipynb"))
	if err != nil || len(books) == 0 {
		t.Fatalf("there are no notebooks: %v", err)
	}
	for _, book := range books {
		name := filepath.Base(book)
		if os.Getenv("METALAB_NOTEBOOKS") != "all" && name[:2] != "01" {
			continue // minutes
		}
		t.Run(name, func(t *testing.T) {
			out, err := exec.Command(python, filepath.Join(root, ".ci/beside.py"), book).Output()
			if err != nil {
				t.Fatal(err)
			}
			var cells []struct {
				Cell   int
				Inputs []string
				Why    string
			}
			if err := json.Unmarshal(out, &cells); err != nil {
				t.Fatal(err)
			}
			b := newTab(t)
			done := 0
			for _, c := range cells {
				if (len(c.Inputs) > 0) == (c.Why != "") {
					t.Errorf("cell %d has %d inputs, and %q", c.Cell, len(c.Inputs), c.Why)
				}
				for i := done; i < len(c.Inputs); i++ {
					if wrong := b.line(c.Inputs[i]); wrong != "" {
						t.Errorf("cell %d: %s: %s", c.Cell, c.Inputs[i], wrong)
					}
					done = i + 1
				}
				if b.begun != "" {
					t.Errorf("cell %d does not end: %s", c.Cell, b.begun)
					b.begun = ""
				}
			}
			t.Log(strings.Join(b.said, "\n"))
		})
	}
}

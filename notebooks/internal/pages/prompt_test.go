package pages_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"

	"metalab/kernel/browser/bundle"
	"metalab/notebooks/internal/browser"
)

// engines builds the programs of a page with a prompt into a folder, once for all tests.
var engines = sync.OnceValues(func() (page bundle.PromptPage, err error) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		return page, err
	}
	dir := os.Getenv("METALAB_ENGINES") // a folder that keeps them from test to test
	if dir == "" {
		if dir, err = os.MkdirTemp("", "metalab-pages-"); err != nil {
			return page, err
		}
		enginesIn = dir
	}
	page.Engine, err = bundle.BuildProgram(context.Background(), bundle.Prompt, root, dir,
		func(int64, int64, string) {})
	return page, err
})

var enginesIn string // their folder

// prompted writes a page with a prompt into a folder.
func prompted(t testing.TB, dir string) *bundle.Engine {
	t.Helper()
	page, err := engines()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := page.Write(&b); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "prompt.html"), b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := page.Engine.CopyTo(dir); err != nil {
		t.Fatal(err)
	}
	return page.Engine
}

// firstMinutes are the lines of README's first five minutes.
func firstMinutes(t *testing.T) []string {
	t.Helper()
	b, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(b), "## The first five minutes")
	_, text, ok2 := strings.Cut(text, "```lab\n")
	text, _, ok3 := strings.Cut(text, "```")
	if !ok || !ok2 || !ok3 {
		t.Fatal("README has no block of the first five minutes")
	}
	return strings.Split(strings.TrimSpace(text), "\n")
}

const (
	idle   = `document.querySelector("#stop").hidden && document.querySelector("#line").value === ""`
	logged = `[...document.querySelectorAll("#log > *")].map(e => e.textContent).join("\n")`
	wrong  = `[...document.querySelectorAll("#log .wrong")].map(e => e.textContent).join("\n")`
)

// TestPromptPage types into the prompt of a page: README's first five minutes, by the keyboard
// alone; completion, a file of the reader's, ^C, what a page does not have.
func TestPromptPage(t *testing.T) {
	t.Parallel()
	b := browser.Start(t)
	dir := filepath.Join(t.TempDir(), "deep", "down")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	e := prompted(t, dir)
	var mu sync.Mutex
	var asked []string
	files := http.FileServer(http.Dir(filepath.Dir(filepath.Dir(dir))))
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, r.URL.Path)
		mu.Unlock()
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)

	t.Run("five minutes", func(t *testing.T) {
		p := b.Open(srv.URL + "/deep/down/prompt.html")
		p.Size(1100, 900, 1, false)
		p.Wait(`document.querySelector("#status").textContent === "ready"`)
		t.Logf("ready after %s ms", p.Text(`Math.round(performance.now())`))
		for _, line := range firstMinutes(t) {
			p.Type("#line", line+"\r")
			p.Wait(idle)
			if line == "watch a" {
				p.Wait(`document.querySelector("#watched img").naturalWidth > 0`)
				before := p.Text(`document.querySelector("#watched img").src.length + " " + ` +
					`document.querySelector("#watched img").src.slice(-4000)`)
				p.Wait(`document.querySelector("#watched img").src.length + " " + ` +
					`document.querySelector("#watched img").src.slice(-4000) !== ` + quoted(before))
				p.Shot("prompt-watching", false)
			}
		}
		if got := p.Text(wrong); got != "" {
			t.Errorf("README's lines: %s\n%s", got, p.Text(logged))
		}
		text := p.Text(logged)
		for _, want := range []string{
			"identical", "> replay a.run", "a: acs/seq, E1k.0 (1000), seed 42",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("the page does not say %q:\n%s", want, text)
			}
		}
		if n := p.Text(`document.querySelectorAll("#log img").length`); n != "1" {
			t.Errorf("the log has %s figures, want 1", n)
		}
		if !p.True(`document.querySelector("#watched").hidden`) {
			t.Error("watch off leaves the figure")
		}
		p.Shot("prompt", true)
		p.Type("#line", "open a\t")
		p.Wait(`!document.querySelector("#offers").hidden`)
		p.Axe("prompt")

		t.Log(text, p.Text(`document.querySelector("#memory").textContent`))

		// What was saved is taken home, and the same record as on this machine.
		p.Eval(`URL.createObjectURL = b => { window.got = b; return "#" }`, nil)
		p.Click(`[aria-label="Download a.run"]`)
		var text2 string
		p.Eval(`window.got.text()`, &text2)
		path := filepath.Join(dir, "home.run")
		if err := os.WriteFile(path, []byte(text2), 0o644); err != nil {
			t.Fatal(err)
		}
		s := start(t)
		if said := s.do("replay " + path).String(); !strings.Contains(said, "identical") {
			t.Errorf("here the record of the page is replayed: %s", said)
		}
	})

	t.Run("phone", func(t *testing.T) {
		p := b.Open(srv.URL + "/deep/down/prompt.html#lines=" +
			url.PathEscape("open acs rand-100-1 as a seed=1\nstep a 20\nplot a tour"))
		p.Size(400, 800, 2, true)
		p.Wait(`!document.querySelector("#given").hidden`)
		p.Click("#run")
		p.Wait(`document.querySelectorAll("#log img").length === 1 && ` + idle)
		if w := p.Text("document.documentElement.scrollWidth"); w != "400" {
			t.Errorf("the page is %s pixels wide in a window of 400", w)
		}
		if w := p.Text(`document.querySelector("#log").scrollWidth - document.querySelector("#log").` +
			`clientWidth`); w != "0" {
			t.Errorf("the log is %s pixels wider than its place", w)
		}
		p.Shot("prompt-narrow", true)
		p.Size(400, 800, 1, false)
		p.Wait(`document.querySelector("#log img").complete`)
		p.Picture("../../../kernel/browser/bundle/prompt.png", `document.querySelector("header")`)

		// Completion by the keyboard.
		p.Type("#line", "set a q\t")
		p.Wait(`document.querySelector("#line").value.startsWith("set a q0=")`)
		p.Eval(`document.querySelector("#line").value = ""`, nil)
		p.Type("#line", "p\t")
		p.Wait(`!document.querySelector("#offers").hidden`)
		p.Shot("prompt-offers", true)
		p.Type("#line", "\t\t")
		p.Wait(`document.querySelector("#offers [aria-selected=true]").textContent.startsWith(` +
			`document.querySelector("#line").value)`)
		p.Eval(`document.querySelector("#line").value = ""`, nil)

		// ^C ends a step at an iteration; the run is there.
		p.Type("#line", "step a 1000000\r")
		p.Wait(`!document.querySelector("#stop").hidden && ` +
			`/iteration [3-9]\d|iteration \d\d\d/.test(document.querySelector("#status").textContent)`)
		p.Eval(`dispatchEvent(new KeyboardEvent("keydown", {key: "c", ctrlKey: true}))`, nil)
		p.Wait(idle)
		if got := p.Text(logged); !strings.Contains(got,
			"interrupted: the run stands after its last whole iteration; a: iteration ") {
			t.Errorf("^C: %s", got)
		}

		// A file of the reader's, and what there is not.
		mine := filepath.Join(t.TempDir(), "mine.csv")
		if err := os.WriteFile(mine, []byte("name,x,y\nA,0,0\nB,9,1\nC,12,8\nD,3,7\nE,5,2\n"),
			0o644); err != nil {
			t.Fatal(err)
		}
		p.Do(chromedp.SetUploadFiles("#file", []string{mine}, chromedp.ByQuery))
		p.Wait(logged + `.includes("mine.csv is here")`)
		p.Type("#line", "open ils mine.csv as m; step m 2; route m\r")
		p.Wait(idle)
		if got := p.Text(wrong); strings.Contains(got, "mine") {
			t.Errorf("a file of the reader's: %s", got)
		}
		p.Type("#line", "experiment e1\r")
		p.Wait(idle)
		p.Type("#line", "devices\r")
		p.Wait(idle)
		got := p.Text(wrong)
		for _, want := range []string{"experiment: a page", "devices: a page"} {
			if !strings.Contains(got, want) {
				t.Errorf("a page says %q, want %q in it", got, want)
			}
		}
	})

	t.Run("from a disk", func(t *testing.T) {
		p := b.Open("file://" + dir + "/prompt.html")
		p.Wait(`document.querySelector("#status").textContent === "ready"`)
		p.Type("#line", "open tabu tai12a as q; step q 5; best q\r")
		p.Wait(`document.querySelector("#log").textContent.includes("q: tabu") && ` + idle)
		if got := p.Text(wrong); got != "" {
			t.Error(got)
		}
	})

	mu.Lock()
	defer mu.Unlock()
	for _, path := range asked {
		switch strings.TrimPrefix(path, "/deep/down/") {
		case "prompt.html", e.Name(), "/favicon.ico":
		default:
			t.Errorf("the server was asked for %s", path)
		}
	}
}

// quoted is a text as JavaScript has it.
func quoted(s string) string {
	b, _ := json.Marshal(s) // a string: it cannot fail
	return string(b)
}

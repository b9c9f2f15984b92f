package pages_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"metalab/notebooks/internal/browser"
)

// asks reports whether the page asks before it is left.
const asks = `!dispatchEvent(new Event("beforeunload", {cancelable: true}))`

// ready waits until the prompt of a page takes lines.
func ready(p *browser.Page) {
	p.Wait(`document.querySelector("#status").textContent === "ready" && ` +
		`document.querySelector("#keeping").textContent !== ""`)
}

// enter types a line and waits until it was carried out.
func enter(p *browser.Page, line string) {
	p.Type("#line", line+"\r")
	p.Wait(idle)
}

// TestPromptKeeps loses nothing at a reload: the page asks first, and offers lines, files and runs
// again.
func TestPromptKeeps(t *testing.T) {
	t.Parallel()
	b := browser.Start(t)
	dir := t.TempDir()
	prompted(t, dir)
	srv := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(srv.Close)
	for _, url := range []string{srv.URL + "/prompt.html", "file://" + dir + "/prompt.html"} {
		p := b.Open(url)
		ready(p)
		if p.True(asks) {
			t.Error("the page asks though nothing was made")
		}
		enter(p, "open acs rand-60-1 as a seed=7")
		if p.True(asks) {
			t.Error("the page asks for a run without iterations")
		}
		enter(p, "step a 20")
		if !p.True(asks) {
			t.Error("the page does not ask for a run that was made")
		}
		enter(p, "save a a.run")
		if !p.True(asks) {
			t.Error("the page does not ask for files that were not taken home")
		}
		p.Eval(`HTMLAnchorElement.prototype.click = () => {}`, nil)
		p.Click(`[aria-label="Download a.run"]`)
		p.Click(`[aria-label="Download a.run.state"]`)
		if p.True(asks) {
			t.Error("the page asks though all was taken home")
		}
		enter(p, "step a 10; set a q0=0.7; step a 5")
		enter(p, "best a")
		want := p.Text(`document.querySelector("#log").lastChild.textContent`)
		mine := filepath.Join(t.TempDir(), "mine.csv")
		cities := []byte("name,x,y\nA,0,0\nB,9,1\nC,12,8\nD,3,7\n")
		if err := os.WriteFile(mine, cities, 0o644); err != nil {
			t.Fatal(err)
		}
		p.Do(chromedp.SetUploadFiles("#file", []string{mine}, chromedp.ByQuery))
		p.Wait(logged + `.includes("mine.csv is here")`)
		if !p.True(asks) {
			t.Error("the page does not ask for iterations that were made since the file")
		}
		// The autosaves are asked for every other second; the record is whole when it has the change.
		whole := `(async () => {
			const came = q => new Promise(done => { q.onsuccess = () => done(q.result) })
			const db = await came(indexedDB.open("metalab-prompt", 1))
			const all = await came(db.transaction("parts").objectStore("parts").getAll())
			db.close()
			return all.some(v => v instanceof Uint8Array && /"i":35\b/.test(new TextDecoder().decode(v)))
		})()`
		for kept := false; !kept; {
			p.Eval(whole, &kept)
		}

		p.Do(reload)
		ready(p)
		p.Wait(`!document.querySelector("#before").hidden`)
		said := p.Text(`document.querySelector("#before").textContent`)
		for _, part := range []string{"run a", "files a.run, a.run.state, mine.csv", "5 lines"} {
			if !strings.Contains(said, part) {
				t.Errorf("kept is %q, want %q in it", said, part)
			}
		}
		p.Axe("prompt-kept")
		p.Click(`#before button`)
		p.Wait(`document.querySelector("#before").hidden && ` + logged + `.includes("> recover page-")`)
		p.Wait(idle)
		enter(p, "best a")
		if got := p.Text(`document.querySelector("#log").lastChild.textContent`); got != want {
			t.Errorf("the run is\n%s\nwant\n%s\n%s", got, want, p.Text(logged))
		}
		if got := p.Text(wrong); got != "" {
			t.Error(got)
		}
		if !p.True(asks) {
			t.Error("the page does not ask for what it brought back")
		}
		p.Eval(`document.querySelector("#line").focus()`, nil)
		p.Type("#line", kb.ArrowUp+kb.ArrowUp)
		if got := p.Text(`document.querySelector("#line").value`); !strings.HasPrefix(got, "step a 10") {
			t.Errorf("the lines of before are not there: %q", got)
		}
		p.Eval(`document.querySelector("#line").value = ""`, nil)

		// A second page does not offer what an open one has, and what is forgotten has gone.
		q := b.Open(url)
		ready(q)
		if !q.True(`document.querySelector("#before").hidden`) {
			t.Errorf("offered: %s", q.Text(`document.querySelector("#before").textContent`))
		}
		q.Close()
		p.Do(reload)
		ready(p)
		p.Wait(`!document.querySelector("#before").hidden`)
		p.Click(`#before button + button`)
		p.Wait(`document.querySelector("#before").hidden`)
		p.Do(reload)
		ready(p)
		if !p.True(`document.querySelector("#before").hidden`) {
			t.Error("what was forgotten is offered")
		}
	}
}

// TestPromptKeepsNothing says where the browser keeps nothing.
func TestPromptKeepsNothing(t *testing.T) {
	t.Parallel()
	b := browser.Start(t)
	dir := t.TempDir()
	prompted(t, dir)
	page, err := os.ReadFile(dir + "/prompt.html")
	if err != nil {
		t.Fatal(err)
	}
	without := strings.Replace(string(page), "<script>",
		`<script>Object.defineProperty(self, "indexedDB", {get() { throw new Error("denied") }})`+
			"</script><script>", 1)
	if err := os.WriteFile(dir+"/prompt.html", []byte(without), 0o644); err != nil {
		t.Fatal(err)
	}
	p := b.Open("file://" + dir + "/prompt.html")
	ready(p)
	if got := p.Text(`document.querySelector("#keeping").textContent`); !strings.Contains(got,
		"keeps nothing of this page (denied)") {
		t.Errorf("it says %q", got)
	}
	enter(p, "open acs rand-60-1 as a; step a 3")
	if !p.True(asks) {
		t.Error("the page does not ask")
	}
}

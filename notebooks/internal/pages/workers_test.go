package pages_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"metalab/notebooks/internal/browser"
	"metalab/solvers/experiment/stream"
	"metalab/solvers/experiment/stream/broker"
)

// crew is a broker that a session finds as this machine's, and what starts workers.
type crew struct {
	*session
	a stream.Address
}

func crewOf(s *session) *crew {
	s.Helper()
	token := strings.Repeat("0a", 16)
	b, err := broker.Start(broker.Options{Token: token, Dir: s.TB.TempDir()})
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(b.Close)
	text, err := json.Marshal(map[string]string{"url": b.URL(), "token": token})
	if err == nil {
		err = os.MkdirAll(s.state, 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(s.state, "broker.json"), text, 0o600)
	}
	if err != nil {
		s.Fatal(err)
	}
	return &crew{s, stream.Address{URL: b.URL(), Token: token}}
}

// join starts a worker, until the test ends; ended tells when it has.
func (c *crew) join(name string) (ended chan error) {
	c.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	joined, done := make(chan struct{}), make(chan struct{})
	t := stream.DefaultTiming
	t.Hello = time.Second
	w := &stream.Worker{
		Address: c.a, Name: name, Cores: 1, Timing: t, Joined: func(string) { close(joined) },
	}
	w.Options.Machine = "AMD EPYC 9B14, 2 cores"
	ended = make(chan error, 1)
	go func() { ended <- w.Run(ctx); close(done) }()
	c.Cleanup(func() { cancel(); <-done })
	<-joined
	return ended
}

// The dashboard lists the workers as they come, work and go, says why one gets no units, and ends
// them by mouse and by keys alone, on wide screens and on narrow ones.
func TestWorkersOnTheDashboard(t *testing.T) {
	t.Parallel()
	b := browser.Start(t)
	s := start(t)
	c := crewOf(s)
	p := b.Open(s.url())
	p.Wait(`document.querySelector(".workers .foot").textContent.includes("No worker has joined.")`)
	p.Wait(fmt.Sprintf(`document.querySelector(".workers .foot code").textContent === %q`,
		"repl worker "+c.a.URL))
	attic, cellar := c.join("attic"), c.join("cellar")
	row := func(name, what string) string {
		return fmt.Sprintf(`document.querySelector("tr[data-worker=%s] %s")`, name, what)
	}
	p.Wait(row("attic", ".badge") + `.textContent === "waiting"`)
	p.Wait(row("cellar", ".badge") + `.textContent === "waiting"`)
	s.broken("e") // of some units the revision is another one
	s.do("experiment e over=embed background")
	p.Wait(row("attic", "+ tr .why") + `.textContent.includes("here it is revision")`)
	p.Wait(`[...document.querySelectorAll("tr[data-worker]")].reduce((n, r) => ` +
		`n + Number(r.children[5].textContent), 0) === 15`)
	p.Wait(row("attic", ".badge") + `.textContent === "waiting"`)
	for _, k := range []struct {
		name string
		w, h int64
		dark bool
	}{{"wide", 1280, 900, false}, {"dark", 1280, 900, true}, {"phone", 400, 844, false}} {
		p.Size(k.w, k.h, 1, k.dark)
		p.Wait(fmt.Sprintf(`document.body.classList.contains("dark") === %v`, k.dark))
		if p.True(`document.documentElement.scrollWidth > innerWidth`) {
			t.Errorf("at %d pixels the page is %s wide", k.w,
				p.Text("document.documentElement.scrollWidth"))
		}
		// Both buttons are within the width of the screen.
		for _, name := range []string{"attic", "cellar"} {
			if x := p.Text(row(name, ".bar") + `.getBoundingClientRect().right <= innerWidth`); x != "true" {
				t.Errorf("at %d pixels the buttons of %s are not on the screen", k.w, name)
			}
		}
		p.Shot("workers-"+k.name, false)
	}
	// By keys alone, while the rows are told anew.
	there := `document.activeElement.matches('[aria-label="drain worker attic"]')`
	for n := 0; !p.True(there); n++ {
		if n == 60 {
			t.Fatal("60 tabs do not lead to the button that drains attic")
		}
		keys(p, kb.Tab)
	}
	time.Sleep(2500 * time.Millisecond) // it is asked again meanwhile
	if !p.True(there) {
		t.Error("the focus is lost where the rows are told anew")
	}
	keys(p, kb.Enter)
	if err := <-attic; err != nil {
		t.Error(err)
	}
	p.Wait(`document.getElementById("note").textContent.includes("attic ends when its units")`)
	p.Wait(`!` + row("attic", ""))
	p.Click(`[aria-label="stop worker cellar"]`)
	if err := <-cellar; err != nil {
		t.Error(err)
	}
	p.Wait(`!` + row("cellar", ""))
	p.Wait(`document.querySelector(".workers .foot").textContent.includes("No worker has joined.")`)
	s.do("experiment e pause")
}

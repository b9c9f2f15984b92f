package pages_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"metalab/datasets"
	"metalab/kernel/reply"
	"metalab/notebooks/internal/browser"
	"metalab/solvers/experiment"
	"metalab/solvers/experiment/sqlite"
	"metalab/solvers/record"
)

// broken plans an experiment in the file of all experiments; the units of one row will fail.
func (s *session) broken(name string) {
	s.Helper()
	load := func(ctx context.Context, name string) (datasets.Instance, error) {
		return datasets.LoadContext(ctx, name)
	}
	p := experiment.Plan{
		Settings: []experiment.Setting{{Solver: "acs", Params: record.Of("ants", 5)}},
		Grid: []experiment.Axis{
			{Name: "q0", Values: []record.Value{record.Num(0.5), record.Num(0.9)}},
		},
		Instances: []string{"rand-60-1", "rand-60-2"}, Seeds: 5, First: 1,
		Budget: record.Budget{Iterations: 20},
	}
	units, err := p.Units(s.Context(), load)
	if err != nil {
		s.Fatal(err)
	}
	for i := range units {
		if u := &units[i]; u.Label == "q0=0.9" && u.Instance.Name == "rand-60-2" {
			u.Revision = 99
			if u.Key, err = u.MakeKey(); err != nil {
				s.Fatal(err)
			}
		}
	}
	f, err := sqlite.Open(filepath.Join(s.state, "experiments.sqlite"))
	if err != nil {
		s.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Add(s.Context(), name, p, units); err != nil {
		s.Fatal(err)
	}
}

// An experiment of the file is on the first page, is live while it is made, and shows its table,
// figures, failures and records.
func TestExperimentPage(t *testing.T) {
	t.Parallel()
	b := browser.Start(t)
	s := start(t)
	s.broken("e")
	p := b.Open(s.url())
	p.Wait(`document.querySelector('tr[data-experiment=e] .badge')?.textContent === "open"`)
	p.Wait(`document.querySelector(".experiment .far").textContent === "0 of 20 units done, 20 left"`)
	p.Wait(`document.querySelector(".charts").hidden`)
	p.Wait(`document.querySelectorAll(".units tbody tr").length === 20`)
	p.Shot("experiment-open", true)

	s.do("experiment e go")
	far := `document.querySelector(".experiment .far").textContent`
	p.Wait(far + ` === "15 of 20 units done, 5 failed"`)
	p.Wait(`document.querySelector(".failures").textContent.includes("the unit is of revision 99")`)
	p.Wait(`[...document.querySelectorAll(".results tbody tr")].length === 4`)
	p.Wait(`document.querySelectorAll(".charts .picture svg").length === 2`)
	p.Wait(`document.querySelector('.units button[aria-label="download the record of unit 3"]')`)
	if p.True(`document.querySelector('.units button[aria-label="download the record of unit 4"]')`) {
		t.Error("a unit that failed has a record")
	}
	for _, want := range []string{
		"box of experiment e on rand-60-1: a box", "error of experiment e on",
	} {
		if !p.True(fmt.Sprintf(`[...document.querySelectorAll(".picture")].some(e => `+
			`e.ariaLabel.includes(%q))`, want)) {
			t.Errorf("no picture is called %s", want)
		}
	}
	p.Click(`.results .tabs button[data-figure=best]`)
	// On a busy machine a unit may end before another has a result: then there is no such time.
	p.Wait(`document.querySelector(".results thead")?.textContent.includes("within") || ` +
		`document.querySelector(".results .words").textContent.includes("no equal times")`)
	p.Click(`.results .tabs button[data-figure=table]`)

	// The record of a unit replays.
	var text string
	p.Eval(`new Promise(done => {
		const old = URL.createObjectURL
		URL.createObjectURL = b => { b.text().then(done); return old.call(URL, b) }
		HTMLAnchorElement.prototype.click = () => {}
		document.querySelector('.units button[aria-label="download the record of unit 3"]').click()
	})`, &text)
	rec, err := record.Decode(strings.NewReader(text))
	if err != nil || !rec.Whole || rec.End != 20 || rec.Header.Seed != 1 {
		t.Errorf("the record: %v, %.300s", err, text)
	}

	// It is live.
	p.Click(`.charts .panel .tabs button[data-figure=median]`)
	s.do("experiment e seeds=12 background")
	// Those of another revision stay; the seeds are made by the revision that there is.
	p.Wait(far + ` === "48 of 53 units done, 5 failed"`)
	p.Wait(`document.querySelector(".results tbody td:nth-child(3)").textContent === "12"`)
	for _, c := range []struct {
		name string
		w, h int64
		dark bool
	}{{"wide", 1280, 900, false}, {"dark", 1280, 900, true}, {"phone", 400, 844, false}} {
		p.Size(c.w, c.h, 1, c.dark)
		p.Wait(fmt.Sprintf(`document.body.classList.contains("dark") === %v`, c.dark))
		p.Eval(`document.querySelector(".charts").scrollIntoView()`, nil) // so that all is drawn
		p.Wait(`[...document.querySelectorAll(".charts .picture")].every(e => ` +
			`e.dataset.size?.startsWith(e.clientWidth + "x") && e.dataset.ground === ` +
			`getComputedStyle(e).getPropertyValue("--ground"))`)
		if c.w < 500 { // what is too wide scrolls by itself
			p.Eval(`document.querySelector(".results td").textContent = "x".repeat(80)`, nil)
		}
		if p.True(`document.documentElement.scrollWidth > innerWidth`) {
			t.Errorf("at %d pixels the page is %s wide", c.w,
				p.Text("document.documentElement.scrollWidth"))
		}
		p.Eval(`scrollTo(0, 0)`, nil)
		p.Shot("experiment-"+c.name, true)
	}

	// A run takes the experiment's place, and the experiment the run's.
	s.do("open acs rand-60-1 as a ants=5; step a 3")
	p.Wait(`document.querySelector("tr[data-run=a]")`)
	p.Click("tr[data-run=a]")
	p.Wait(`document.querySelector(".run .name").textContent === "a"`)
	p.Wait(`!document.querySelector(".failures")`)
	p.Click("tr[data-experiment=e]")
	p.Wait(`document.querySelector(".experiment .name").textContent === "e"`)
	if r := s.do("experiment e remove").(*reply.ExperimentReply); r.Note == "" {
		t.Errorf("%+v", r)
	}
	p.Wait(`!document.querySelector(".experiments")`)
	p.Wait(`document.querySelector(".run .name").textContent === "a"`)
}

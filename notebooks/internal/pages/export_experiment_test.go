package pages_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"metalab/kernel/reply"
	"metalab/notebooks/internal/browser"
)

// tampered is a page of an experiment in which a text of what its script reads is another.
func tampered(t *testing.T, page []byte, from, to string) []byte {
	t.Helper()
	return regexp.MustCompile(`keptText = "[^"]*"`).ReplaceAllFunc(page, func(b []byte) []byte {
		packed := strings.Split(string(b), `"`)[1]
		raw, err := base64.StdEncoding.DecodeString(packed)
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(z)
		if err != nil || !bytes.Contains(text, []byte(from)) {
			t.Fatalf("the page keeps no %s: %v", from, err)
		}
		var out bytes.Buffer
		w := gzip.NewWriter(&out)
		if _, err := w.Write(bytes.Replace(text, []byte(from), []byte(to), 1)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return []byte(`keptText = "` + base64.StdEncoding.EncodeToString(out.Bytes()) + `"`)
	})
}

// overIterations moves the slider of a page of experiment e1 by keys, and compares its medians with
// those of the host, which are gaps above the best of all.
func overIterations(t *testing.T, s *session, p *browser.Page) {
	t.Helper()
	p.Wait(`!document.querySelector("#over").hidden`)
	best := math.Inf(1)
	for _, u := range s.do("experiment e1 units").(*reply.ExperimentReply).Of {
		best = min(best, float64(u.Best))
	}
	for _, at := range []struct{ iteration, key string }{
		{"20", kb.End}, {"19", kb.ArrowLeft}, {"1", kb.Home}, {"2", kb.ArrowRight},
	} {
		p.Eval(`document.querySelector("#upto").focus()`, nil)
		keys(p, at.key)
		p.Wait(`document.querySelector("#uptosaid").textContent === "` + at.iteration + ` of 20"`)
		var got []struct {
			Label  string
			Median float64
		}
		p.Eval(`[...document.querySelectorAll("#panels tbody tr")].map(r => ({
			label: r.children[0].textContent.slice(2), median: Number(r.children[3].textContent)}))`, &got)
		ask := "experiment e1 budgets by=iterations at=" + at.iteration
		want := s.do(ask).(*reply.ExperimentReply).View.Rows
		if len(got) != len(want) {
			t.Fatalf("after iteration %s: %v, want %v", at.iteration, got, want)
		}
		for i, w := range want {
			gap := 100 * (got[i].Median - best) / best
			if got[i].Label != w.Label || math.Abs(gap-float64(w.Values[0])) > 1e-4 {
				t.Errorf("after iteration %s: %v, want %v", at.iteration, got[i], w)
			}
		}
	}
}

// TestExportedExperiment makes units of an experiment again on its page, at two widths; a unit
// whose seed was changed is another run.
func TestExportedExperiment(t *testing.T) {
	t.Parallel()
	b := browser.Start(t)
	s := start(t)
	dir := t.TempDir()
	s.do("experiment e1 solvers=acs,tabu instances=rand-60-1 seeds=5 n=20")
	rep := s.do("export e1 " + dir + "/e1.html").(*reply.FileReply)
	if rep.Units != 10 || rep.Replay != 10 || rep.Bytes > 200_000 {
		t.Errorf("export: %+v", rep)
	}
	units := s.do("experiment e1 units").(*reply.ExperimentReply).Of
	p := b.Open("file://" + dir + "/e1.html")
	p.Size(1200, 900, 1, false)
	p.Wait(`!document.querySelector("#do").hidden`)
	overIterations(t, s, p)
	p.Click("#unit-2 button")
	p.Wait(`document.querySelector("#unit-2.same")`)
	want := "identical: best " + units[1].Best.String() + " after 20 iterations"
	if got := p.Text(`document.querySelector("#unit-2 span").textContent`); got != want {
		t.Errorf("unit 2: %q, want %q", got, want)
	}
	p.Size(400, 800, 2, true)
	p.Click("#all")
	p.Wait(`document.querySelector("#said").textContent === "10 of 10 units identical"`)
	if w := p.Text("document.documentElement.scrollWidth"); w != "400" {
		t.Errorf("the page is %s pixels wide in a window of 400", w)
	}
	p.Shot("export-experiment", true)
	p.Axe("experiment-page")
	p.Close()

	page, err := os.ReadFile(dir + "/e1.html")
	if err != nil {
		t.Fatal(err)
	}
	// A unit whose best value is another than that of its record.
	shown := units[1].Best.String()
	other := tampered(t, page, `"best":`+shown, `"best":`+shown+"1")
	if err := os.WriteFile(dir+"/other.html", other, 0o600); err != nil {
		t.Fatal(err)
	}
	p = b.Open("file://" + dir + "/other.html")
	p.Wait(`!document.querySelector("#do").hidden`)
	p.Click("#unit-2 button")
	p.Wait(`document.querySelector("#unit-2.other")`)
	if got := p.Text(`document.querySelector("#unit-2 span").textContent`); !strings.HasPrefix(got,
		"the digest is the same, and the best is "+shown+", the experiment has ") {
		t.Errorf("another best value: %q", got)
	}
	p.Close()
	page = tampered(t, page, `\"seed\":1,`, `\"seed\":77,`)
	if err := os.WriteFile(dir+"/bad.html", page, 0o600); err != nil {
		t.Fatal(err)
	}
	p = b.Open("file://" + dir + "/bad.html")
	p.Click("#all")
	p.Wait(`document.querySelector("#said").textContent === "9 of 10 units identical, 1 not"`)
	got := p.Text(`document.querySelector("td.other span").textContent`)
	if !strings.Contains(got, "the experiment has "+units[0].Best.String()) ||
		!strings.Contains(got, "differs from the record, first at iteration 20: digest") {
		t.Errorf("another seed: %q", got)
	}
}

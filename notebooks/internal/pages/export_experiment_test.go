package pages_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

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

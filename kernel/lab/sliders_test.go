package lab_test

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/janpfeifer/gonb/gonbui/protocol"

	"metalab/kernel/host"
	"metalab/kernel/lab"
	"metalab/kernel/lab/front"
	"metalab/kernel/wire"
)

// notebook is what a kernel and a page make of what a cell shows: the outputs as they would be
// saved, and everything that was ever shown.
type notebook struct {
	mu    sync.Mutex
	saved []protocol.DisplayData
	ever  string
}

// cell makes this process a cell of a notebook, until the test ends; the page does what page
// says with each script.
func cell(t *testing.T, page func(script string)) *notebook {
	t.Helper()
	fifo := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GONB_PIPE", fifo)
	t.Setenv(front.EnvSaid, filepath.Join(t.TempDir(), "said")) // the kernel is metalab's
	n := &notebook{}
	done := make(chan struct{})
	// Both ways, so that it opens at once and has no end before the test has.
	f, err := os.OpenFile(fifo, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(done)
		for d := gob.NewDecoder(f); ; {
			var m protocol.DisplayData
			if d.Decode(&m) != nil {
				return
			}
			n.show(m)
			if s, _ := m.Data[protocol.MIMETextHTML].(string); strings.HasPrefix(s, "<script>") &&
				page != nil {
				page(s)
			}
		}
	}()
	t.Cleanup(func() {
		lab.ResetPipe()
		f.Close()
		<-done
	})
	return n
}

func (n *notebook) show(m protocol.DisplayData) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.ever += fmt.Sprint(m.Data)
	for i, old := range n.saved {
		if m.DisplayID != "" && old.DisplayID == m.DisplayID {
			n.saved[i] = m
			return
		}
	}
	n.saved = append(n.saved, m)
}

// text is what would be saved, and what was ever shown.
func (n *notebook) text() (saved, ever string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, m := range n.saved {
		saved += fmt.Sprint(m.Data) + "\n"
	}
	return saved, n.ever
}

// forEver is how long a cell of a test would wait for a page that does not enter: so long that
// no machine takes that long over anything else.
const forEver = 10 * time.Minute

var scripts = regexp.MustCompile(
	`"base":"(http://127\.0\.0\.1:\d+)".*"page":"([A-Za-z0-9_-]{22})","kernel":"([^"]*)"`)

// A cell with sliders: the page is let in by what it told the kernel, and what is saved holds a
// table and neither the page's name nor a token.
func TestSlidersInACell(t *testing.T) {
	sessionWith(t, host.Options{EnterWait: forEver})
	a := lab.Open("a", "acs", lab.Load("E1k.0"), lab.With("ants", 4))
	t.Setenv("GONB_JUPYTER_KERNEL_ID", "1234")
	var page, token string
	const secret = "0123456789abcdef0123456789abcdef"
	client := http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	n := cell(t, func(script string) {
		m := scripts.FindStringSubmatch(script)
		if m == nil || m[3] != "1234" {
			t.Errorf("a script without a page and a kernel: %.200s", script)
			return
		}
		page = m[2]
		if err := lab.Client().Admit(t.Context(), page, secret); err != nil { // as the kernel does
			t.Error(err)
		}
		r, err := http.NewRequestWithContext(t.Context(), "POST", m[1]+"/v1/enter",
			bytes.NewReader([]byte(`{"page":"`+page+`","secret":"`+secret+`"}`)))
		if err != nil {
			t.Error(err)
			return
		}
		r.Header = http.Header{"Origin": {"http://localhost:8888"}, "Content-Type": {"application/json"}}
		res, err := client.Do(r)
		if err != nil {
			t.Error(err)
			return
		}
		defer res.Body.Close()
		var got struct{ Token string }
		b, err := io.ReadAll(res.Body)
		if err != nil || json.Unmarshal(b, &got) != nil {
			t.Errorf("enter: %s, %v", b, err)
		}
		token = got.Token
	})
	for _, c := range []struct {
		show func()
		want []string
	}{
		{func() { lab.Sliders(a, "q0", "ants") }, []string{
			"<table", "q0", "0 to 1", "Number of ants",
			"<div id=", "parameter",
		}},
		{func() { lab.Dashboard() }, []string{"dashboard of session"}},
	} {
		page, token = "", ""
		t0 := time.Now()
		c.show()
		if time.Since(t0) >= forEver {
			t.Error("it waited although the page was let in")
		}
		saved, ever := n.text()
		for _, w := range c.want {
			if !strings.Contains(saved, w) {
				t.Errorf("what is saved lacks %q: %s", w, saved)
			}
		}
		if page == "" || token == "" || !strings.Contains(ever, page) {
			t.Fatalf("page %q got token %q", page, token)
		}
		for _, what := range []string{page, token, "<script", "127.0.0.1"} {
			if strings.Contains(saved, what) {
				t.Errorf("what is saved holds %q", what)
			}
		}
		for _, what := range []string{secret, token} {
			if strings.Contains(ever, what) {
				t.Errorf("what is shown holds %q", what)
			}
		}
	}
}

// Where nobody looks, nothing waits, and no script is shown.
func TestSlidersWithoutABrowser(t *testing.T) {
	sessionWith(t, host.Options{EnterWait: forEver})
	a := lab.Open("a", "acs", lab.Load("E1k.0"), lab.With("ants", 4))
	t.Setenv("GONB_JUPYTER_KERNEL_ID", "")
	n := cell(t, nil)
	t0 := time.Now()
	lab.Sliders(a)
	lab.Dashboard()
	if time.Since(t0) >= forEver {
		t.Error("it waited for a page")
	}
	saved, ever := n.text()
	if !strings.Contains(saved, "local_period") || strings.Contains(ever, "<script") {
		t.Errorf("it shows %s", ever)
	}
	for _, f := range []func(){
		func() { lab.Sliders(a, "nosuch") },
		func() { lab.Sliders(a, "candidates") }, func() { lab.Sliders(nil) },
	} {
		if err := lab.Try(f); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("an error %v, want one line", err)
		}
	}
}

// Where the front end has widgets, a cell asks the kernel for the panel of the run and shows no
// script; the table stands folded below it, under an id by which the kernel shows it anew.
func TestSlidersOfWidgets(t *testing.T) {
	sessionWith(t, host.Options{EnterWait: forEver})
	a := lab.Open("a", "acs", lab.Load("E1k.0"), lab.With("ants", 4))
	t.Setenv("GONB_JUPYTER_KERNEL_ID", "1234")
	t.Setenv(wire.EnvWidgets, "1")
	n := cell(t, nil)
	lab.Sliders(a, "q0", "ants")
	saved, ever := n.text()
	if strings.Contains(ever, "<script") || strings.Contains(ever, "127.0.0.1") {
		t.Errorf("it shows %s", ever)
	}
	if len(n.saved) != 2 {
		t.Fatalf("%d outputs, want the panel and the table: %s", len(n.saved), saved)
	}
	form, _ := n.saved[0].Data[wire.FormSliders].(string)
	var q wire.FormRequest
	if err := json.Unmarshal([]byte(form), &q); err != nil || q.Run != "a" ||
		strings.Join(q.Names, ",") != "q0,ants" || q.Table == "" || q.Table != n.saved[1].DisplayID {
		t.Errorf("the form is %q, the table %q: %v", form, n.saved[1].DisplayID, err)
	}
	if table, _ := n.saved[1].Data[protocol.MIMETextHTML].(string); !strings.HasPrefix(table,
		"<details><summary>a") || !strings.Contains(table, "0 to 1") {
		t.Errorf("the table is %s", table)
	}
	if err := lab.Try(func() { lab.Sliders(a, "nosuch") }); err == nil {
		t.Error("a parameter that there is not is no error")
	}
}

// A page that does not answer is not waited for longer than two seconds or so, and its script is
// taken away all the same.
func TestSlidersOfAPageThatIsGone(t *testing.T) {
	session(t)
	a := lab.Open("a", "acs", lab.Load("E1k.0"), lab.With("ants", 4))
	t.Setenv("GONB_JUPYTER_KERNEL_ID", "1234")
	var page string
	n := cell(t, func(script string) { page = scripts.FindStringSubmatch(script)[2] })
	lab.Sliders(a)
	if saved, _ := n.text(); page == "" || strings.Contains(saved, page) {
		t.Errorf("page %q is saved: %s", page, saved)
	}
}

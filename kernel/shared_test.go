package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/go-zeromq/zmq4"

	"metalab/kernel/cells"
	"metalab/kernel/internal/jupyter/messages"
)

// A listener is another user of the machine: it reads the port of outputs, which asks nobody who
// he is, and has no key.
type listener struct {
	mu    sync.Mutex
	heard strings.Builder
}

func listen(t *testing.T, c messages.Connection) *listener {
	t.Helper()
	sub := zmq4.NewSub(t.Context(), messages.DialOptions()...)
	if err := sub.Dial(c.Address(c.IOPub)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { sub.Close() })
	if err := sub.SetOption(zmq4.OptionSubscribe, ""); err != nil {
		t.Fatal(err)
	}
	l := &listener{}
	go func() {
		for {
			m, err := sub.Recv()
			if err != nil {
				return
			}
			l.mu.Lock()
			for _, f := range m.Frames {
				l.heard.Write(f)
				l.heard.WriteByte('\n')
			}
			l.mu.Unlock()
		}
	}()
	return l
}

func (l *listener) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.heard.String()
}

var shownPage = regexp.MustCompile(
	`\\"base\\":\\"(http://127\.0\.0\.1:\d+)\\".*?\\"page\\":\\"([A-Za-z0-9_-]{22})\\"`)

// ask makes a request as a page of an origin does, and returns its status and answer.
func ask(t *testing.T, address, token, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "POST", address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"Origin": {"http://localhost:8888"}, "Content-Type": {"application/json"}}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(b)
}

// Nothing of what passes through the port of outputs opens a page of the session: not before
// the notebook's page has entered, and not afterwards. The page itself, which speaks to the
// kernel as the notebook does, is let in.
func TestListenersAtIopub(t *testing.T) {
	t.Parallel()
	s := startIn(t, kernel(t), "GONB_JUPYTER_KERNEL_ID=k-1")
	l := listen(t, s.Connection)
	s.until("the listener to hear", func() bool {
		s.run("%%\nfmt.Println(\"heard\")")
		return strings.Contains(l.text(), "heard")
	})
	const secret = "0123456789abcdef0123456789abcdef"
	const set = `{"run":"a","params":{"q0":0.5}}`
	var base, page, token string
	try := func(when string) {
		words := map[string]bool{}
		for _, w := range regexp.MustCompile(`[A-Za-z0-9_-]{16,64}`).FindAllString(l.text(), -1) {
			words[w] = true
		}
		if !words[page] {
			t.Errorf("the listener has not heard of the page")
		}
		for w := range words {
			for _, by := range []string{
				`{"page":"` + page + `","secret":"` + w + `"}`,
				`{"page":"` + w + `"}`, `{"ticket":"` + w + `"}`,
			} {
				if status, got := ask(t, base+"/v1/enter", "", by); status != 403 {
					t.Errorf("%s %s: %d %s", when, by, status, got)
				}
			}
			if status, got := ask(t, base+"/v1/do/set", w, set); status != 401 {
				t.Errorf("%s %s as a token: %d %s", when, w, status, got)
			}
		}
	}
	done := make(chan struct{})
	go func() { // the notebook's page
		defer close(done)
		s.until("the script", func() bool {
			m := shownPage.FindStringSubmatch(l.text())
			if m != nil {
				base, page = m[1], m[2]
			}
			return m != nil
		})
		try("before")
		p, err := messages.Dial(t.Context(), s.Connection)
		if err != nil {
			t.Error(err)
			return
		}
		defer p.Close()
		if _, err := p.Send(p.Socket, "comm_open", map[string]any{
			"comm_id": "c1", "target_name": cells.Target,
			"data": map[string]any{"page": page, "secret": secret},
		}); err != nil {
			t.Error(err)
			return
		}
		s.until("the kernel's answer", func() bool {
			return strings.Contains(l.text(), `"msg_type":"`+cells.Answer+`"`)
		})
		status, got := ask(t, base+"/v1/enter", "", `{"page":"`+page+`","secret":"`+secret+`"}`)
		var r struct{ Token string }
		if json.Unmarshal([]byte(got), &r) != nil || status != 200 || r.Token == "" {
			_, answer, _ := strings.Cut(l.text(), cells.Answer)
			t.Errorf("the page is not let in: %d %s; the kernel says %.500s", status, got, answer)
		}
		token = r.Token
	}()
	s.run("%%\nlab.Sliders(lab.Open(\"a\", \"acs\", lab.Load(\"rand-100-1\")), \"q0\")")
	<-done
	try("after")
	for _, what := range []string{secret, token} {
		if what == "" || strings.Contains(l.text(), what) {
			t.Errorf("%q passed through iopub", what)
		}
	}
	if status, got := ask(t, base+"/v1/do/set", token, set); status != 200 {
		t.Errorf("the page: %d %s", status, got)
	}
	// The table that stays in the notebook follows.
	s.until("the table", func() bool {
		_, after, ok := strings.Cut(l.text(), `"msg_type":"update_display_data"`)
		return ok && strings.Contains(after, `0.5`) && strings.Contains(after, `text/plain`)
	})
	// The dashboard's address is a key, so cells show a button in its place.
	res, err := s.Do(t.Context(), "%%\nlab.Show(lab.Do(\"dashboard\"))")
	if err != nil || res.Failed != "" || !strings.Contains(res.Outputs.Stderr(), "was refused") {
		t.Errorf("the owner is told %q, %v", res.Outputs.Stderr(), err)
	}
	if strings.Contains(l.text(), base+"/#") {
		t.Error("the dashboard's address passed through iopub")
	}
	try("at the end")
}

// A message that nobody signed does not end the kernel.
func TestUnsignedMessages(t *testing.T) {
	t.Parallel()
	s := start(t)
	for _, port := range []int{s.Shell, s.Control, s.Stdin} {
		d := zmq4.NewDealer(t.Context(), messages.DialOptions()...)
		if err := d.Dial(s.Address(port)); err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		for _, m := range []zmq4.Msg{
			zmq4.NewMsgString("hello"), zmq4.NewMsgFrom([]byte(messages.Delimiter)),
			zmq4.NewMsgFrom([]byte(messages.Delimiter), []byte("zz"), []byte("{}"), []byte("{}"),
				[]byte("{}"),
				[]byte("{}")),
			zmq4.NewMsgFrom([]byte(messages.Delimiter), bytes.Repeat([]byte("0"), 64),
				[]byte(`{"msg_type":"shutdown_request"}`), []byte("{}"), []byte("{}"), []byte("{}")),
		} {
			if err := d.Send(m); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 3 {
		if got := s.run("%%\nfmt.Println(6 * 7)"); got != "42\n" {
			t.Errorf("a cell says %q", got)
		}
	}
}

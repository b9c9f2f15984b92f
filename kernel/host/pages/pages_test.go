package pages_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
)

// visitor is a page as the host sees it.
type visitor struct {
	*lab
	base   string // of the host
	origin string
	token  string
	client http.Client
}

// address asks for the dashboard and splits its address.
func (l *lab) address() (base, ticket string) {
	l.Helper()
	base, ticket, ok := strings.Cut(l.Do("dashboard").(*reply.DashboardReply).URL, "/#")
	if !ok || !strings.HasPrefix(base, "http://127.0.0.1:") || len(ticket) != 22 {
		l.Fatalf("the dashboard is at %s, ticket %s", base, ticket)
	}
	return base, ticket
}

// visit opens the dashboard as a page of the host's own.
func (l *lab) visit() *visitor {
	l.Helper()
	base, ticket := l.address()
	v := &visitor{lab: l, base: base, origin: base, client: http.Client{Transport: &http.Transport{}}}
	l.Cleanup(v.client.CloseIdleConnections)
	v.enter(`{"ticket":"` + ticket + `"}`)
	return v
}

// enter exchanges what lets the page in, as JSON, for a token.
func (v *visitor) enter(by string) {
	v.Helper()
	status, _, body := v.ask("POST", "/v1/enter", by)
	var r struct{ Token string }
	if json.Unmarshal(body, &r) != nil || status != 200 || len(r.Token) != 22 {
		v.Fatalf("enter: %d %s", status, body)
	}
	v.token = r.Token
}

// ask makes a request; each change is a name and a value of the header, "" takes it away.
func (v *visitor) ask(method, path, body string, change ...string) (int, http.Header, []byte) {
	v.Helper()
	r, err := http.NewRequestWithContext(v.Context(), method, v.base+path, strings.NewReader(body))
	if err != nil {
		v.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Origin", v.origin)
	if v.token != "" {
		r.Header.Set("Authorization", "Bearer "+v.token)
	}
	for i := 0; i < len(change); i += 2 {
		switch {
		case change[i] == "Host":
			r.Host = change[i+1]
		case change[i+1] == "":
			r.Header.Del(change[i])
		default:
			r.Header.Set(change[i], change[i+1])
		}
	}
	res, err := v.client.Do(r)
	if err != nil {
		v.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		v.Fatal(err)
	}
	return res.StatusCode, res.Header, b
}

// What a page may do, it can.
func TestPagesAreServed(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk rand-20-1 as a; step a 10")
	v := l.visit()
	if status, _, body := v.ask("POST", "/v1/do/set",
		`{"run":"a","params":{"moves":7}}`); status != 200 || !strings.Contains(string(body), `"new":7`) {
		t.Errorf("set: %d %s", status, body)
	}
	if j := l.Do("journal a").(*reply.JournalReply); len(j.Changes) != 1 ||
		j.Changes[0].Who != "dashboard" {
		t.Errorf("journal: %v", j)
	}
	// On a machine that does other things even a short step may be answered before its end.
	at := int64(15)
	status, _, body := v.ask("POST", "/v1/do/step", `{"run":"a","n":5}`)
	for ; status == 202 && at < 100; at += 5 {
		l.Until("the end of a short step", func() bool {
			s := l.Show("a")
			return s.Iteration == at && s.State == "paused"
		})
		status, _, body = v.ask("POST", "/v1/do/step", `{"run":"a","n":5}`)
	}
	if status != 200 || !strings.Contains(string(body), fmt.Sprintf(`"iteration":%d`, at)) {
		t.Errorf("step: %d %s", status, body)
	}
	// A long step is answered before its end, and goes on.
	l.Do("set a delay=1")
	if status, _, body := v.ask("POST", "/v1/do/step", `{"run":"a","n":1000000}`); status != 202 ||
		!strings.Contains(string(body), `"verb":"step"`) {
		t.Errorf("a long step: %d %s", status, body)
	}
	l.Until("the step to go on", func() bool { return l.Show("a").Iteration > at+5 })
	if status, _, _ := v.ask("POST", "/v1/do/pause", `{"run":"a"}`); status != 200 {
		t.Errorf("pause: %d", status)
	}
	if status, _, body := v.ask("POST", "/v1/do/step", `{"run":"a"}`); status != 422 ||
		!strings.Contains(string(body), "how far") {
		t.Errorf("a step without an end: %d %s", status, body)
	}
	l.Do("set a delay=0")
	figure := `{"runs":["a"],"figure":"best","w":400,"h":300,"background":"#102030","seen":"X"}`
	status, h, body := v.ask("POST", "/v1/figure", figure)
	stamp := h.Get("X-Metalab-Stamp")
	if status != 200 || !strings.Contains(string(body), "<svg") || stamp == "" ||
		h.Get("Content-Type") != "image/svg+xml" {
		t.Errorf("figure: %d %v %.80s", status, h, body)
	}
	if status, _, _ := v.ask("POST", "/v1/figure",
		strings.Replace(figure, "X", stamp, 1)); status != 204 {
		t.Errorf("the same figure again: %d, want 204", status)
	}
	l.Do("step a 3; set a moves=2")
	if status, h, _ := v.ask("POST", "/v1/figure",
		strings.Replace(figure, "X", stamp, 1)); status != 200 || h.Get("X-Metalab-Stamp") == stamp {
		t.Errorf("a new figure: %d", status)
	}
	for _, bad := range []string{
		`{"runs":[],"figure":"best","w":400,"h":300,"background":"#102030"}`,
		`{"runs":["zz"],"figure":"best","w":400,"h":300,"background":"#102030"}`,
		`{"runs":["a"],"figure":"best","w":4e9,"h":300,"background":"#102030"}`,
		`{"runs":["a"],"figure":"best","w":400,"h":300,"background":"red"}`,
		`{"runs":["a"],"figure":"nosuch","w":400,"h":300,"background":"#102030"}`,
		`{"runs":["a"],"figure":"best","to":"/tmp/x.svg","w":400,"h":300,"background":"#102030"}`,
	} {
		if status, _, body := v.ask("POST", "/v1/figure", bad); status < 400 ||
			!strings.Contains(string(body), "error") {
			t.Errorf("%s: %d %s", bad, status, body)
		}
	}
	if status, _, body := v.ask("POST", "/v1/record", `{"run":"a","form":"record"}`); status != 200 ||
		strings.Count(string(body), "\n") < 18 ||
		!json.Valid(body[:strings.IndexByte(string(body), '\n')]) {
		t.Errorf("record: %d %.200s", status, body)
	}
	if status, _, body := v.ask("POST", "/v1/record", `{"run":"a","form":"csv"}`); status != 200 ||
		!strings.HasPrefix(string(body), "iteration,best") {
		t.Errorf("csv: %d %.200s", status, body)
	}
	if status, _, _ := v.ask("POST", "/v1/record", `{"run":"a","form":"exe"}`); status != 422 {
		t.Errorf("an unknown form: %d", status)
	}
	for _, path := range []string{"/", "/dashboard.js", "/dashboard.css", "/icon.svg"} {
		status, h, body := v.ask("GET", path, "", "Authorization", "", "Origin", "")
		if csp := h.Get("Content-Security-Policy"); status != 200 || len(body) == 0 ||
			!strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "script-src 'unsafe") {
			t.Errorf("%s: %d, %q, %d bytes", path, status, csp, len(body))
		}
		if strings.Contains(string(body), v.token) ||
			regexp.MustCompile(
				`https?://(?:[a-z0-9-]+\.)+[a-z]{2,}`).FindString(strings.ReplaceAll(string(body),
				"http://www.w3.org/", "")) != "" {
			t.Errorf("%s names another address, or a token", path)
		}
	}
}

// The picture of a run that rests shows its last iteration, however short a while before another
// was drawn: no event may come after it, and the page's header tells that iteration too.
func TestAPictureOfARunAtRestIsTheNewest(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk rand-20-1 as a")
	v := l.visit()
	stamp := "X"
	for range 20 {
		l.Do("step a 3")
		status, h, _ := v.ask("POST", "/v1/figure", `{"runs":["a"],"figure":"best","w":400,"h":300,`+
			`"background":"#102030","seen":"`+stamp+`"}`)
		if next := h.Get("X-Metalab-Stamp"); status != 200 || next == stamp {
			t.Fatalf("at iteration %d: %d, the picture from before", l.Show("a").Iteration, status)
		} else {
			stamp = next
		}
	}
}

// Events reach a page, with who made a change.
func TestPagesHearEvents(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk rand-20-1 as a")
	v := l.visit()
	r, err := http.NewRequestWithContext(t.Context(), "POST", v.base+"/v1/events",
		strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{
		"Content-Type": {"application/json"}, "Origin": {v.origin},
		"Authorization": {"Bearer " + v.token},
	}
	res, err := v.client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != 200 || res.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("events: %d %v", res.StatusCode, res.Header)
	}
	lines := bufio.NewScanner(res.Body)
	lines.Scan() // from here on it tells everything
	l.Do("set a moves=9")
	for lines.Scan() {
		if strings.Contains(lines.Text(), `"new":9`) && strings.Contains(lines.Text(), `"who":"test"`) {
			return
		}
	}
	t.Errorf("the change was not told: %v", lines.Err())
}

// Who may not gets nothing, and the run is left alone.
func TestPagesAreRefused(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	l.Do("open walk rand-20-1 as a")
	v := l.visit()
	u, _ := url.Parse(v.base)
	other := l.visit()
	const set = `{"run":"a","params":{"moves":7}}`
	for _, c := range []struct {
		name, method, path, body string
		status                   int
		change                   []string
	}{
		{"another origin", "POST", "/v1/do/set", set, 403, []string{"Origin", "http://evil.example"}},
		{"another port", "POST", "/v1/do/set", set, 403, []string{"Origin", "http://127.0.0.1:1"}},
		{
			"the same name by https", "POST", "/v1/do/set", set, 403,
			[]string{"Origin", "https://" + u.Host},
		},
		{"no origin", "POST", "/v1/do/set", set, 403, []string{"Origin", ""}},
		{"a file", "POST", "/v1/do/set", set, 403, []string{"Origin", "null"}},
		{"no token", "POST", "/v1/do/set", set, 401, []string{"Authorization", ""}},
		{
			"a wrong token", "POST", "/v1/do/set", set, 401,
			[]string{"Authorization", "Bearer AAAAAAAAAAAAAAAAAAAAAA"},
		},
		{"an empty token", "POST", "/v1/do/set", set, 401, []string{"Authorization", "Bearer "}},
		{
			"a token of another kind", "POST", "/v1/do/set", set, 401,
			[]string{"Authorization", "Basic " + v.token},
		},
		{
			"the token as a cookie", "POST", "/v1/do/set", set, 401,
			[]string{"Authorization", "", "Cookie", "token=" + v.token},
		},
		{
			"the token in the address", "POST", "/v1/do/set?token=" + v.token, set, 401,
			[]string{"Authorization", ""},
		},
		{
			"a name that was made to point here", "POST", "/v1/do/set", set, 421,
			[]string{"Host", "rebound.example:" + u.Port()},
		},
		{"a name without a port", "POST", "/v1/do/set", set, 421, []string{"Host", "127.0.0.1"}},
		{"a page by another name", "GET", "/", "", 421, []string{"Host", "rebound.example:" + u.Port()}},
		{"GET for a change", "GET", "/v1/do/set", "", 405, nil},
		{"PUT for a change", "PUT", "/v1/do/set", set, 405, nil},
		{
			"a form", "POST", "/v1/do/set", "run=a", 415,
			[]string{"Content-Type", "application/x-www-form-urlencoded"},
		},
		{"plain text", "POST", "/v1/do/set", set, 415, []string{"Content-Type", "text/plain"}},
		{"no type", "POST", "/v1/do/set", set, 415, []string{"Content-Type", ""}},
		{"too much", "POST", "/v1/do/set", `{"run":"` + strings.Repeat("a", 1<<17) + `"}`, 422, nil},
		{"save", "POST", "/v1/do/save", `{"run":"a","path":"/tmp/x"}`, 403, nil},
		{"plot", "POST", "/v1/do/plot", `{"runs":["a"],"to":"/tmp/x.svg"}`, 403, nil},
		{"a broker", "POST", "/v1/do/workers", `{"do":"serve"}`, 403, nil},
		{"another broker", "POST", "/v1/do/workers", `{"over":"nats://127.0.0.1:1"}`, 403, nil},
		{"a key", "POST", "/v1/do/workers", `{"key":"/etc/passwd"}`, 403, nil},
		{
			"a worker elsewhere", "POST", "/v1/do/worker",
			`{"name":"a","do":"stop","over":"nats://127.0.0.1:1"}`, 403, nil,
		},
		{"load", "POST", "/v1/do/load", `{"path":"/etc/passwd"}`, 403, nil},
		{"open", "POST", "/v1/do/open", `{"solver":"walk","instance":"/etc/passwd"}`, 403, nil},
		{"module", "POST", "/v1/do/module", `{"path":"/etc/passwd"}`, 403, nil},
		{"shutdown", "POST", "/v1/do/shutdown", `{}`, 403, nil},
		{"dashboard", "POST", "/v1/do/dashboard", `{}`, 403, nil},
		{"a verb that is none", "POST", "/v1/do/frob", `{}`, 403, nil},
		{
			"a page of the socket", "POST", "/v1/page", `{"kind":"sliders","run":"a","element":"x"}`, 404,
			nil,
		},
		{"hello", "GET", "/v1/hello", "", 405, nil},
		{"an array", "GET", "/v1/array/a/tour", "", 405, nil},
		{"somewhere", "GET", "/etc/passwd", "", 404, nil},
		{"entering without a ticket", "POST", "/v1/enter", `{"ticket":""}`, 403, nil},
		{
			"entering with a wrong ticket", "POST", "/v1/enter", `{"ticket":"AAAAAAAAAAAAAAAAAAAAAA"}`, 403,
			nil,
		},
		{"entering with a token", "POST", "/v1/enter", `{"ticket":"` + v.token + `"}`, 403, nil},
	} {
		status, h, body := v.ask(c.method, c.path, c.body, c.change...)
		if status != c.status || !strings.Contains(string(body), `"error"`) {
			t.Errorf("%s: %d %.200s, want %d", c.name, status, body, c.status)
		}
		if o := h.Get("Access-Control-Allow-Origin"); o != "" && o != v.origin {
			t.Errorf("%s: %s may read the answer", c.name, o)
		}
	}
	if status, _, _ := v.ask("POST", "/v1/do/show", `{"run":"a"}`, "Authorization",
		"Bearer "+other.token); status != 200 {
		t.Errorf("another window of the same origin: %d", status)
	}
	if s := l.Show("a"); s.Iteration != 0 || s.Changes != 0 {
		t.Errorf("the run was touched: %+v", s)
	}
}

// The file that leads a browser to the dashboard is the user's alone and goes with the host.
func TestDashboardFile(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	r := l.Do("dashboard").(*reply.DashboardReply)
	st, err := os.Stat(r.File)
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Fatalf("%s: %v, %v", r.File, st, err)
	}
	b, err := os.ReadFile(r.File)
	if err != nil || !strings.Contains(string(b), r.URL) {
		t.Errorf("it leads elsewhere: %s, %v", b, err)
	}
	if again := l.Do("dashboard").(*reply.DashboardReply); again.URL == r.URL {
		t.Error("two addresses with one ticket")
	}
	if strings.Contains(r.HTML(), "127.0.0.1") {
		t.Errorf("the address would be in a saved notebook: %s", r.HTML())
	}
	l.End()
	if _, err := os.Stat(r.File); err == nil {
		t.Error("the file outlives the host")
	}
}

// The address of the dashboard, asked for by a page of another origin, is not said to be too old,
// and is good afterwards.
func TestTicketOfAnotherOrigin(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	base, ticket := l.address()
	enter := `{"ticket":"` + ticket + `"}`
	page := func(origin string) *visitor {
		v := &visitor{
			lab: l, base: base, origin: origin, client: http.Client{Transport: &http.Transport{}},
		}
		t.Cleanup(v.client.CloseIdleConnections)
		return v
	}
	foreign := page(evil)
	body := foreign.refused("a page of another origin", enter, evil)
	if !strings.Contains(body, evil) || strings.Contains(body, "too late") {
		t.Errorf("the reason is %s", body)
	}
	old := foreign.refused("no ticket", `{"ticket":"`+strings.Repeat("0", 32)+`"}`, evil)
	if !strings.Contains(old, "too late") {
		t.Errorf("the reason is %s", old)
	}
	if status, _, body := page(base).ask("POST", "/v1/enter", enter, "Origin", base); status != 200 {
		t.Errorf("the dashboard's own page: %d %s", status, body)
	}
}

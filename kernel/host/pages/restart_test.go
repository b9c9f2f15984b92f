package pages_test

import (
	"net/http"
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// Pages go on with their tokens when the host starts anew.
func TestPagesOutliveTheirProcess(t *testing.T) {
	t.Parallel()
	l, p := process(t, hosttest.Options(t))
	l.Do("open walk rand-50-1 as a seed=5 moves=2; step a 20")
	base, ticket := l.address()
	v := &visitor{lab: l, base: base, origin: base, client: http.Client{Transport: &http.Transport{}}}
	defer v.client.CloseIdleConnections()
	v.enter(`{"ticket":"` + ticket + `"}`)
	told := l.Notice()
	l.Do("set a lose=51")
	l.Fails("step a 100", wire.CodeFailed, "starts anew")
	if n := <-told; !strings.Contains(n, "started anew") {
		t.Errorf("notice: %q", n)
	}
	v.client.CloseIdleConnections()
	if status, _, body := v.ask("POST", "/v1/do/set",
		`{"run":"a","params":{"moves":4}}`); status != 200 {
		t.Errorf("set: %d %s", status, body)
	}
	if status, _, _ := v.ask("POST", "/v1/do/set", `{"run":"a","params":{"moves":5}}`, "Origin",
		"http://evil.example"); status != 403 {
		t.Errorf("another origin: %d", status)
	}
	j := l.Do("journal a").(*reply.JournalReply)
	if c := j.Changes[len(j.Changes)-1]; c.Who != "dashboard" || c.Name != "moves" {
		t.Errorf("journal: %v", j)
	}
	p.Close()
	l.Gone(p)
}

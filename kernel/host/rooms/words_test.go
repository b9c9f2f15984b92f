package rooms_test

import (
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// The rows of a table are listed without being measured.
func TestBenchLists(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	r := l.Do("bench tours list").(*reply.BenchReply)
	if !r.Listed || len(r.Rows) != r.Table.Rows ||
		!strings.Contains(r.String(), "nothing was measured now") {
		t.Errorf("%s", r)
	}
	l.Fails("bench tours list row=nosuch", wire.CodeRequest, "nosuch")
}

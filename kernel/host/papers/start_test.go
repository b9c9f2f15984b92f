package papers_test

import (
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	_ "metalab/kernel/host/rooms" // the room and the algorithms, as programs have them
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/kernel/words"
)

// desk is a host in this process and a client of it.
type desk struct {
	*testing.T
	c *wire.Client
}

func start(t *testing.T) *desk {
	t.Helper()
	l := hosttest.Start(t, hosttest.Options(t))
	return &desk{t, l.C}
}

func (d *desk) try(line string) (reply.Reply, error) {
	call, err := words.Parse(line, words.Scope{Dir: "/nowhere"})
	if err != nil {
		return nil, err
	}
	a := words.Ask(d.Context(), d.c, d.c.NewCall(), call)[0]
	if a.Err != nil {
		return nil, a.Err
	}
	return a.Reply, nil
}

// do carries out a line.
func (d *desk) do(line string) reply.Reply {
	d.Helper()
	r, err := d.try(line)
	if err != nil {
		d.Fatal(err)
	}
	return r
}

// fails carries out a line, which must fail with all of the words in one line.
func (d *desk) fails(line string, code wire.Code, words ...string) {
	d.Helper()
	_, err := d.try(line)
	if err == nil {
		d.Fatalf("%s: no error", line)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			d.Errorf("%s: %v\nlacks %q", line, err, w)
		}
	}
	if wire.CodeOf(err) != code || strings.Contains(err.Error(), "\n") {
		d.Errorf("%s: code %q, want %q, and one line: %v", line, wire.CodeOf(err), code, err)
	}
}

package host_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// Six clients give commands at random, on runs that they share and close under each other: an error
// ends none of them, each is one of those that there are words for, and what is left is whole.
func TestSixClientsAtRandom(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	dir := t.TempDir()
	const clients, commands, runs = 6, 60, 4
	var wg sync.WaitGroup
	for k := range clients {
		c := hosttest.Dial(t, l.O.Socket)
		wg.Go(func() {
			draw := rand.New(rand.NewPCG(7, uint64(k)))
			run := func() string { return string(rune('a' + draw.IntN(runs))) }
			made := 0
			for i := range commands {
				a, b := run(), run()
				lines := []string{
					fmt.Sprintf("open walk rand-20-%d as %s", 1+draw.IntN(2), a),
					fmt.Sprintf("open walk rand-20-1 as %s moves=%d fresh", a, 1+draw.IntN(9)),
					fmt.Sprintf("step %s %d", a, 1+draw.IntN(30)),
					"go " + a, "pause " + a, "close " + a, "show " + a, "runs", "journal " + a,
					"recover " + a, "recover",
					fmt.Sprintf("set %s moves=%d", a, draw.IntN(12)),
					fmt.Sprintf("fork %s as %s", a, b),
					fmt.Sprintf("save %s %s/%s-%d.run", a, dir, a, k),
					fmt.Sprintf("load %s/%s-%d.run as %s", dir, a, k, b),
					fmt.Sprintf("diff %s %s", a, b), "best " + a + " solution",
					fmt.Sprintf("compare %s %s", a, b),
				}
				line := lines[draw.IntN(len(lines))]
				r, err := hosttest.Try(t.Context(), c, line)
				switch code := wire.CodeOf(err); {
				case err == nil:
					made++
					if s := r.String(); s == "" {
						t.Errorf("client %d, command %d, %s: an empty answer", k, i, line)
					}
				case code == wire.CodeInternal || code == wire.CodeHost || code == "" ||
					strings.Contains(err.Error(), "\n"):
					t.Errorf("client %d, command %d, %s: %v (%s)", k, i, line, err, code)
				}
			}
			if made == 0 {
				t.Errorf("client %d: nothing was carried out", k)
			}
		})
	}
	wg.Wait()
	for _, s := range l.Do("runs").(*reply.RunsReply).Runs {
		path := fmt.Sprintf("%s/%s-end.run", dir, s.Run)
		l.Do("pause " + s.Run)
		if s.Iteration == 0 { // a record without a point has nothing to compare
			l.Do("step " + s.Run + " 1")
		}
		l.Do("save " + s.Run + " " + path)
		if r := l.Do("replay " + path).(*reply.ReplayReply); !r.Identical {
			t.Errorf("%s: %s", s.Run, r)
		}
	}
}

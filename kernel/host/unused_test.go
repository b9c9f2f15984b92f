package host_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/solvers"
)

// What of a record is false is not used, and load says so; a good one loads without a word.
func TestFalseRecords(t *testing.T) {
	t.Parallel()
	l := start(t, hosttest.Options(t))
	dir := t.TempDir()
	l.Do("open walk rand-30-1 as a; step a 40; save a " + dir + "/a.run; open walk rand-30-1 as b " +
		"seed=9; step b 20; save b " + dir + "/b.run")
	read := func(path string) string {
		t.Helper()
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	good, state := read(dir+"/a.run"), read(solvers.StatePath(dir+"/a.run"))
	perm := regexp.MustCompile(`"perm":\[[0-9,]*\]`)
	zeros := `"perm":[` + strings.Repeat("0,", 29) + "0]"
	other := perm.FindString(read(dir + "/b.run"))
	for name, c := range map[string]struct{ record, state, want string }{
		"good": {good, state, ""},
		"size": {
			strings.Replace(good, `"size":30`, `"size":31`, 1), state,
			"the record says that rand-30-1 has size 31, and it has 30",
		},
		"zeros": {
			perm.ReplaceAllString(good, zeros), state,
			"the best solution in the record was not used: ",
		},
		"anothers_best": {
			perm.ReplaceAllString(good, other), state,
			"the best solution in the record was not used: its value is ",
		},
		"anothers_state": {
			good, read(solvers.StatePath(dir + "/b.run")),
			"the state beside the record was not used, the iterations were made again: ",
		},
		"garbage": {good, "garbage", "the state beside the record was not used"},
	} {
		path := fmt.Sprintf("%s/%s.run", dir, name)
		if c.record == good && c.want != "" && c.state == state {
			t.Fatalf("%s: the record was not changed", name)
		}
		for p, text := range map[string]string{path: c.record, solvers.StatePath(path): c.state} {
			if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		r := l.Do("load " + path + " as " + name).(*reply.OpenReply)
		if (r.Unused == "") != (c.want == "") || !strings.HasPrefix(r.Unused, c.want) ||
			!strings.Contains(r.String(), c.want) || !strings.Contains(r.HTML(), reply.Escape(c.want)) {
			t.Errorf("%s: load says %q, want %q", name, r.Unused, c.want)
		}
		// A state that is of no use says nothing against the record.
		if r.Parts() != (c.record != good) {
			t.Errorf("%s: a false record: %v", name, r.Parts())
		}
		if d := l.Do("replay " + path).(*reply.ReplayReply); d.Identical != (c.record == good) {
			t.Errorf("%s: %s", name, d)
		}
		if d := l.Do("diff a " + name).(*reply.DiffReply); !d.Identical {
			t.Errorf("%s: the run is another: %s", name, d)
		}
	}
}

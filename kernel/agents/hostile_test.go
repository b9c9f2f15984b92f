package agents_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"metalab/kernel/agents"
	"metalab/solvers"
)

// Where an agent lies about paths, nothing outside its folder is read, written or told.
func TestHostilePaths(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	dir, out := filepath.Join(top, "in"), filepath.Join(top, "out")
	for _, d := range []string{dir, out, filepath.Join(dir, "sub")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	a := start(t, agents.Options{Folder: dir})
	a.do("open", args{"solver": "acs", "instance": "rand-40-1", "as": "a"})
	a.do("step", args{"run": "a", "n": 5})
	a.do("save", args{"run": "a", "path": "sub/a.run"})
	a.do("save", args{"run": "a", "path": filepath.Join(dir, "abs.run")})
	rec, err := os.ReadFile(filepath.Join(dir, "abs.run"))
	if err != nil {
		t.Fatal(err)
	}
	write := func(path string, b []byte) {
		t.Helper()
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link := func(to, at string) {
		t.Helper()
		if err := os.Symlink(to, filepath.Join(dir, at)); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(out, "secret.run"), rec)
	write(filepath.Join(out, "secret.tsp"), []byte("NAME: x\n"))
	link(filepath.Join(out, "secret.run"), "link.run")
	link(out, "linked")
	link(filepath.Join(out, "new.run"), "dangling.run")
	link("../out/secret.tsp", "link.tsp")
	// A record whose instance lies outside, and one whose state does.
	write(filepath.Join(dir, "evil.run"), bytes.Replace(rec, []byte(`"instance":{`),
		[]byte(`"instance":{"path":"`+out+`/secret.tsp",`), 1))
	write(filepath.Join(dir, "stated.run"), rec)
	link(filepath.Join(out, "secret.run"), filepath.Base(solvers.StatePath(dir+"/stated.run")))

	const outside = "outside the folder of this agent"
	for _, path := range []string{
		"../out/secret.run", "sub/../../out/secret.run", filepath.Join(out, "secret.run"),
		"/etc/passwd", "link.run", "linked/secret.run", "..", ".", dir, "/", "//etc/passwd",
		"linked/nowhere/x.run",
	} {
		a.fails("load", args{"path": path}, outside)
		a.fails("replay", args{"path": path}, outside)
		a.fails("save", args{"run": "a", "path": path}, outside)
	}
	a.fails("load", args{"path": "evil.run"}, "the instance of the record", outside)
	a.fails("diff", args{"a": "evil.run", "b": "a"}, outside)
	a.fails("export", args{"runs": []string{"evil.run"}, "path": "x.html"}, outside)
	a.fails("export", args{"runs": []string{"a"}, "path": "../out/a.csv"}, outside)
	a.fails("export", args{"runs": []string{"../out/secret.run"}, "path": "x.html"}, outside)
	a.fails("plot", args{"runs": []string{"a"}, "to": "linked/a.svg"}, outside)
	a.fails("open", args{"solver": "acs", "instance": "../out/secret.tsp"}, outside)
	a.fails("open", args{"solver": "acs", "instance": "link.tsp"}, outside)
	a.fails("open", args{"solver": "acs", "instance": "rand-40-1", "start": "/etc/passwd"}, outside)
	a.fails("open", args{"solver": "acs", "instance": "passwd.tsp"}, "no file passwd.tsp")
	a.fails("experiment", args{"name": "e", "do": "import", "from": "../x.csv"}, outside)
	a.fails("experiment", args{
		"name": "e", "solvers": "acs", "instances": "rand-40-1,../out/secret.tsp", "n": 5,
	}, outside)
	a.fails("save", args{"run": "a", "path": "dangling.run"}, "link to nothing")
	a.fails("save", args{"run": "a", "path": "~/x.run"}, "within the folder")
	a.fails("save", args{"run": "a", "path": "a\x00b"}, "control characters")
	a.fails("save", args{"run": "a", "path": "nowhere/x.run"}, "there is no folder")
	a.fails("save", args{"run": "a", "path": strings.Repeat("a/", 4000)}, "4096")
	for _, name := range []string{"stated.run"} {
		a.fails("load", args{"path": name}, outside)
		a.fails("save", args{"run": "a", "path": name}, outside)
	}
	entries, _ := os.ReadDir(out)
	if len(entries) != 2 {
		t.Errorf("the folder outside has %v", entries)
	}

	b := start(t, agents.Options{}) // without a folder there are no files
	b.do("open", args{"solver": "acs", "instance": "rand-40-1", "as": "a"})
	b.fails("save", args{"run": "a", "path": "a.run"}, "no folder was given")
	b.fails("save", args{"run": "a"}, "no folder was given")
	b.fails("load", args{"path": filepath.Join(dir, "abs.run")}, "no folder was given")
	b.fails("open", args{"solver": "acs", "instance": "./x.tsp"}, "no folder was given")
}

// Arguments that are no arguments are errors that name them.
func TestHostileArguments(t *testing.T) {
	t.Parallel()
	a := start(t, agents.Options{Folder: t.TempDir()})
	a.do("open", args{"solver": "acs", "instance": "rand-40-1", "as": "a"})
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	for _, c := range []struct {
		tool string
		q    any
		want string
	}{
		{"step", raw(`{"run":"a","n":-1}`), "n is -1, want an integer from 0 to 2^53"},
		{"step", raw(`{"run":"a","n":1.5}`), "n is 1.5"},
		{"step", raw(`{"run":"a","n":1e300}`), "n is 1e300"},
		{"step", raw(`{"run":"a","n":1e999}`), "n is 1e999"},
		{"step", raw(`{"run":"a","n":"100"}`), `n is "100", want an integer`},
		{"step", raw(`{"run":"a","n":[1]}`), "n is [1]"},
		{"step", raw(`{"run":"a","wall":"NaN"}`), `wall is "NaN", want a finite number`},
		{"step", raw(`{"run":"a","wall":-5}`), "wall is -5"},
		{"step", raw(`{"run":"a","wall":null}`), "how far"},
		{"step", raw(`{"run":"a","until":"gap<NaN"}`), "gap<NaN"},
		{"step", raw(`{"run":"a","until":"nothing"}`), "nothing"},
		{"step", raw(`{"run":7,"n":1}`), "run is 7, want a text"},
		{"step", raw(`{"run":"a\nquit","n":1}`), "without control characters"},
		{"step", raw(`{"run":"zzz","n":1}`), "zzz"},
		{"step", raw(`{"n":1}`), "the argument run is missing"},
		{"step", raw(`{"run":"a","count":1}`), `no argument "count", want some of: run, n`},
		{"step", raw(`[1,2]`), "no JSON object"},
		{"step", raw(`{"run":{"a":{"b":{"c":{"d":1}}}}}`), "nested 5 deep"},
		{"set", raw(`{"run":"a","params":{"q0":"NaN"}}`), "q0"},
		{"set", raw(`{"run":"a","params":{"q0":7}}`), "q0 is 7"},
		{"set", raw(`{"run":"a","params":{"q0":null}}`), "q0"},
		{"set", raw(`{"run":"a","params":{"q0":[1]}}`), "names with numbers"},
		{"set", raw(`{"run":"a","params":{"":1}}`), "names with numbers"},
		{"set", raw(`{"run":"a","params":{"ants":1e18}}`), "ants"},
		{"set", raw(`{"run":"a","params":[]}`), "an object"},
		{"set", raw(`{"run":"a","params":{"nothing":1}}`), "nothing"},
		{"open", raw(`{"solver":"acs","instance":"rand-40-1","seed":-1}`), "seed is -1"},
		{"open", raw(`{"solver":"acs","instance":"rand-40-1","as":"../x"}`), "../x"},
		{"open", raw(`{"solver":"nothing","instance":"rand-40-1"}`), "nothing"},
		{"open", raw(`{"solver":"acs","instance":"rand-40-1","over":"nats://h"}`), "no argument over"},
		{"open", raw(`{"solver":"acs","instance":"rand-999999999999-1"}`), "rand-999999999999-1"},
		{"plot", raw(`{"runs":"a"}`), "a list"},
		{"plot", raw(`{"runs":["a"],"sink":{"graphics":"svg"}}`), "no argument sink"},
		{"plot", raw(`{"runs":["a"],"size":"1e9cmx1e9cm"}`), "size"},
		{"save", raw(`{"run":"a","force":true}`), "no argument force"},
		{"export", raw(`{"runs":["a"],"path":"x.html","engine":"/bin/sh"}`), "no argument engine"},
		{"repeat", raw(`{"run":"a","seeds":1000000000}`), "want at most 10000"},
		{"repeat", raw(`{"run":"a","background":true}`), "no argument background"},
		{"experiment", raw(`{"name":"e","do":"recover"}`), "want one of"},
		{"experiment", raw(`{"name":"e","do":"pause"}`), "want one of"},
		{"load", raw(`{"path":"a.run","code":true}`), "code is not given to this agent"},
		{"replay", raw(`{"path":"a.run","code":true}`), "-code gives it"},
		{"diff", raw(`{"a":"a","b":"a","code":true}`), "-code gives it"},
		{"open", raw(`{"solver":"` + strings.Repeat("a", 10<<20) + `"}`), "at most 1048576"},
		{"open", raw(`{"solver":"` + strings.Repeat("a", 100<<10) + `"}`), "at most 16384"},
	} {
		a.fails(c.tool, c.q, c.want)
	}
	if _, err := a.CallTool(t.Context(), &mcp.CallToolParams{Name: "shutdown"}); err == nil {
		t.Error("there is a tool shutdown")
	}
	a.do("step", args{"run": "a", "n": 3}) // all is as it was
}

// With -code an agent may run the source of a record; the argument is there.
func TestCode(t *testing.T) {
	t.Parallel()
	a := start(t, agents.Options{Folder: t.TempDir(), Code: true})
	a.do("open", args{"solver": "acs", "instance": "rand-40-1", "as": "a"})
	a.do("save", args{"run": "a"})
	a.do("load", args{"path": "a.run", "as": "b", "code": true})
}

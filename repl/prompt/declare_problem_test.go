package prompt

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// sack declares a problem of one's own, line by line.
const sack = `
type Sack struct {
	Penalty float64 ` + "`param:\"penalty,0..50\" doc:\"of a unit too much\"`" + `
}
const room = 60
func weight(i int) int64 { return int64(7*i%11 + 1) }
func (s *Sack) Cost(x []uint8) int64 {
	var held, value int64
	for i, b := range x {
		held += int64(b) * weight(i)
		value += int64(b) * int64(i%5+3)
	}
	return value - int64(s.Penalty)*max(held-room, 0)
}
lab.DeclareProblem("sack", func() any { return &Sack{Penalty: 5} }, lab.Bits(30), lab.Maximise)
`

// A problem that is declared at the prompt is searched like any other, its own parameter is set and
// journalled, and its record replays in another session that compiles its source.
func TestDeclareProblem(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("go"); err != nil || testing.Short() {
		t.Skip("compiles programs")
	}
	dir, state := shortDir(t), []string{"METALAB_STATE=" + shortDir(t)}
	out, errs, code := repl(t, dir, sack+`
check sack moves=50
a := lab.Open("a", "tabu", lab.Load("sack"), lab.With("walks", 3, "scans", 5))
step a 40
set a penalty=20
step a 40
journal a
fork a as b neighbourhood=hamming2
step b 20
open hill sack as h; step h 30; open vnd sack as v; step v 30; open anneal sack as s; step s 30
repeat a 5 n=20; repeat h 5 n=20; compare a h
set h penalty=20; repeat h 5 n=20; compare a h
sweep a penalty=1,20 seeds=5 n=5 as other; experiment other report; experiment other best
experiment other export to other.tex; chart other box
sweep a tenure=1,9 seeds=2 n=5 as own; chart own parallel
instance sack
plot a best
step s until best>=0
seeds a
fmt.Println("Go sees", a.Best().Value > 0, a.History().Points[0].Best > 0)
export b b.csv; export b b.txt best; export a seeds.csv seeds
experiment e solvers=tabu,hill instances=sack seeds=5 n=10
experiment e units
experiment e report
experiment e export to e.csv
waves a
plot a spans
save b sack.run; replay sack.run
lab.DeclareProblem("sack", func() any { return &Sack{Penalty: 6} }, lab.Bits(30), lab.Maximise)
step a 1
experiment e solvers=tabu instances=sack seeds=5 n=10
`, state)
	for _, want := range []string{
		"sack: declared, code ", ", 30 bits, maximised; parameters penalty",
		"150 moves agree with Cost", "moves give the same in kernels for a GPU (an interpreter",
		"a: iteration 40, best 8", "40: penalty 5 → 20 from iteration 41",
		"b: iteration 100, best 8", "s: iteration 30, best 8", "v: iteration 30, best 8",
		"Go sees true true", "each of the 3 walks goes to one worker whole", "no device times it",
		"penalty=20 and penalty=5 are two objectives of sack, whose own parameter that is",
		"No verdict: penalty=1 and penalty=20 are two objectives of sack",
		"other on sack, several objectives", "reached already", "has the larger value in",
		"sack.run: replayed 100 iterations: identical", "a stays on code ", "a: iteration 81, best 8",
		"sack is not the same in all rows: its data (SHA-256) is ",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if code != 0 || t.Failed() {
		t.Fatalf("code %d: %s\n%s", code, errs, out)
	}
	for file, want := range map[string]string{
		"b.csv": "\n100,8", "b.txt": "\n# objective 8", "other.tex": "different objectives",
		"seeds.csv": ",20,8", "e.csv": "done,8",
	} {
		b, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil || !strings.Contains(string(b), want) {
			t.Errorf("%s: %v, %q is missing in\n%s", file, err, want, b)
		}
	}
	out, errs, _ = repl(t, dir, "", state, "-c", "experiment other report; experiment own report")
	for _, want := range []string{
		"No verdict: penalty=1 and penalty=20 are two objectives of sack", "no test with fewer than two",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("a session without the code: %q is missing in\n%s\n%s", want, out, errs)
		}
	}
	path := filepath.Join(dir, "sack.run")
	_, errs, code = repl(t, dir, "", nil, "-c", "replay "+path)
	if code == 0 || !strings.Contains(errs, "sack.run is of sack, a problem of somebody's own, whose "+
		"source it holds") {
		t.Errorf("another session: code %d, %s", code, errs)
	}
	out, errs, code = repl(t, dir, "", nil, "-c", "load "+path+" as c code=yes; replay "+path+
		"; step c 5; open hill sack as d; step d 5; source c")
	for _, want := range []string{
		"sack, declared from the source in sack.run", "replayed 100 iterations: identical",
		"c: iteration 105", "d: iteration 5", "func (s *Sack) Cost(x []uint8) int64 {",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("another session: %q is missing in\n%s\n%s", want, out, errs)
		}
	}
	if code != 0 {
		t.Errorf("another session: code %d: %s", code, errs)
	}
}

// Requests that a problem of one's own does not take are refused with what there is. One session
// has the problem, which takes seconds to compile; # is another number for each line.
func TestDeclareProblemErrors(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("go"); err != nil || testing.Short() {
		t.Skip("compiles programs")
	}
	session, env := served(t)
	if _, errs, code := repl(t, shortDir(t), sack, env, "-attach", session); code != 0 {
		t.Fatalf("code %d: %s", code, errs)
	}
	const two = "open tabu sack as b#; open tabu sack as d# penalty=9; "
	const several = "open tabu sack as b#; sweep b# penalty=1,9 seeds=2 n=3 as c#; "
	number := 0
	for line, want := range map[string]string{
		"open tabu sack as b#; step b# 3; tune b# penalty=1..9": "each value of it is another " +
			"objective",
		"open anneal sack on=cuda":        "anneal",
		several + "experiment c# budgets": "are two objectives of sack",
		several + "experiment c# targets": "are two objectives of sack",
		two + "plot b# d# best":           "are two objectives of sack",
		several + "chart c# ranks":        "ranks: penalty=1 and penalty=9 are two",
		several + "chart c# ecdf":         "ecdf: penalty=1 and penalty=9 are two",
		"open acs sack":                   "sack is of kind own",
		"open tabu sac":                   "did you mean sack?; declared in this session: sack",
		"open ils/queue sack":             "variants of ils that take it: moves on cpu",
		"check sac": `no problem of your own is called "sac"; ` +
			`there are sack`,
		"check sack moves=-1": "moves is -1, want 1 to 1,000,000",
		"open hill sack as b#; step b# 3 until best<=9": "the objective of sack is maximised: give " +
			"best>=9",
		"open hill sack as b#; step b# until gap<1": "no best value of sack is known, so there is no " +
			"gap; give best>=… instead",
		"open hill tai12a as b#; step b# 3 until best>=9": "the objective of tai12a is minimised: " +
			"give best<=9",
	} {
		number++
		line = strings.ReplaceAll(line, "#", strconv.Itoa(number))
		_, errs, code := repl(t, shortDir(t), "", env, "-attach", session, "-c", line)
		if code == 0 || !strings.Contains(errs, want) {
			t.Errorf("%s: code %d, %s, want %q", line, code, errs, want)
		}
	}
	for line, want := range map[string]string{
		`lab.DeclareProblem("tabu", func() any { return &Sack{} }, lab.Bits(3))`: "the name of a solver",
		"p := &Sack{}; " +
			`lab.DeclareProblem("two", func() any { return p }, lab.Bits(3))`: "undefined: p",
	} {
		_, errs, code := repl(t, shortDir(t), sack+line+"\n", nil)
		if code == 0 || !strings.Contains(errs, want) {
			t.Errorf("%s: code %d, %s, want %q", line, code, errs, want)
		}
	}
}

// served returns the name of a session that is served until the test ends, and the environment in
// which it is found.
func served(t *testing.T) (session string, env []string) {
	t.Helper()
	env = []string{"XDG_RUNTIME_DIR=" + shortDir(t), "METALAB_STATE=" + shortDir(t)}
	cmd := exec.Command(os.Args[0], "serve", "-session", "mine")
	cmd.Env = append(append(os.Environ(), envRepl+"=1"), env...)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatalf("it says %q: %v", line, err)
	}
	return "mine", env
}

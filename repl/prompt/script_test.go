package prompt

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"metalab/solvers/conform"
)

// repl runs the prompt with arguments in a folder of its own.
func repl(t *testing.T, dir, stdin string, env []string,
	args ...string,
) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), envRepl+"=1", "METALAB_STATE="+shortDir(t), "XDG_RUNTIME_DIR="+
		shortDir(t))
	cmd.Env = append(cmd.Env, env...)
	cmd.Stdin = strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if exit, ok := err.(*exec.ExitError); ok {
		code = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), code
}

// shortDir is a folder whose path is short enough for a socket in it. It is not t.TempDir, whose
// removal fails where a host, which has ended with its prompt, is still writing to a slow disk.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "ml")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// lines decodes one JSON object a line.
func lines(t *testing.T, out string) []map[string]any {
	t.Helper()
	var all []map[string]any
	for line := range strings.Lines(out) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		all = append(all, m)
	}
	return all
}

// TestTunedRunReplays is the first thing that metalab promises: a run whose parameters
// were changed on the way replays, and is the same on any number of cores.
func TestTunedRunReplays(t *testing.T) {
	t.Parallel()
	const script = "open %s E1k.0 as a seed=7 ants=10 local_search=none; step a 40; set a %s; step " +
		"a 40; save a a.run; replay a.run"
	for solver, change := range map[string]string{
		"acs":  "q0=0.5 local_period=4",
		"mmas": "rho=0.9 ants=7", "as": "beta=3",
	} {
		t.Run(solver, func(t *testing.T) {
			t.Parallel()
			if solver != "acs" {
				conform.Brief(t, "starts processes")
			}
			var records []string
			for _, cores := range []string{"1", "4"} {
				dir := shortDir(t)
				text := strings.Replace(strings.Replace(script, "%s", solver, 1), "%s", change, 1)
				out, errs, code := repl(t, dir, "", []string{"GOMAXPROCS=" + cores}, "-json", "-c", text)
				if code != 0 {
					t.Fatalf("exit status %d: %s%s", code, out, errs)
				}
				all := lines(t, out)
				last := all[len(all)-1]
				if len(all) != 6 || last["verb"] != "replay" || last["identical"] != true ||
					last["first_difference"] != nil {
					t.Fatalf("last line %v", last)
				}
				for _, key := range []string{
					"run", "solver", "variant", "instance", "backend", "iteration",
					"best", "optimum", "gap", "wall_s", "cpu_s",
				} {
					if _, ok := all[1][key]; !ok {
						t.Errorf("the line of step has no %q", key)
					}
				}
				records = append(records, untimed(t, filepath.Join(dir, "a.run")))
			}
			if records[0] != records[1] {
				t.Error("the records of one core and of four differ")
			}
		})
	}
}

// untimed is a record less what is never compared.
func untimed(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for i, m := range lines(t, string(b)) {
		for _, key := range []string{"wall_s", "cpu_s", "at", "who", "build", "machine", "started_at"} {
			delete(m, key)
		}
		if i == 0 && m["metalab"] != "record" {
			t.Fatalf("the first line of a record is %v", m)
		}
		j, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(j, '\n'))
	}
	return out.String()
}

func TestScripts(t *testing.T) {
	t.Parallel()
	dir := shortDir(t)
	if err := os.WriteFile(filepath.Join(dir, "s.lab"), []byte("# a script\nopen acs rand-50-3 as "+
		"a\n\nstep a 5; best a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		name, stdin string
		args        []string
		code        int
		out, errs   string
	}{
		{"help", "", []string{"-h"}, 0, "-attach NAME", ""},
		{"flag", "", []string{"-x"}, 2, "", "repl -h tells"},
		{"script", "", []string{"s.lab"}, 0, "found in iteration", ""},
		{"no script", "", []string{"no.lab"}, 1, "", "no.lab"},
		{"pipe", "open as rand-20-1 as z\nstep z 3\nshow z\n", nil, 0, "iteration 3", ""},
		{"go in a pipe", "x := 20\nx + 1\n", nil, 0, "21", ""},
		{"lab", "a := lab.Open(\"a\", \"as\", lab.Load(\"rand-30-1\"), " +
			"lab.Seed(4))\na.Step(3)\na.Plot(\"tour\")\nstep a 2\nlab.Runs()\n", nil, 0, "iteration 5", ""},
		{"slip of the pen", "stp a 3\n", nil, 1, "", "did you mean step?"},
		{"what is meant", "stop", nil, 1, "", "line 1: \"stop\" is not a verb, did you mean pause?"},
		{"more than a word", "run acs pr1002", nil, 1, "", "did you mean open?; help lists the verbs\n"},
		{"what is meant by list", "list", nil, 1, "", "did you mean runs?; help lists the verbs\n"},
		{"help me", "help me", nil, 0, "open acs E1k.0 as a", ""},
		{"help start", "help start", nil, 0, "help lists all verbs", ""},
		{"pwd", "pwd", nil, 1, "", "line 1: pwd is a word of the shell; here files are read from and"},
		{"cd", "cd /tmp", nil, 1, "", "line 1: cd is a word of the shell; here files are read from and"},
		{"ls", "ls -l", nil, 1, "", "ls is a word of the shell; here runs lists the runs"},
		{"a shell's escape", "!ls", nil, 1, "", "ls is a word of the shell; here runs lists"},
		{"sudo", "sudo x", nil, 1, "", "sudo is a program of the shell, which is not run here: leave"},
		{"any program", "!top -b", nil, 1, "", "top is a program of the shell, which is not run here"},
		{
			"a command of the shell", "repl worker nats://127.0.0.1:4222", nil, 1, "",
			"line 1: repl worker is typed in another terminal, in the shell: go run ./repl worker nats://",
		},
		{
			"a verb and a parameter", "help workers", nil, 0,
			"\n\nworkers: also a parameter of anneal, cmaes, ga, hill, ils, tabu, vnd\n", "",
		},
		{
			"an experiment as a run", "open acs rand-20-1 as a; export e1 page.html", nil, 1, "",
			`there is no run "e1"; there are: a; nor is there an experiment "e1"`,
		},
		{
			"an experiment as CSV of a run", "open acs rand-20-1 as a; export e1 e1.csv", nil, 1, "",
			"export: e1 is no open run (runs lists them); of an experiment: experiment e1 export to e1.csv",
		},
		{
			"a solution of what is a tour", "open acs rand-20-1 as a; step a 1; plot a solution", nil, 1, "",
			"and a is on rand-20-1, of kind tsp: take tour\n",
		},
		{"a name as of the shell", "cd := 5; cd", nil, 0, "5\n", ""},
		{"pwd, as JSON", "pwd", []string{"-json"}, 1, "pwd is a word of the shell", ""},
		{"=", "x = 5", nil, 1, "", "line 1: a new variable is made by x := 5\n"},
		{": =", "x : = 5", nil, 1, "", "line 1: a new variable is made by x := 5\n"},
		{"let", "let x = a + 1", nil, 1, "", "line 1: a new variable is made by x := a + 1\n"},
		{"const", "int n = 3", nil, 1, "", "line 1: a new variable is made by n := 3\n"},
		{"= of another type", "x := 5; x = true", nil, 1, "", "cannot use true"},
		{"= of what is not there", "x := 5\nx = y", nil, 1, "", "undefined: y"},
		{"help of what is meant", "help stop", nil, 0, "pause <run …>", ""},
		{"version", "version", nil, 0, "protocol", ""},
		{"exit and clear", "clear\nexit\nnonsense", nil, 0, "", ""},
		{
			"parameter alone", "open acs rand-20-1 as z; q0=0.9", nil, 1, "",
			"q0 is a parameter of z: set z q0=0.9\n",
		},
		{
			"parameters alone", "open acs rand-20-1 as z; q0 = 0.9 ants=3", nil, 1, "",
			"q0 is a parameter of z: set z q0=0.9 ants=3\n",
		},
		{
			"budget without a verb", "open acs rand-30-1 as z\nfor 1s", nil, 1, "",
			"for 1s lacks a verb and a run: step z for 1s, or go z for 1s",
		},
		{
			"condition without a verb", "until gap<1", nil, 1, "",
			"until gap<1 lacks a verb and a run: step a until gap<1, or go a until gap<1",
		},
		{
			"a file that is imported", "import runs/x.csv", nil, 1, "",
			"experiment NAME import from runs/x.csv; an instance: open ils runs/x.csv; a record: load " +
				"runs/x.csv",
		},
		{"parameter of no run", "q0 0.9", nil, 1, "", "q0 is a parameter of solvers"},
		{"a name that Go does not know", "zz=5", nil, 1, "", "a new variable is made by zz := 5"},
		{
			"run before its verb", "open acs rand-20-1 as z; z step 10", nil, 1, "",
			"the verb stands before it: step z 10\n",
		},
		{
			"run before its parameter", "open acs rand-20-1 as z; z q0=.5", nil, 1, "",
			"z is a run: set z q0=.5\n",
		},
		{
			"Go is still Go", "status := 3\nstatus + 1\nlist := []int{7}\nlist[0]", nil, 0, "4\n7\n", "",
		},
		{"what is meant, as JSON", "stop", []string{"-json"}, 1, "did you mean pause?", ""},
		{"run's name alone", "open as rand-20-1 as zz\nzz\n", nil, 1, "", `lab.Get("zz")`},
		{
			"negative seed", "open as rand-20-1 as z seed=-1\n", nil, 1, "",
			"open: seed is -1, want an integer of 0 or more",
		},
		{"save to a folder", "open as rand-20-1 as z\nsave z .\n", nil, 1, "", "it is a folder"},
		{"save to a device", "open as rand-20-1 as z\nsave z /dev/null\n", nil, 1, "", "it is a device"},
		{
			"unknown preset", "open as rand-20-1 as z preset=x\n", nil, 1, "",
			`line 1: open: as/scan on rand-20-1: preset is "x"`,
		},
		{
			"wrong after Go of several lines",
			"f := func() int {\n\treturn 3\n}\n# a comment\n\nstep zz 1\n", nil, 1, "",
			"line 6: there is no run",
		},
		{
			"wrong within Go of several lines", "x := 1\nfor range 3 {\n\tx++\n\tzz()\n}\n", nil, 1, "",
			"line 4:2: undefined: zz",
		},
		{
			"no continuation", "sudo rm -rf /\n# for {\nx := 1\n", nil, 1, "",
			"line 1: sudo is a program of the shell",
		},
		{
			"several runs",
			"open as rand-20-1 as a; open as rand-20-1 as b; step a b 3; save a b; load b.run " +
				"as c\nshow c\n", nil, 0, "iteration    3", "",
		},
		{
			"go until", "open as rand-20-1 as z; go z until iteration=50; watch z; show z", nil, 0,
			"iteration    50", "",
		},
		{
			"plot of no run", "open as rand-20-1 as a; step a 1; plot zz", nil, 1, "",
			`"zz" is no open run either (there are: a)`,
		},
		{
			"watch of no run", "open as rand-20-1 as a; step a 1; watch zz", nil, 1, "",
			`"zz" is no open run either (there are: a)`,
		},
		{
			"statistics", "stat.Mean([]float64{1, 2, 6}, nil)\nfloats.Max([]float64{1, 5})\n?stat.StdDev\n",
			nil, 0, "3\n5\nstat.StdDev func(x []float64, weights []float64) float64", "",
		},
		{"help of words", "open acs rand-20-1 as z\n?lab.Open\nhelp q0\n", nil, 0, "now: z 0.98", ""},
		{"help of nearly a parameter", "help q00\n", nil, 1, "", "did you mean q0?"},
		{
			"nearly a name of Go", `x := lab.Opne("a", "acs", nil)`, nil, 1, "",
			"undefined: lab.Opne; did you mean lab.Open?",
		},
		{
			"a file that is not there", "experiment e1 import nosuch.csv\n", nil, 1, "",
			"experiment: there is no file ",
		},
		{"a record that is not there", "replay nosuch.run\n", nil, 1, "", "record: there is no file "},
		{
			"a list with commas, without a verb", "open acs rand-50-7 as a\nq0=0.7, beta 3\n", nil, 1, "",
			"q0 is a parameter of a: set a q0=0.7 beta=3",
		},
		{
			"a list with commas", "open acs rand-50-7 as a\nset a q0=0.7, beta 3\nset a q0 to 0.5\n", nil, 0,
			"q0 0.7 → 0.5", "",
		},
		{
			"the best into a file", "open acs rand-50-7 as a\nstep a 2\nbest a to b.tour\n", nil, 0,
			"b.tour", "",
		},
		{
			"nearly a package", "stings.ToUpper(\"x\")\n", nil, 1, "",
			"undefined: stings; did you mean strings?",
		},
		{
			"nearly a function, as near as another", "fmt.Printn(1)\n", nil, 1, "",
			"undefined: fmt.Printn; did you mean fmt.Println?",
		},
		{
			"nearly a method of a run", "open acs rand-50-7 as a\nlab.Get(\"a\").Stp(1)\n", nil, 1, "",
			"has no field or method Stp); did you mean Step?",
		},
		{
			"nearly a variable of the input", "total := 3; fmt.Println(totl)\n", nil, 1, "",
			"undefined: totl; did you mean total?",
		},
		{
			"a run is no name of Go", "open as rand-20-1 as a\nx := a.Best()", nil, 1, "",
			`undefined: a; a is a run, in Go it is lab.Get("a")`,
		},
		{
			"methods of what a call gives",
			"open as rand-20-1 as a\nfmt.Println(len(lab.Get(\"a\").Array(\"coordinates\").Float64s()))",
			nil, 0, "\n40\n", "",
		},
		{"a value that cannot be shown", "lab.GPU(0)", nil, 1, "", "gpu: "},
		{"help of nothing", "?lab.Opn\n", nil, 1, "", `"lab.Opn" is no verb`},
		{"lab's error", "lab.Load(\"rand-0-1\")", nil, 1, "", "rand-0-1"},
		{"first error", "open as rand-20-1 as z; step z 0x; quit", nil, 1, "", "line 1: "},
		{"quit", "quit\nnonsense\n", nil, 0, "", ""},
		{
			"structural", "",
			[]string{"-c", "open acs rand-20-1 as z; set z storage=matrix"},
			1,
			"", "fork",
		},
		{
			"range", "",
			[]string{"-c", "open acs rand-20-1 as z; set z q0=2"},
			1, "",
			"q0 is 2, want 0 to 1",
		},
		{
			"plot", "",
			[]string{"-c", "open acs rand-20-1 as z; step z 5; plot z tour to t.svg"},
			0,
			"t.svg", "",
		},
		{"error as JSON", "", []string{"-json", "-c", "step z 1"}, 1, `"error"`, ""},
		{"watch", "", []string{"-c", "open acs rand-20-1 as z; step z 5; watch z"}, 0, "iteration", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if i%4 != 0 {
				conform.Brief(t, "a process of its own")
			}
			out, errs, code := repl(t, dir, c.stdin, nil, c.args...)
			if code != c.code || !strings.Contains(out, c.out) || !strings.Contains(errs, c.errs) {
				t.Errorf("exit status %d, want %d\nstdout: %s\nwant %q\nstderr: %s\nwant %q", code, c.code, out,
					c.out, errs, c.errs)
			}
		})
	}
}

// TestRecoverTwice shows that a script knows the runs that it recovers, and those that are
// opened by another client.
func TestRecoverTwice(t *testing.T) {
	t.Parallel()
	dir, env := shortDir(t), []string{"METALAB_STATE=" + shortDir(t)}
	left := "open as rand-20-1 as a; open as rand-20-2 as b; step a 3; step b 4; set b beta=3; " +
		"step b 2; frob"
	if _, _, code := repl(t, dir, "", env, "-c", left); code != 1 {
		t.Fatalf("exit status %d of a script that fails", code)
	}
	out, errs, code := repl(t, dir, "", env, "-c",
		"recover b as t; recover a as gg; best t; journal gg; close gg; journal t")
	if code != 0 || !strings.HasSuffix(out, "4: beta 5 → 3 from iteration 5 (prompt)\n") {
		t.Errorf("exit status %d: %s%s", code, out, errs)
	}
}

// TestScriptsLeaveNothing shows that a script that ends well leaves no autosave but of what it
// recovered, and that one that fails says what it leaves.
func TestScriptsLeaveNothing(t *testing.T) {
	conform.Brief(t, "starts many processes")
	t.Parallel()
	dir, state := shortDir(t), shortDir(t)
	env := []string{"METALAB_STATE=" + state}
	left := func(want ...string) {
		t.Helper()
		files, _ := filepath.Glob(state + "/autosave/*/*.run")
		var got []string
		for _, f := range files {
			got = append(got, filepath.Base(f))
		}
		if !slices.Equal(got, want) {
			t.Errorf("autosaves %v, want %v", got, want)
		}
	}
	well := "open as rand-20-1 as a; step a 3; go a; open as rand-20-2 as b; step b 3; close b"
	for _, c := range [][]string{{"-c", well}, {"-c", well + "; quit"}, {"-json", "-c", well}} {
		if _, errs, code := repl(t, dir, "", env, c...); code != 0 || errs != "" {
			t.Fatalf("exit status %d: %s", code, errs)
		}
		left()
	}
	_, errs, code := repl(t, dir, "open as rand-20-1 as a\nstep a 3\nopen as rand-20-2 as b\nfrob\n",
		env)
	if code != 1 || !strings.Contains(errs, "frob") ||
		!strings.Contains(errs,
			"repl: autosaved: a (iteration 3), b (iteration 0); to go on: repl, then recover prompt-") {
		t.Errorf("exit status %d of a script that fails: %s", code, errs)
	}
	left("a.run", "b.run")
	if _, errs, code = repl(t, dir, "", env, "-c", "recover b discard; recover a as z; "+
		"step z 2; open as rand-20-2 "+
		"as b; step b 3"); code != 0 || errs != "" {
		t.Fatalf("exit status %d: %s", code, errs)
	}
	left("z.run")
	if _, errs, code = repl(t, dir, "", env, "-c", "recover z; save z z.run"); code != 0 ||
		errs != "" {
		t.Fatalf("exit status %d: %s", code, errs)
	}
	left()
}

// TestInstanceFileChanged shows that a record knows when its instance is another one.
func TestInstanceFileChanged(t *testing.T) {
	t.Parallel()
	dir := shortDir(t)
	write := func(last string) {
		t.Helper()
		text := "NAME: mine\nTYPE: TSP\nDIMENSION: 5\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 " +
			"0 0\n2 0 10\n3 10 10\n4 10 0\n5 " + last + "\nEOF\n"
		if err := os.WriteFile(filepath.Join(dir, "mine.tsp"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("5 5")
	if _, errs, code := repl(t, dir, "", nil, "-c", "open as mine.tsp as m; step m 3; save m "+
		"m.run; replay m.run"); code != 0 {
		t.Fatalf("exit status %d: %s", code, errs)
	}
	write("5 6")
	_, errs, code := repl(t, dir, "", nil, "-c", "replay m.run")
	if code != 1 || !strings.Contains(errs, "holds other data than when the record was made") {
		t.Errorf("exit status %d: %s", code, errs)
	}
}

package words

import (
	"slices"
	"strings"

	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// meant are words that people bring from elsewhere, a shell, a debugger, another solver, and the
// verb that does what they want here. They are looked up before words that are spelt alike, which
// may do the opposite: stop is near to step.
var meant = map[string]string{
	"stop": "pause", "halt": "pause", "break": "pause", "interrupt": "pause", "cancel": "pause",
	"abort": "pause", "suspend": "pause",
	"run": "open", "new": "open", "create": "open", "init": "open",
	"start": "go", "resume": "go", "continue": "go", "cont": "go", "play": "go",
	"iterate": "step", "next": "step", "advance": "step",
	"optimize": "solve", "optimise": "solve", "minimize": "solve", "minimise": "solve",
	"search": "solve",
	"status": "runs", "list": "runs", "ls": "runs", "ps": "runs", "jobs": "runs", "dir": "runs",
	"info": "show", "print": "show", "view": "show", "state": "show",
	"draw": "plot", "figure": "plot", "graph": "plot", "picture": "plot", "display": "plot",
	"result": "best", "solution": "best",
	"parameters": "params", "param": "params", "options": "params", "knobs": "params",
	"settings": "params", "get": "params",
	"change": "set", "reset": "set",
	"kill": "close", "delete": "close", "remove": "close", "rm": "close", "del": "close",
	"end":  "close",
	"copy": "fork", "clone": "fork", "cp": "fork", "branch": "fork",
	"back": "undo", "revert": "undo", "rollback": "undo",
	"store": "save", "write": "save", "read": "load", "restore": "load",
	"verify": "replay", "check": "replay", "log": "journal",
	"algorithms": "solvers", "algorithm": "solvers", "methods": "solvers", "solver": "solvers",
	"problems": "instances", "datasets": "instances", "benchmarks": "instances",
	"benchmark": "bench", "gpus": "devices", "nvidia-smi": "devices",
	"man": "help", "usage": "help", "h": "help", "commands": "help", "verbs": "help",
	"bye": "quit", "logout": "quit", "q": "quit", "leave": "quit",
	"cls": "clear", "whoami": "about", "uname": "about",
}

// shell are words of a shell that are no verbs, by what is done here in their place; DIR is the
// folder to which paths are relative.
var shell = map[string]string{
	"pwd": "files are read from and written to DIR, or behind a path, as in save a /tmp/a.run",
	"cd": "files are read from and written to DIR, where metalab was started; others have a path, " +
		"as in save a /tmp/a.run",
	"ls":    "runs lists the runs, instances and solvers what there is; files are in DIR",
	"dir":   "runs lists the runs, instances and solvers what there is; files are in DIR",
	"cat":   "show a tells about run a, journal a what was done to it; files are in DIR",
	"less":  "show a tells about run a, journal a what was done to it; files are in DIR",
	"mkdir": "folders are made by export and outside of metalab; files are in DIR",
	"mv":    "files are moved outside of metalab, in DIR",
	"touch": "save a a.run writes a file, in DIR",
}

// programs are those of a shell that people start from where they are.
var programs = []string{
	"sudo", "pip", "pip3", "python", "python3", "conda", "apt", "git", "vi", "vim", "nano", "emacs",
	"bash", "sh", "make", "jupyter", "curl", "wget", "ssh", "grep", "find", "which", "gcc", "nvcc",
}

// Shell says what is done here in place of a line of a shell, in a folder; empty for other lines.
func Shell(line, dir string) string {
	first, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	bang := strings.HasPrefix(first, "!")
	first = strings.TrimPrefix(first, "!")
	if args, ok := strings.CutPrefix(rest, "worker "); ok && (first == "repl" || first == "metalab") {
		return first + " worker is typed in another terminal, in the shell: " + record.Started() +
			" worker " + strings.TrimSpace(args)
	}
	if rest = strings.TrimSpace(rest); strings.ContainsAny(rest, "():=") || first == "" {
		return ""
	}
	if say, ok := shell[first]; ok {
		return first + " is a word of the shell; here " + strings.ReplaceAll(say, "DIR", dir)
	}
	if bang || slices.Contains(programs, first) && Meant(first) == "" {
		return first + " is a program of the shell, which is not run here: leave by quit, or take " +
			"another terminal (detach lets the runs go on)"
	}
	return ""
}

// Meant is the verb that a word of another program stands for; empty where there is none.
func Meant(word string) string { return meant[strings.ToLower(word)] }

// NearVerb is ", did you mean step?" for a word that means a verb or is nearly one, else empty.
func NearVerb(word string) string {
	verb := Meant(word)
	if verb == "" {
		names := make([]string, len(wire.Verbs))
		for i, v := range wire.Verbs {
			names[i] = v.Name
		}
		verb = Near(word, names)
	}
	if verb == "" {
		return ""
	}
	return ", did you mean " + verb + "?"
}

// A Setting is an input such as q0=0.9, values of parameters without a verb.
type Setting struct {
	Name string // of the first parameter
	Text string // all of the input, without blanks beside the "="
}

// Settings reads q0=0.9, q0 = 0.9, q0 0.9, "q0=0.9 ants=20" and "q0=0.9, ants 20"; ok is false for
// other inputs.
func Settings(line string) (s Setting, ok bool) {
	all := Lines(strings.ReplaceAll(strings.ReplaceAll(line, " =", "="), "= ", "="))
	if len(all) != 1 || strings.ContainsAny(line, "(){}[]:\n!<>&|") || strings.Contains(line, "==") {
		return s, false
	}
	var out []string
	for toks := all[0].Tokens; len(toks) > 0; toks = toks[1:] {
		text := strings.TrimSuffix(toks[0].Text, ",")
		name, value, ok := toks[0].Assignment()
		switch {
		case toks[0].Text == "," && len(out) > 0:
			continue
		case ok && strings.TrimSuffix(value, ",") != "":
		case toks[0].eq < 0 && IsName(toks[0].Text) && len(toks) > 1 && toks[1].eq < 0 &&
			isNumeric(toks[1].Text):
			name, text = text, text+"="+strings.TrimSuffix(toks[1].Text, ",")
			toks = toks[1:]
		default:
			return s, false
		}
		if s.Name == "" {
			s.Name = name
		}
		out = append(out, text)
	}
	s.Text = strings.Join(out, " ")
	return s, s.Name != ""
}

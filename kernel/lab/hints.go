package lab

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"metalab/kernel/lab/front"
	"metalab/kernel/wire"
)

// hints are pairs: what hosts tell people to type at the prompt, and the same in Go for a cell.
var hints = strings.NewReplacer(
	"open one: open acs pr1002 as a", `open one: lab.Open("a", "acs", lab.Load("pr1002"))`,
	"are needed, as in: open acs pr1002 as a",
	`are needed, as in lab.Open("a", "acs", lab.Load("pr1002"))`,
	"as in: set a q0=0.98", `as in a.Set("q0", 0.98)`,
	"fresh=true closes it", "lab.Fresh() closes it",
	"fork it with on=cuda", `a.Fork("b", lab.On("cuda"))`,
	wire.RecordHint, "; the record of a run is opened by lab.LoadRun",
	"doctor says ", "lab.Show(lab.Doctor()) says ",
	"recover alone lists them", `lab.Show(lab.Do("recover")) lists them`,
	"recover lists them", `lab.Show(lab.Do("recover")) lists them`,
	"recover lists it", `lab.Show(lab.Do("recover")) lists it`,
	"; dashboard shows them as sliders in a browser", "; lab.Sliders makes sliders of them",
)

// A lineHint is a pattern of a line of the prompt with names and values, and the same in Go.
type lineHint struct {
	line *regexp.Regexp
	make func(m []string) string
}

// lineHints are computed at the first use: most cells need none.
var lineHints = sync.OnceValue(func() []lineHint {
	return []lineHint{
		{regexp.MustCompile(`\bfork (\S+) as <name> (\w+)=([^\s;,)]+)`), func(m []string) string {
			return fmt.Sprintf("lab.Get(%q).Fork(\"name\", lab.With(%q, %s))", m[1], m[2], goValue(m[3]))
		}},
		{regexp.MustCompile(`\bfork (\S+) as (\S+) at=(\d+) goes back`), func(m []string) string {
			return fmt.Sprintf("lab.Get(%q).Fork(%q, lab.At(%s)) goes back", m[1], m[2], m[3])
		}},
		{regexp.MustCompile(`\bset (\S+) (\w+)=([^\s;,)]+) changes one`), func(m []string) string {
			return fmt.Sprintf("lab.Get(%q).Set(%q, %s) changes one", m[1], m[2], goValue(m[3]))
		}},
		{regexp.MustCompile(`\bcheck (\S+) names the move`), func(m []string) string {
			return fmt.Sprintf("lab.CheckProblem(%q) names the move", m[1])
		}},
		{regexp.MustCompile(`\bset code=(\S+) goes back`), func(m []string) string {
			return fmt.Sprintf("Set(\"code\", %q) goes back", m[1])
		}},
		{regexp.MustCompile(`\brepeat (\S+) (\d+) n=(\d+)`), func(m []string) string {
			return fmt.Sprintf("lab.Repeat(lab.Get(%q), %s, %s)", m[1], m[2], m[3])
		}},
		{regexp.MustCompile(`\brepeat (\S+) (\d+) (does it|goes on)`), func(m []string) string {
			return fmt.Sprintf("lab.Get(%q).Repeat(%s) %s", m[1], m[2], m[3])
		}},
		{regexp.MustCompile(`\brepeat (\S+) (\d+) ([\d.e+]+(?:cpu|s)\b)`), func(m []string) string {
			return fmt.Sprintf("lab.Do(%q)", fmt.Sprintf("repeat %s %s %s", m[1], m[2], m[3]))
		}},
		{regexp.MustCompile(`\bpause (\S+) ends that`), func(m []string) string {
			return fmt.Sprintf("lab.Get(%q).Pause() ends that", m[1])
		}},
		{regexp.MustCompile(`\brecover (\S+) goes on with it`), func(m []string) string {
			return fmt.Sprintf("lab.Recover(%q) goes on with it", m[1])
		}},
		{regexp.MustCompile(`(^|[^"\w])recover (\S+) discard( drops it)?`), func(m []string) string {
			return fmt.Sprintf("%slab.Do(%q)%s", m[1], "recover "+m[2]+" discard", m[3])
		}},
		{
			regexp.MustCompile(`the same line with code=yes \((\w+ (?:"[^"]*"|\S+) code=yes)\)`),
			func(m []string) string { return fmt.Sprintf("lab.Do(%q)", m[1]) },
		},
		{regexp.MustCompile(`\bsource ("[^"]*"|\S+) prints it`), func(m []string) string {
			return fmt.Sprintf("lab.Do(%q) shows it", "source "+m[1])
		}},
		{
			regexp.MustCompile(`\bparams (\S+) (\w+) tells what one does, params \S+ full of all`),
			func(m []string) string {
				return fmt.Sprintf("lab.Get(%q).Params() tells what they do", m[1])
			},
		},
	}
})

// goValue is a value of a parameter as Go.
func goValue(s string) string {
	if _, err := strconv.ParseFloat(s, 64); err == nil || s == "true" || s == "false" || s == "…" {
		return s
	}
	return strconv.Quote(s)
}

// goHints converts a text for readers of a notebook: it shows lines to type as Go.
func goHints(text string) string {
	text = hints.Replace(text)
	for _, h := range lineHints() {
		text = h.line.ReplaceAllStringFunc(text,
			func(s string) string { return h.make(h.line.FindStringSubmatch(s)) })
	}
	return text
}

// recoverHere is the advice in a notebook whose host has gone.
const recoverHere = `restart the kernel, then lab.Show(lab.Do("recover"))`

// cutLast cuts s at the last sep.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// inGo converts an error for readers of a notebook: it shows lines to type as Go, and adds to an
// error of the connection how to restore the session.
func inGo(e *Error) *Error {
	msg := goHints(e.Message)
	if rest, run, ok := cutLast(msg, ": recover "); ok && !strings.Contains(run, " ") {
		msg = rest + ": lab.Recover(" + strconv.Quote(run) + ")"
	}
	if e.Code == wire.CodeHost {
		if s := strings.Replace(msg, wire.RecoverHint, recoverHere, 1); s != msg {
			msg = s
		} else if c := front.Get().Client; !strings.Contains(msg, wire.NothingKept) &&
			(c == nil || !c.Hello().InMemory) {
			msg += "; if its host has ended: " + recoverHere + " lists what was autosaved"
		}
	}
	return &Error{e.Code, msg}
}

package prompt

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"metalab/kernel/eval"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/kernel/words"
)

// meant adds to an error of Go what the user may have meant: words that are not Go are mostly a
// misspelt verb, or a run. It shows Go's own error only for lines that may be Go.
func (f *shell) meant(text string, err error) error {
	if s := f.slip(text); s != "" {
		return errors.New(s)
	}
	if s := assigned(text, err); s != "" {
		return errors.New(s)
	}
	if !words.LooksTyped(text) {
		return f.unknown(err)
	}
	first, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	m := undefined.FindStringSubmatch(err.Error())
	switch operator := strings.IndexAny(rest, "+-*/%&|^<>=") == 0; {
	case rest == "" && m != nil && m[2] == first:
		return fmt.Errorf("%q is not a verb%s; help lists the verbs", first, words.NearVerb(first))
	case rest == "" || operator:
		return fmt.Errorf("%q is not a verb%s; help lists the verbs (as Go: %w)", first,
			words.NearVerb(first), err)
	}
	return fmt.Errorf("%q is not a verb%s; help lists the verbs", first, words.NearVerb(first))
}

// budget matches how far a step goes, typed alone.
var budget = regexp.MustCompile(`^\s*(for\s+[0-9.]+\s*[a-z]+|[0-9.]+(ms|s|m|h|min|cpu)|` +
	`until\s+\S+)\s*$`)

// imported matches a file that is imported as if that were a verb.
var imported = regexp.MustCompile(`^\s*import\s+(?:from\s+)?([^\s"` + "`" + `]+\.\w+)\s*$`)

// slip says how an input is typed that is no command for want of a verb: parameters with their
// values, or a run before its verb. It is empty for other inputs.
func (f *shell) slip(text string) string {
	if s, ok := words.Settings(text); ok {
		if run := f.having(s.Name); run != "" {
			return fmt.Sprintf("%s is a parameter of %s: set %s %s", s.Name, run, run, s.Text)
		}
		if len(f.Variants(wire.SolversRequest{Param: s.Name})) > 0 {
			return fmt.Sprintf("%s is a parameter of solvers, and no open run has it: open a run with "+
				"%s, or change it by set; help %s tells about it", s.Name, s.Text, s.Name)
		}
	}
	if s := words.Shell(text, f.Folder); s != "" {
		return s
	}
	if m := imported.FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("import of Go names a package in quotes. Runs of another program: experiment "+
			"NAME import from %s; an instance: open ils %[1]s; a record: load %[1]s", m[1])
	}
	if budget.MatchString(text) {
		run := "a"
		if runs := f.Scope().Runs; len(runs) > 0 {
			run = runs[len(runs)-1]
		}
		text = strings.TrimSpace(text)
		return fmt.Sprintf("%s lacks a verb and a run: step %s %s, or go %[2]s %[3]s", text, run, text)
	}
	first, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	rest = strings.TrimSpace(rest)
	if !slices.Contains(f.Scope().Runs, first) {
		return ""
	}
	if verb := firstWord(rest); words.IsCommand(rest) && words.LooksTyped(text) {
		return strings.TrimSpace(fmt.Sprintf("%s is a run, and the verb stands before it: %s %s %s",
			first, verb, first, strings.TrimSpace(strings.TrimPrefix(rest, verb))))
	}
	if s, ok := words.Settings(rest); ok {
		return fmt.Sprintf("%s is a run: set %s %s", first, first, s.Text)
	}
	if words.LooksTyped(text) {
		return fmt.Sprintf("%s is a run: show %s tells about it, and in Go it is lab.Get(%q)", first,
			first, first)
	}
	return ""
}

// variable finds what people write of other languages to make a variable.
var variable = regexp.MustCompile(`^\s*(?:(?:let|const|auto|int|double|float|my)\s+)?` +
	`([\pL_][\pL\pN_]*)\s*(=|: =|:=)\s*([^=\s].*)$`)

// assigned says how to declare a variable if an input does it as in other languages; it is empty
// for other inputs.
func assigned(text string, err error) string {
	m := variable.FindStringSubmatch(text)
	if m == nil || strings.Contains(text, "\n") {
		return ""
	}
	begins := strings.HasPrefix(strings.TrimSpace(text), m[1])
	u := undefined.FindStringSubmatch(err.Error())
	if begins && (m[2] == ":=" || m[2] == "=" && (u == nil || u[1] != "" || u[2] != m[1])) {
		return "" // it is written as Go has it, and something else is wrong
	}
	return fmt.Sprintf("a new variable is made by %s := %s", m[1], strings.TrimSpace(m[3]))
}

// having is a run that has a parameter, the one of the last command before others; empty if there
// is none.
func (f *shell) having(param string) string {
	s := f.Scope()
	for _, run := range append([]string{s.Current}, s.Runs...) {
		if slices.ContainsFunc(f.Params(run), func(p reply.Param) bool { return p.Name == param }) {
			return run
		}
	}
	return ""
}

// undefined finds the name that Go does not know in an error, and its package.
var undefined = regexp.MustCompile(`undefined: (?:(\w+)\.)?(\w+)(?:;.*)?$`)

// unknown adds to an error of Go about a name that it is one of a run.
func (f *shell) unknown(err error) error {
	m := undefined.FindStringSubmatch(err.Error())
	if m == nil || m[1] != "" || !slices.Contains(f.Scope().Runs, m[2]) {
		return err
	}
	is := fmt.Sprintf("; %s is a run, in Go it is lab.Get(%q)", m[2], m[2])
	placed, ok := errors.AsType[*eval.Error](err)
	if !ok {
		return fmt.Errorf("%w%s", err, is)
	}
	said := *placed
	said.Msg, _, _ = strings.Cut(said.Msg, "; did you mean")
	said.Msg += is
	return &said
}

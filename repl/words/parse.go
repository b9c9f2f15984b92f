package words

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// A Command is a verb with its arguments, read and checked.
type Command struct {
	Verb    wire.Verb
	Request any            // a pointer to the verb's request; nil for verbs of front ends
	Args    map[string]any // what was given, by the names of the arguments
}

// Scope is what a command is read against.
type Scope struct {
	// Runs are the names of the runs. When there is just one, it may be left out.
	Runs []string

	// Dir is the folder that paths are relative to.
	Dir string
}

// ErrUsage is wrapped by the errors of commands that were typed wrong.
var ErrUsage = errors.New("usage")

// Parse reads a command. The error of a bad one names the word, what was expected
// there, and how the verb is typed.
func Parse(cmd string, sc Scope) (*Command, error) {
	toks := Tokens(strings.TrimPrefix(strings.TrimSpace(cmd), "%"))
	if len(toks) == 0 {
		return nil, fmt.Errorf("nothing was typed: %w", ErrUsage)
	}
	v, ok := wire.Find(toks[0].Text)
	if !ok {
		return nil, fmt.Errorf("%q is not a verb%s; help lists them", toks[0].Text, nearVerb(toks[0].Text))
	}
	p := &parser{verb: v, scope: sc, args: map[string]any{}}
	if err := p.read(toks[1:]); err != nil {
		return nil, fmt.Errorf("%s: %w (%s)", v.Name, err, v.Usage())
	}
	c := &Command{Verb: v, Args: p.args, Request: v.NewRequest()}
	if c.Request != nil {
		raw, err := json.Marshal(p.args)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", v.Name, err)
		}
		if err := json.Unmarshal(raw, c.Request); err != nil {
			return nil, fmt.Errorf("%s: %w (%s)", v.Name, err, v.Usage())
		}
	}
	return c, nil
}

var errNoRun = errors.New("there is no run yet; open one, as in: open acs E1k.0 as a")

type parser struct {
	verb  wire.Verb
	scope Scope
	args  map[string]any
}

func (p *parser) read(toks []Token) error {
	var places []string
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		if a, ok := p.word(t); ok && p.args[a.Name] == nil {
			if i+1 == len(toks) {
				return fmt.Errorf("nothing stands after %q", t.Text)
			}
			i++
			text := toks[i].Text
			if a.Kind == wire.KindCond { // blanks are allowed in it: all that follows
				for ; i+1 < len(toks); i++ {
					text += toks[i+1].Text
				}
			}
			if err := p.give(a, text); err != nil {
				return err
			}
			continue
		}
		name, value, named := strings.Cut(t.Text, "=")
		if named && isName(name) {
			if err := p.named(name, value); err != nil {
				return err
			}
			continue
		}
		if a, ok := p.verb.Arg(t.Text); ok && a.Kind == wire.KindTruth && !a.Place {
			p.args[a.Name] = true
			continue
		}
		if p.limit(t.Text) {
			continue
		}
		places = append(places, t.Text)
	}
	if err := p.place(places); err != nil {
		return err
	}
	for _, a := range p.verb.Args {
		if p.args[a.Name] != nil || !a.Required {
			continue
		}
		if a.Kind == wire.KindRun || a.Kind == wire.KindRuns {
			switch len(p.scope.Runs) {
			case 1:
				if err := p.give(a, p.scope.Runs[0]); err != nil {
					return err
				}
				continue
			case 0:
				return errNoRun
			}
			return fmt.Errorf("which run? there are %s", strings.Join(p.scope.Runs, ", "))
		}
		return fmt.Errorf("%s is missing: %s", a.Name, a.Doc)
	}
	return nil
}

// word returns the argument that t introduces, as "as".
func (p *parser) word(t Token) (wire.Arg, bool) {
	for _, a := range p.verb.Args {
		if a.Word != "" && a.Word == t.Text && !t.Quoted {
			return a, true
		}
	}
	return wire.Arg{}, false
}

func isName(s string) bool {
	for i, c := range s {
		if !(c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || i > 0 && c >= '0' && c <= '9') {
			return false
		}
	}
	return s != ""
}

// named takes name=value: an argument of the verb, else a parameter.
func (p *parser) named(name, value string) error {
	if a, ok := p.verb.Arg(name); ok && a.Kind != wire.KindParams && a.Kind != wire.KindSink {
		return p.give(a, value)
	}
	for _, a := range p.verb.Args {
		if a.Kind != wire.KindParams {
			continue
		}
		if value == "" {
			return fmt.Errorf("%s= has no value", name)
		}
		vs, _ := p.args[a.Name].(record.Values)
		if vs == nil {
			vs = record.Values{}
			p.args[a.Name] = vs
		}
		if old, ok := vs[name]; ok {
			return fmt.Errorf("%s is given twice, as %s and %s", name, old, value)
		}
		vs[name] = record.Parse(value)
		return nil
	}
	return fmt.Errorf("it has no argument %q", name)
}

// limit takes the short forms of budgets: 10s, 2m, 10cpu.
func (p *parser) limit(text string) bool {
	if _, ok := p.verb.Arg("wall"); !ok {
		return false
	}
	if s, ok := strings.CutSuffix(text, "cpu"); ok {
		if x, err := seconds(s); err == nil {
			p.args["cpu"] = x
			return true
		}
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return false // a bare number is a count of iterations
	}
	if x, err := seconds(text); err == nil {
		p.args["wall"] = x
		return true
	}
	return false
}

// seconds reads 10, 2.5, 10s, 2m, 1h30m.
func seconds(s string) (float64, error) {
	if x, err := strconv.ParseFloat(s, 64); err == nil {
		return x, nil
	}
	d, err := time.ParseDuration(s)
	return d.Seconds(), err
}

// place hands out the words that were given by their place.
func (p *parser) place(words []string) error {
	for _, a := range p.verb.Args {
		if len(words) == 0 {
			return nil
		}
		if !a.Place || p.args[a.Name] != nil {
			continue
		}
		switch {
		case (a.Kind == wire.KindRun || a.Kind == wire.KindRuns) && len(p.scope.Runs) == 0:
			return errNoRun
		case a.Kind == wire.KindRuns:
			n := p.runs(words)
			if n == 0 {
				continue // left out: the one that there is
			}
			p.args[a.Name] = words[:n]
			words = words[n:]
			continue
		case a.Kind == wire.KindRun && !slices.Contains(p.scope.Runs, words[0]) && p.spare(a, words):
			continue
		}
		if err := p.give(a, words[0]); err != nil {
			return err
		}
		words = words[1:]
	}
	if len(words) == 0 {
		return nil
	}
	if i := slices.IndexFunc(p.verb.Args, func(a wire.Arg) bool { return a.Kind == wire.KindParams }); i >= 0 {
		if len(words) == 2 && isName(words[0]) { // set a q0 0.98
			return p.named(words[0], words[1])
		}
		return fmt.Errorf("%q is not name=value", words[0])
	}
	return fmt.Errorf("%q is one word too many", words[0])
}

// runs counts the words that name runs: all that are known, and the first one when
// none is (the host will say that there is no such run) unless the only run was left out.
func (p *parser) runs(words []string) int {
	n := 0
	for n < len(words) && slices.Contains(p.scope.Runs, words[n]) {
		n++
	}
	if n == 0 && len(p.scope.Runs) != 1 {
		return 1
	}
	return n
}

// spare reports whether the name of the run was left out: there is just one, and the
// words fit without it.
func (p *parser) spare(run wire.Arg, words []string) bool {
	if len(p.scope.Runs) != 1 {
		return false
	}
	room := 0
	for _, a := range p.verb.Args {
		if a.Name == run.Name || !a.Place || p.args[a.Name] != nil {
			continue
		}
		if room == 0 && a.Kind == wire.KindInt {
			if _, err := strconv.ParseInt(words[0], 10, 64); err != nil {
				return false
			}
		}
		room++
	}
	return room >= len(words)
}

// give reads the value of an argument.
func (p *parser) give(a wire.Arg, text string) error {
	if p.args[a.Name] != nil {
		return fmt.Errorf("%s is given twice", a.Name)
	}
	bad := func(want string) error { return fmt.Errorf("%s is %q, want %s: %s", a.Name, text, want, a.Doc) }
	switch a.Kind {
	case wire.KindInt:
		if x, err := strconv.ParseUint(text, 10, 64); err == nil {
			p.args[a.Name] = x
			return nil
		}
		x, err := strconv.ParseFloat(text, 64) // 1e6
		if err != nil || x != math.Trunc(x) || math.Abs(x) > 1<<53 {
			return bad("an integer")
		}
		p.args[a.Name] = int64(x)
	case wire.KindSeconds:
		x, err := seconds(text)
		if err != nil || x < 0 {
			return bad("seconds, as 10, 10s or 2m")
		}
		p.args[a.Name] = x
	case wire.KindTruth:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return bad("true or false")
		}
		p.args[a.Name] = b
	case wire.KindPath:
		p.args[a.Name] = p.abs(text)
	case wire.KindRecord:
		if slices.Contains(p.scope.Runs, text) {
			p.args[a.Name] = text
		} else {
			p.args[a.Name] = p.abs(text)
		}
	case wire.KindInstance:
		if strings.ContainsRune(text, '/') || slices.Contains([]string{".tsp", ".atsp", ".dat"}, filepath.Ext(text)) {
			text = p.abs(text)
		}
		p.args[a.Name] = text
	case wire.KindRuns:
		p.args[a.Name] = strings.Split(text, ",")
	default:
		if text == "" {
			return fmt.Errorf("%s is empty", a.Name)
		}
		p.args[a.Name] = text
	}
	return nil
}

func (p *parser) abs(path string) string {
	if filepath.IsAbs(path) || p.scope.Dir == "" {
		return path
	}
	return filepath.Join(p.scope.Dir, path)
}

// nearVerb suggests the verb that a mistyped word was meant to be.
func nearVerb(word string) string {
	best, at := "", 3
	for _, v := range wire.Verbs {
		if d := distance(word, v.Name); d < at {
			best, at = v.Name, d
		}
	}
	if best == "" {
		return ""
	}
	return ", did you mean " + best + "?"
}

// distance is the number of letters to change, drop or put in (Levenshtein's).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diag := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diag
			if a[i] != b[j] {
				cost++
			}
			diag = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

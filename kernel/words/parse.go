package words

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// A Scope is the context in which a line is parsed.
type Scope struct {
	// Runs are the names of the open runs; nil if they are unknown, and then the first word in a run's
	// place counts as one.
	Runs []string
	// Current is the run that is meant when none is named; may be empty.
	Current string
	// Dir is the folder that relative paths start from; empty: they stay as they are.
	Dir string
}

func (s Scope) isRun(w string) bool { return slices.Contains(s.Runs, w) }

// A Call is a line that was read.
type Call struct {
	Verb wire.Verb
	Args map[string]any // by the names of the verb's arguments
	Runs []string       // where several were named: the call is one for each, see Each

	// Guess is a word that counts as a figure and might mean a run.
	Guess string
	known []string // the open runs
	dir   string   // of paths that are left out
}

// Each returns the calls that c stands for: one for each run.
func (c Call) Each() []Call {
	if len(c.Runs) < 2 {
		return []Call{c}
	}
	var out []Call
	for _, run := range c.Runs {
		one := Call{Verb: c.Verb, Args: maps.Clone(c.Args)}
		one.Args["run"] = run
		for _, a := range c.Verb.Args {
			if a.FromRun != "" {
				one.Args[a.Name] = wire.AbsPath(c.dir, run+a.FromRun)
			}
		}
		out = append(out, one)
	}
	return out
}

// Hint adds to an error of the call what may have been meant instead.
func (c Call) Hint(err error) error {
	if err == nil || c.Guess == "" {
		return err
	}
	return &wire.Error{Code: wire.CodeOf(err), Message: fmt.Sprintf(
		"%v; %q is no open run either (there are: %s)", err, c.Guess, orNone(c.known))}
}

// Bind writes the arguments into a request of the verb.
func (c Call) Bind(request any) error {
	b, err := json.Marshal(c.Args)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, request); err != nil {
		return wrong("%s: %v", c.Verb.Name, err)
	}
	return nil
}

// Parse reads a line such as "open acs pr1002 as a seed=42 ants=256": a verb, values in
// their places, words such as "as" with the value that follows, and name=value. Errors
// say how the verb is typed.
func Parse(line string, s Scope) (Call, error) {
	words, err := tokens(line)
	if err != nil {
		return Call{}, err
	}
	if len(words) == 0 {
		return Call{}, wrong("nothing was typed")
	}
	words = meantWords(words, s)
	v, ok := wire.Find(words[0].Text)
	if !ok {
		return Call{}, unknownVerb(line, words[0].Text, s)
	}
	p := parser{
		call: Call{Verb: v, Args: map[string]any{}, known: s.Runs, dir: s.Dir}, scope: s,
		words: words[1:],
	}
	if err := p.all(); err != nil {
		return Call{}, wrong("%s: %v; usage: %s", v.Name, err, v.Usage())
	}
	return p.call, nil
}

// tokens returns the words of one command.
func tokens(line string) ([]Token, error) {
	line = Command(line)
	lines := Lines(line)
	switch {
	case len(lines) == 0:
		return nil, nil
	case len(lines) > 1:
		return nil, wrong("%d commands were given, want one: %s",
			len(lines), strings.Join(Split(line), "; "))
	}
	for _, w := range lines[0].Tokens {
		if w.Open {
			return nil, wrong("the quotation mark in %s is not closed", line[w.From:w.To])
		}
	}
	return lines[0].Tokens, nil
}

// unknownVerb is the error of a line whose first word is no verb.
func unknownVerb(line, w string, s Scope) error {
	if set, ok := Settings(line); ok {
		run := s.Current
		if run == "" && len(s.Runs) > 0 {
			run = s.Runs[0]
		}
		if run == "" {
			run = "RUN"
		}
		return wrong("%q is no command; set changes a parameter of a run: set %s %s", line, run, set.Text)
	}
	return &wire.Error{
		Code:    wire.CodeVerb,
		Message: fmt.Sprintf("there is no verb %q%s; help lists them", w, NearVerb(w)),
	}
}

// wrong is an error of what was typed.
func wrong(format string, args ...any) error {
	return &wire.Error{Code: wire.CodeRequest, Message: fmt.Sprintf(format, args...)}
}

// ParsePlot reads what is drawn of runs, as "best", "tour trails" or "best x=cpu range=10..20".
func ParsePlot(figure string, runs []string) (wire.PlotRequest, error) {
	q := wire.PlotRequest{Runs: runs}
	v, _ := wire.Find("plot")
	words, err := tokens(figure)
	if err == nil {
		p := parser{
			call:  Call{Verb: v, Args: map[string]any{"runs": runs}},
			scope: Scope{Runs: []string{}}, words: words,
		}
		if err = p.all(); err == nil {
			err = p.call.Bind(&q)
		}
	}
	if err != nil {
		return q, wrong("plot: %v", err)
	}
	return q, nil
}

type parser struct {
	call  Call
	scope Scope
	words []Token
}

func (p *parser) has(name string) bool { _, ok := p.call.Args[name]; return ok }

func (p *parser) next() Token {
	w := p.words[0]
	p.words = p.words[1:]
	return w
}

// all reads the words, each by the first of these that it fits: a key word, name=value,
// a budget, the next free place, the start of "name value" of a parameter.
func (p *parser) all() error {
	v := p.call.Verb
	for len(p.words) > 0 {
		w := p.next()
		if a, ok := p.keyword(w); ok {
			if err := p.keyValue(a); err != nil {
				return err
			}
			continue
		}
		if name, val, ok := p.spaced(w).Assignment(); ok {
			if err := p.assign(name, val); err != nil {
				return err
			}
			continue
		}
		if a, ok := v.Arg(w.Text); ok && a.Kind == wire.KindTruth && !w.Quoted {
			p.call.Args[a.Name] = true
			continue
		}
		if w.Text == "for" && !w.Quoted && p.durationFollows() { // "step a for 5s"
			continue
		}
		if name, val, ok := p.budget(w); ok {
			p.call.Args[name] = val
			continue
		}
		if err := p.place(w); err != nil {
			return err
		}
	}
	return p.finish()
}

// spaced is a word with the value that stands behind it and a "=" with blanks: q0 = 0.7, q0= 0.7
// and q0 =0.7 are q0=0.7.
func (p *parser) spaced(w Token) Token {
	if w.Quoted || len(p.words) == 0 || p.words[0].Quoted && w.eq < 0 {
		return w
	}
	next := p.words[0].Text
	switch {
	case w.eq == len(w.Text)-1 && w.eq > 0 && p.words[0].eq < 0: // q0= 0.7
		w.Text += p.next().Text
	case w.eq < 0 && IsName(w.Text) && next == "=" && len(p.words) > 1: // q0 = 0.7
		p.next()
		w.eq, w.Text = len(w.Text), w.Text+"="+p.next().Text
	case w.eq < 0 && IsName(w.Text) && len(next) > 1 && next[0] == '=' && next[1] != '=': // q0 =0.7
		w.eq, w.Text = len(w.Text), w.Text+p.next().Text
	}
	return w
}

// keyword returns the argument that the word announces. In the place of a solver there are
// no key words: one of the solvers is called as.
func (p *parser) keyword(w Token) (wire.Arg, bool) {
	if a, ok := p.call.Verb.Arg("solver"); ok && a.Required && !p.has(a.Name) {
		return wire.Arg{}, false
	}
	for _, a := range p.call.Verb.Args {
		if a.Word != "" && a.Word == w.Text && !w.Quoted && !p.has(a.Name) {
			return a, true
		}
	}
	return wire.Arg{}, false
}

func (p *parser) keyValue(a wire.Arg) error {
	if len(p.words) == 0 {
		return fmt.Errorf("%s what?", a.Word)
	}
	val := p.next().Text
	if a.Kind == wire.KindCond { // what follows a whole condition is another argument
		for len(p.words) > 0 && !p.words[0].Quoted && wire.CondOpen(val, p.words[0].Text) {
			val += " " + p.next().Text
		}
	}
	return p.store(a, val)
}

func (p *parser) assign(name, val string) error {
	if val == "" {
		return fmt.Errorf("%s has no value, want one behind the =", name)
	}
	if a, ok := p.call.Verb.Arg(name); ok && a.Kind != wire.KindParams && a.Typed() &&
		!(a.File && !strings.ContainsAny(val, "/.")) {
		if p.has(a.Name) {
			return fmt.Errorf("%s is given twice", name)
		}
		return p.store(a, val)
	}
	return p.param(name, val)
}

func (p *parser) param(name, val string) error {
	if _, ok := p.call.Verb.Arg("params"); !ok {
		var names []string
		for _, a := range p.call.Verb.Args {
			if a.Typed() {
				names = append(names, a.Name)
			}
		}
		return fmt.Errorf("there is no argument %q, want one of %s", name, strings.Join(names, ", "))
	}
	vs, _ := p.call.Args["params"].(record.Values)
	if vs == nil {
		vs = record.Values{}
		p.call.Args["params"] = vs
	}
	if _, twice := vs[name]; twice {
		return fmt.Errorf("%s is given twice", name)
	}
	vs[name] = record.Parse(val)
	return nil
}

// noInteger is the error of a word in the place of an integer; err says whether it is too large.
func noInteger(a wire.Arg, val string, err error) error {
	if errors.Is(err, strconv.ErrRange) {
		return fmt.Errorf("%s is %s, want an integer that 64 bits hold, up to %d", a.Name, val,
			math.MaxInt64)
	}
	return fmt.Errorf("%s is %q, want an integer", a.Name, val)
}

// store reads the value of an argument.
func (p *parser) store(a wire.Arg, val string) error {
	var v any = val
	var err error
	switch a.Kind {
	case wire.KindInt:
		var u uint64
		if u, err = strconv.ParseUint(val, 10, 64); err == nil {
			v = u
		} else {
			v, err = strconv.ParseInt(val, 10, 64)
		}
		if err != nil {
			return noInteger(a, val, err)
		}
	case wire.KindSeconds:
		if v, err = wire.ParseSeconds(val); err != nil {
			return fmt.Errorf("%s: %w", a.Name, err)
		}
	case wire.KindTruth:
		switch val {
		case "yes", "on":
			v = true
		case "no", "off":
			v = false
		default:
			if v, err = strconv.ParseBool(val); err != nil {
				return fmt.Errorf("%s is %q, want yes or no", a.Name, val)
			}
		}
	case wire.KindCond:
		if _, err := wire.ParseConds(val); err != nil {
			return err
		}
	case wire.KindRuns:
		v = strings.Split(val, ",")
	case wire.KindPath:
		v = wire.AbsPath(p.scope.Dir, val)
	case wire.KindInstance:
		v = wire.AbsInstance(p.scope.Dir, val)
		if a.List {
			var all []string
			for _, name := range wire.NamesOf(val) {
				all = append(all, wire.AbsInstance(p.scope.Dir, name))
			}
			v = strings.Join(all, ",")
		}
	case wire.KindRecord:
		if !p.scope.isRun(val) {
			v = wire.AbsRecord(p.scope.Dir, val)
		}
	}
	p.call.Args[a.Name] = v
	return nil
}

// empty is the error of a limit of nothing, which a host would take for one that was left out.
func (p *parser) empty() error {
	if _, limits := p.call.Verb.Arg("until"); !limits {
		return nil
	}
	for _, name := range [...]string{"n", "wall", "cpu"} {
		if v, ok := p.call.Args[name]; ok && (v == uint64(0) || v == 0.0) {
			return fmt.Errorf("%s is 0, want more, or none", name)
		}
	}
	return nil
}

// finish fills in the run that is meant and checks that nothing required is missing.
func (p *parser) finish() error {
	if len(p.call.Runs) < 2 {
		p.call.Runs = nil
	}
	if err := cmp.Or(p.empty(), p.unnamed()); err != nil {
		return err
	}
	for _, a := range p.call.Verb.Args {
		if !a.Required || a.Asked || p.has(a.Name) {
			continue
		}
		switch {
		case a.Kind == wire.KindRun && a.Named:
			return fmt.Errorf("which run? %s needs its name (there are: %s)", p.call.Verb.Name,
				orNone(p.scope.Runs))
		case a.Kind == wire.KindRun && p.scope.Current != "":
			p.call.Args[a.Name] = p.scope.Current
		case a.Kind == wire.KindRuns && p.call.Guess != "" &&
			(p.scope.Current == "" || len(p.scope.Runs) == 0):
			return fmt.Errorf("%q is no open run (there are: %s)", p.call.Guess, orNone(p.scope.Runs))
		case a.Kind == wire.KindRuns && p.scope.Current != "":
			p.call.Args[a.Name] = []string{p.scope.Current}
		case a.Kind == wire.KindRun || a.Kind == wire.KindRuns:
			return fmt.Errorf("which run?")
		default:
			return fmt.Errorf("%s is missing (%s)", a.Name, a.Doc)
		}
	}
	for _, a := range p.call.Verb.Args {
		switch {
		case a.FromRun == "":
		case p.has(a.Name) && p.call.Runs != nil:
			return fmt.Errorf("%s names one file for %d runs; without it they go into %s", a.Name,
				len(p.call.Runs), strings.Join(p.call.Runs, a.FromRun+", ")+a.FromRun)
		case !p.has(a.Name):
			p.call.Args[a.Name] = wire.AbsPath(p.scope.Dir, fmt.Sprint(p.call.Args["run"])+a.FromRun)
		}
	}
	return nil
}

package words

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"metalab/kernel/wire"
)

// place puts a word into the next free place that it fits.
func (p *parser) place(w Token) error {
	if to, ok := p.call.Verb.Arg("to"); ok && !p.has("to") { // "plot a tour x.svg"
		switch filepath.Ext(w.Text) {
		case ".svg", ".png", ".pdf":
			return p.store(to, w.Text)
		}
	}
	if file := map[any]string{"import": "from", "export": "to"}[p.call.Args["do"]]; file != "" {
		if a, ok := p.call.Verb.Arg(file); ok && !p.has(file) { // "experiment e1 import x.csv"
			return p.store(a, w.Text)
		}
	}
	for _, a := range p.call.Verb.Args {
		if !a.Place || (p.has(a.Name) && a.Kind != wire.KindRuns && !a.List && !a.Many) {
			continue
		}
		if had, ok := p.call.Args[a.Name].(string); ok && a.List {
			return p.store(a, strings.TrimRight(had, ",")+","+strings.TrimLeft(w.Text, ","))
		}
		switch a.Kind {
		case wire.KindFigure:
			if p.scope.Runs != nil && (p.wantsRun() || IsName(w.Text) && !isFigure(w.Text)) {
				p.call.Guess = w.Text
			}
		case wire.KindRun:
			if ok, err := p.run(w.Text, a); ok || err != nil {
				return err
			}
			continue
		case wire.KindRuns:
			runs, _ := p.call.Args[a.Name].([]string)
			if a.Records && filepath.Ext(w.Text) == wire.RecordExt && !p.scope.isRun(w.Text) {
				p.call.Args[a.Name] = append(runs, wire.AbsPath(p.scope.Dir, w.Text))
				return nil
			}
			page := a.Records && len(runs) == 0 && p.pageFollows(w.Text)
			if !page && (!p.isRunHere(w.Text, a) || p.has("figure")) {
				continue
			}
			p.call.Args[a.Name] = append(runs, w.Text)
			return nil
		case wire.KindInt:
			if _, err := strconv.ParseInt(w.Text, 10, 64); err != nil {
				if isNumeric(w.Text) {
					return noInteger(a, w.Text, err)
				}
				continue
			}
		}
		return p.store(a, w.Text)
	}
	// "set a q0 0.98"
	if _, ok := p.call.Verb.Arg("params"); ok {
		plain := slices.IndexFunc(p.words, func(w Token) bool { return w.eq >= 0 })
		switch {
		case plain < 0:
			plain = len(p.words)
		case p.words[plain].eq == 0: // the word before it is the name: q0 = 0.7
			plain--
		}
		if plain > 0 && IsName(w.Text) && (plain%2 == 1 || !p.wantsRun()) {
			return p.param(w.Text, p.next().Text)
		}
	}
	return p.misplaced(w.Text)
}

// run interprets a word as a run if it can be one; ok reports whether it did.
func (p *parser) run(w string, a wire.Arg) (ok bool, err error) {
	switch {
	case a.Many && p.has(a.Name):
		if !p.scope.isRun(w) {
			return false, nil
		}
		if slices.Contains(p.call.Runs, w) || p.call.Args[a.Name] == w {
			return true, fmt.Errorf("%s is named twice", w)
		}
		p.call.Runs = append(p.call.Runs, w)
		return true, nil
	case a.Many && w == "all" && p.scope.Runs != nil && !p.scope.isRun(w):
		if len(p.scope.Runs) == 0 {
			return true, errors.New("there are no open runs")
		}
		p.call.Runs, p.call.Args[a.Name] = slices.Clone(p.scope.Runs), p.scope.Runs[0]
		return true, nil
	case !p.isRunHere(w, a):
		return false, nil
	}
	p.call.Runs = []string{w}
	return true, p.store(a, w)
}

// misplaced says what a word without a place might have been.
func (p *parser) misplaced(w string) error {
	if len(w) > 0 && w[0] == '-' {
		return fmt.Errorf("%q: there are no options with a dash", w)
	}
	var no []string
	hint := ""
	for _, a := range p.call.Verb.Args {
		switch {
		case (a.Kind == wire.KindRun || a.Kind == wire.KindRuns) && p.scope.Runs != nil &&
			(a.Many || !p.has(a.Name)):
			no = append(no, fmt.Sprintf("no open run (there are: %s)", orNone(p.scope.Runs)))
		case a.Kind == wire.KindInt && a.Place && p.has(a.Name) && isNumeric(w):
			return fmt.Errorf("%q has no place: %s is %v already", w, a.Name, p.call.Args[a.Name])
		case a.Kind == wire.KindInt && a.Place && !p.has(a.Name):
			no = append(no, "no integer for "+a.Name)
		case a.Name == "wall" && !p.has(a.Name):
			no = append(no, "no time (as 10s or 10cpu)")
		case a.Kind == wire.KindCond && !p.has(a.Name):
			no = append(no, "no condition (as until gap<1)")
		case a.Kind == wire.KindName && a.Word != "" && !p.has(a.Name) && !p.wantsRun():
			hint = fmt.Sprintf("; a new name stands behind the word %s: %s %s", a.Word, a.Word, w)
		}
	}
	_, params := p.call.Verb.Arg("params")
	if len(no) > 1 && len(p.words) > 0 && p.wantsRun() {
		no = no[:1] // what follows tells that a run was meant
	}
	switch {
	case params && !p.wantsRun():
		if len(no) > 0 {
			hint = ", and is " + inWords(no) + hint
		}
		return fmt.Errorf("%q has no value, as in q0=0.98%s", w, hint)
	case params:
		return fmt.Errorf("%q is %s, and has no value, as in q0=0.98%s", w, inWords(no), hint)
	case len(no) == 0:
		return fmt.Errorf("%q is one word too many%s", w, hint)
	}
	return fmt.Errorf("%q is %s%s", w, inWords(no), hint)
}

// inWords is a list in words.
func inWords(l []string) string {
	if n := len(l); n > 1 {
		return strings.Join(l[:n-1], ", ") + " and " + l[n-1]
	}
	return strings.Join(l, "")
}

// isNumeric reports whether a word begins as a number does, as 1e9, -5s and 0x.
func isNumeric(w string) bool {
	w = strings.TrimLeft(w, "+-.")
	return w != "" && w[0] >= '0' && w[0] <= '9'
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// wantsRun reports whether a run is still to be named.
func (p *parser) wantsRun() bool {
	for _, a := range p.call.Verb.Args {
		if (a.Kind == wire.KindRun || a.Kind == wire.KindRuns) && !p.has(a.Name) {
			return true
		}
	}
	return false
}

// more reports whether a word has a free place other than that of a.
func (p *parser) more(a wire.Arg) bool {
	for _, b := range p.call.Verb.Args {
		if b.Place && b.Kind != wire.KindInt && b.Name != a.Name && !p.has(b.Name) {
			return true
		}
	}
	return false
}

// isRunHere reports whether a word in the place of a, a run or runs, means a run. Names of no open
// run do, if they can mean nothing else: the host's answer then lists the runs.
func (p *parser) isRunHere(w string, a wire.Arg) bool {
	if p.scope.isRun(w) {
		return true
	}
	if _, err := strconv.ParseFloat(w, 64); err == nil {
		return false
	}
	if a.Kind == wire.KindRuns && (p.has(a.Name) || p.scope.Runs != nil) {
		return !p.more(a)
	}
	return p.scope.Current == "" || (p.scope.Runs == nil && !p.more(a))
}

// pageFollows reports whether the word behind w is a page, and w no path: the name of a run, or of
// an experiment, of which the host knows.
func (p *parser) pageFollows(w string) bool {
	next := p.words
	if len(next) > 1 && next[0].Text == "to" && !next[0].Quoted {
		next = next[1:]
	}
	return len(next) > 0 && next[0].eq < 0 && filepath.Ext(next[0].Text) == wire.PageExt &&
		filepath.Ext(w) != wire.PageExt && !strings.ContainsRune(w, filepath.Separator)
}

// isFigure reports whether a word is the name of a figure; a solver's measures are figures too.
func isFigure(word string) bool {
	return slices.ContainsFunc(wire.Figures, func(f wire.Choice) bool { return f.Name == word })
}

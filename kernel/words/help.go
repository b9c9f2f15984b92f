package words

import (
	"fmt"
	"slices"
	"strings"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// A Book is what help looks words up in, beside the table of verbs.
type Book interface {
	Runs() []reply.Status
	Params(run string) []reply.Param
	Variants(q wire.SolversRequest) []reply.Variant
	Names() []reply.SolverName // of papers
	Instances() []string
	Go(name string) (text string, ok bool) // of Go, as lab.Open
}

// Help is the text of help: the names of all verbs by group for an empty word, a line about each
// for "all", else what the word means, in each of its meanings. The book may be nil where there is
// no session.
func Help(word string, book Book) (string, error) {
	switch word {
	case "":
		return overview(lacking(book)), nil
	case "all":
		return strings.TrimSpace(listed(wire.Groups, lacking(book)) + "\n\n" + argumentHelp(word)), nil
	case "me", "start", "tutorial", "examples", "example", "demo", "begin", "intro":
		return newcomer, nil
	}
	var all []string
	if v, ok := wire.Find(word); ok {
		if why := lacking(book)(v.Name); why != "" {
			all = append(all, "not here: "+why)
		}
		all = append(all, verbHelp(v))
	}
	if book != nil {
		all = append(all, meanings(word, book, len(all) > 0)...)
	}
	for _, f := range wire.Figures {
		if f.Name == word {
			all = append(all, fmt.Sprintf("%s: a figure, as in: plot a %s\n  %s", word, word,
				sentence(f.Doc)))
		}
	}
	if s := argumentHelp(word); s != "" {
		all = append(all, s)
	}
	if book != nil {
		s, ok := book.Go(word)
		if ok && (len(all) == 0 || !strings.HasSuffix(s, "built-in function")) {
			all = append([]string{s}, all...)
		}
	}
	if verb := Meant(word); len(all) == 0 && verb != "" {
		v, _ := wire.Find(verb)
		all = append(all, fmt.Sprintf("%s: no verb; %s is the one that is meant\n\n%s", word, verb,
			verbHelp(v)))
	}
	all = append(all, choiceHelp(word)...)
	if slices.Contains(wire.Groups, word) {
		all = append(all, listed([]string{word}, lacking(book)))
	}
	if len(all) == 0 {
		return "", fmt.Errorf("help: %q is no verb, solver, parameter, figure or run, and "+
			"no name of Go%s", word, nearAny(word, book))
	}
	return strings.Join(all, "\n\n"), nil
}

// nearAny is ", did you mean q0?" for a word that is nearly one that help knows, else empty.
func nearAny(word string, book Book) string {
	if s := NearVerb(word); s != "" || book == nil {
		return s
	}
	var names []string
	for _, f := range wire.Figures {
		names = append(names, f.Name)
	}
	for _, s := range book.Variants(wire.SolversRequest{}) {
		if slices.Contains(names, s.Solver) {
			continue
		}
		names = append(names, s.Solver)
		for _, v := range book.Variants(wire.SolversRequest{Solver: s.Solver}) {
			for _, p := range v.Params {
				names = append(names, p.Name)
			}
		}
	}
	if n := Near(word, names); n != "" {
		return ", did you mean " + n + "?"
	}
	return ""
}

// sentence is a clause as a sentence.
func sentence(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:] + "."
}

// verbHelp is a verb in full.
func verbHelp(v wire.Verb) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n  %s\n", v.Usage(), sentence(v.Doc))
	if len(v.Also) > 0 {
		fmt.Fprintf(&b, "  %s is another name of it.\n", strings.Join(v.Also, ", "))
	}
	for _, a := range v.Args {
		if !a.Typed() {
			continue
		}
		name := a.Name
		if a.Kind == wire.KindParams {
			name = "name=value"
		}
		fmt.Fprintf(&b, "  %-12s %s", name, a.Doc)
		if a.Default != "" && a.Default != "false" && a.Default != "0" {
			fmt.Fprintf(&b, " (%s when left out)", a.Default)
		}
		b.WriteByte('\n')
	}
	if v.Name == "plot" || v.Name == "watch" {
		b.WriteString("figures:\n")
		for _, f := range wire.Figures {
			fmt.Fprintf(&b, "  %-12s %s\n", f.Name, f.Doc)
		}
	}
	if v.Example != "" {
		fmt.Fprintf(&b, "for example:  %s", v.Example)
	}
	return strings.TrimRight(b.String(), "\n")
}

// argumentHelp says what a word means among the arguments of verbs, as until and seed.
func argumentHelp(word string) string {
	var b strings.Builder
	said := map[string]int{} // the verb whose help has a sentence that several verbs share
	var docs []string
	of := map[string][]string{}
	for _, v := range wire.Verbs {
		for _, a := range v.Args {
			if a.Name != word && a.Word != word && a.Also != word || !a.Typed() || a.Place && a.Word == "" {
				continue
			}
			if said[a.Doc]++; said[a.Doc] == 1 {
				docs = append(docs, a.Doc)
			}
			of[a.Doc] = append(of[a.Doc], v.Name)
		}
	}
	for _, d := range docs {
		fmt.Fprintf(&b, "%s: of %s\n  %s\n", word, strings.Join(of[d], ", "), sentence(d))
	}
	return strings.TrimRight(b.String(), "\n")
}

// choiceHelp tells about a word that may stand in a place of a verb without a name, as slowest in
// experiment e1 slowest.
func choiceHelp(word string) (all []string) {
	for _, v := range wire.Verbs {
		line := v.Name
		for _, a := range v.Args {
			if !a.Place {
				continue
			}
			for _, c := range a.Choices {
				if c.Name == word && c.Doc != "" {
					all = append(all, fmt.Sprintf("%s: a word of %s, as in: %s %s\n  %s", word, v.Name, line,
						word, sentence(c.Doc)))
				}
			}
			line += " <" + a.Name + ">"
		}
	}
	return all
}

// meanings describes the meanings of a word in the session: a run, an instance, a solver, a
// parameter. For a parameter with the name of a verb it says only to what it belongs.
func meanings(word string, book Book, verb bool) []string {
	var all []string
	for _, r := range book.Runs() {
		if r.Run == word {
			all = append(all,
				fmt.Sprintf("%s: a run\n  %s/%s on %s, %s; show %s, params %s and journal %s tell more",
					word, r.Solver, r.Variant, r.Instance, r.Line(), word, word, word))
		}
	}
	if s := nameHelp(word, book); s != "" {
		return append(all, s)
	}
	solver, variant, _ := strings.Cut(word, "/")
	if vs := book.Variants(wire.SolversRequest{Solver: solver}); len(vs) > 0 {
		if s := solverHelp(solver, variant, vs); s != "" {
			all = append(all, s)
		}
	}
	if ps := paramHelp(word, book); verb && len(ps) > 1 {
		all = append(all, paramOf(word, book))
	} else {
		all = append(all, ps...)
	}
	if slices.Contains(book.Instances(), word) {
		all = append(all, fmt.Sprintf("%s: an instance; instance %s tells about it", word, word))
	}
	return all
}

// nameHelp is what a name of papers stands for, or what is of an author.
func nameHelp(word string, book Book) string {
	word = strings.ToLower(word)
	var of []string
	for _, n := range book.Names() {
		if n.Name == word {
			var kinds []string
			for _, v := range book.Variants(wire.SolversRequest{Solver: word}) {
				kinds = v.Kinds
			}
			return fmt.Sprintf("%s: a name of %s\n  %s\n  stands for: %s\nfor example:  open %s %s as a; "+
				"solvers %s", word, n.Paper, sentence(n.Doc), n.Text, word, instanceOf(kinds), word)
		}
		if slices.Contains(n.Authors, word) {
			of = append(of, fmt.Sprintf("  %-14s %s", n.Name, n.Doc))
		}
	}
	if len(of) == 0 {
		return ""
	}
	return word + ": an author of\n" + strings.Join(of, "\n") + "\nfor example:  solvers " + word
}

// authors are the authors of papers that have names for solvers.
func authors(names []reply.SolverName) []string {
	var out []string
	for _, n := range names {
		for _, a := range n.Authors {
			if !slices.Contains(out, a) {
				out = append(out, a)
			}
		}
	}
	return out
}

// solverHelp is a solver, or one of its variants, on a screen.
func solverHelp(solver, variant string, vs []reply.Variant) string {
	var b strings.Builder
	usual := vs[0]
	for _, v := range vs {
		if v.Default && variant == "" || v.Variant == variant {
			usual = v
		}
	}
	if variant != "" {
		if usual.Variant != variant {
			return ""
		}
		vs = []reply.Variant{usual}
	}
	kinds := slices.Clone(usual.Kinds)
	for _, v := range vs {
		for _, k := range v.Kinds {
			if !slices.Contains(kinds, k) {
				kinds = append(kinds, k)
			}
		}
	}
	fmt.Fprintf(&b, "%s: a solver of kind %s\n", solver, strings.Join(kinds, ", "))
	for _, v := range vs {
		name := v.Variant
		if v.Default {
			name += " (default)"
		}
		fmt.Fprintf(&b, "  %-18s %s\n", name, v.Title)
	}
	fmt.Fprintf(&b, "  source: %s\n", usual.Source)
	var names []string
	for _, p := range usual.Params {
		names = append(names, p.Name)
	}
	fmt.Fprintf(&b, "parameters of %s/%s:  %s\n", solver, usual.Variant, strings.Join(names, " "))
	fmt.Fprintf(&b, "presets:  %s\n", strings.Join(usual.Presets, " "))
	fmt.Fprintf(&b, "for example:  open %s %s as a", word(usual), instanceOf(usual.Kinds))
	if len(names) > 0 {
		fmt.Fprintf(&b, " %s=%s; help %s; solvers %s", names[0], usual.Params[0].Default, names[0],
			word(usual))
	}
	return b.String()
}

// instanceOf is an instance of the first of some kinds, for examples.
func instanceOf(kinds []string) string {
	for _, k := range kinds {
		if name := map[string]string{
			"tsp": "pr1002", "atsp": "ftv170", "qap": "tai50a", "ppp": "ppp-73x73-1",
			"weierstrass": "weierstrass-10", "colouring": "queen8_8",
		}[k]; name != "" {
			return name
		}
	}
	return "mine.tsp"
}

// word names a variant as it is typed.
func word(v reply.Variant) string { return v.Solver + "/" + v.Variant }

// paramHelp is a parameter, once for each sentence that solvers have about it.
func paramHelp(name string, book Book) []string {
	vs := book.Variants(wire.SolversRequest{Param: name})
	type meaning struct {
		p  reply.Param
		of []string
	}
	var ms []*meaning
	for _, v := range vs {
		for _, p := range v.Params {
			if p.Name != name {
				continue
			}
			i := slices.IndexFunc(ms, func(m *meaning) bool {
				return m.p.Doc == p.Doc && m.p.Class == p.Class
			})
			if i < 0 {
				ms = append(ms, &meaning{p: p})
				i = len(ms) - 1
			}
			ms[i].of = append(ms[i].of, word(v))
		}
	}
	var out []string
	for _, m := range ms {
		p := m.p
		text := fmt.Sprintf("%s: a %s parameter of %s\n  %s\n  range: %s", name, p.Class,
			strings.Join(m.of, ", "), p.Doc, p.Range)
		if p.Effect != "" {
			text += "\n  a change: " + p.Effect
		}
		var now []string
		for _, r := range book.Runs() {
			if !slices.Contains(m.of, r.Solver+"/"+r.Variant) {
				continue
			}
			for _, q := range book.Params(r.Run) {
				if q.Name == name {
					now = append(now, r.Run+" "+q.Value.String())
				}
			}
		}
		if len(now) > 0 {
			text += "\n  now: " + strings.Join(now, ", ")
		}
		out = append(out, text)
	}
	return out
}

// paramOf says which solvers have a parameter.
func paramOf(name string, book Book) string {
	var of []string
	for _, v := range book.Variants(wire.SolversRequest{Param: name}) {
		if len(of) == 0 || of[len(of)-1] != v.Solver {
			of = append(of, v.Solver)
		}
	}
	return fmt.Sprintf("%s: also a parameter of %s\n  solvers %s lists it", name,
		strings.Join(of, ", "), of[0])
}

// newcomer is what somebody types who has typed nothing yet.
const newcomer = `A search in six lines:

  open acs E1k.0 as a     opens a run: a solver (solvers lists them) on an
                          instance (instances lists them; a file does, too)
  step a 200              makes 200 iterations; also step a 10s
  plot a tour             draws the best tour; plot a the curve
  params a                lists what can be turned, as in set a q0=0.9
  go a                    lets it go on while you type; pause a ends that
  save a a.run            writes the record; replay a.run makes it again

^C ends a step, and loses nothing; Tab completes; quit leaves. solve E1k.0 10s
chooses a solver by itself. help lists all verbs, help step tells about one.`

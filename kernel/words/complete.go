package words

import (
	"strings"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// A Suggestion completes what is being typed.
type Suggestion struct {
	Text string // takes the place of the word from the start that Complete returns
	Doc  string // one sentence
}

// Knowledge is what completion knows of the session; its methods must be quick and
// may answer with nothing.
type Knowledge interface {
	Runs() []reply.Status
	Params(run string) []reply.Param
	SolverParams(solver string) []reply.Param // of a solver, or of a solver/variant
	Solvers() []reply.Variant
	Names() []reply.SolverName // of papers
	Instances() []string
	KindOf(instance string) string // empty where it is not known
	Tables() []reply.BenchTable
	Autosaves() []reply.Autosave
	Dir() string
}

// Complete returns the completions of the command at the end of text, and the byte at
// which the word that they replace begins.
func Complete(text string, k Knowledge) (from int, out []Suggestion) {
	if word, ok := strings.CutPrefix(strings.TrimLeft(text, " "), "?"); ok {
		from, out = Complete("help "+word, k)
		return from + len(text) - len("help "+word), out
	}
	line := LastLine(text)
	if line.Comment {
		return len(text), nil
	}
	toks := line.Tokens
	var word Token // that is being typed
	word.From, word.To = len(text), len(text)
	if n := len(toks); n > 0 && toks[n-1].To == len(text) {
		word, toks = toks[n-1], toks[:n-1]
	}
	if len(toks) == 0 {
		name, force := strings.CutPrefix(word.Text, "%")
		for _, v := range wire.Verbs {
			if strings.HasPrefix(v.Name, name) && !word.Quoted {
				out = append(out, Suggestion{v.Name, v.Doc})
			}
		}
		if force {
			word.From++
		}
		return word.From, out
	}
	v, ok := wire.Find(strings.TrimPrefix(toks[0].Text, "%"))
	if !ok {
		return word.From, nil
	}
	c := completion{verb: v, given: toks[1:], know: k}
	raw := text[word.From:]
	if i := strings.IndexAny(raw, `"'`); i >= 0 {
		// Only what stands between one quotation mark and the cursor can be completed.
		name := strings.TrimSuffix(raw[:i], "=")
		if !word.Open || strings.Contains(raw[i+1:], raw[i:i+1]) || i > 0 &&
			(name == raw[:i] || !IsName(name)) {
			return len(text), nil
		}
		c.mark = raw[i : i+1]
		return c.assigned(name, word.From+i+1, raw[i+1:])
	}
	return c.complete(word.From, raw)
}

type completion struct {
	verb  wire.Verb
	given []Token // between the verb and the word
	know  Knowledge
	mark  string // the quotation mark that the word stands in, not closed yet
}

// assigned completes the value of an argument by name, or by place where name is empty.
func (c completion) assigned(name string, at int, value string) (int, []Suggestion) {
	if name == "" {
		args := c.next()
		if a, ok := c.announced(); ok {
			args = []wire.Arg{a}
		}
		return c.values(args, at, value)
	}
	if a, ok := c.verb.Arg(name); ok && a.Kind != wire.KindParams {
		return c.value(a, at, value)
	}
	return at, c.paramValues(name, value)
}

func (c completion) complete(at int, word string) (int, []Suggestion) {
	if a, ok := c.announced(); ok {
		return c.value(a, at, word)
	}
	if name, value, ok := strings.Cut(word, "="); ok && IsName(name) {
		return c.assigned(name, at+len(name)+1, value)
	}
	args := c.next()
	var again []wire.Arg // another run, which is meant less often than what follows
	if len(args) > 0 && args[0].Many && len(c.given) > 0 {
		args, again = args[1:], args[:1]
	}
	from, out := c.values(args, at, word)
	if from != at {
		return from, out // a path: the word is cut elsewhere
	}
	for _, a := range c.verb.Args {
		if c.has(a) || !a.Typed() {
			continue
		}
		switch {
		case a.Kind == wire.KindParams:
			for _, p := range c.params() {
				if strings.HasPrefix(p.Name, word) && !c.named(p.Name) &&
					(c.verb.Name != "set" || p.Class != "structural") {
					out = append(out, Suggestion{p.Name + "=", describe(p)})
				}
			}
		case a.Word != "" && strings.HasPrefix(a.Word, word):
			out = append(out, Suggestion{a.Word, a.Doc})
		case a.Kind == wire.KindTruth && !a.Place && strings.HasPrefix(a.Name, word):
			out = append(out, Suggestion{a.Name, a.Doc})
		case !a.Place && a.Word == "" && strings.HasPrefix(a.Name, word):
			out = append(out, Suggestion{a.Name + "=", a.Doc})
		case a.Also != "" && word != "" && strings.HasPrefix(a.Also, word):
			out = append(out, Suggestion{a.Also + "=", a.Doc})
		}
	}
	_, runs := c.values(again, at, word)
	return at, append(out, runs...)
}

// values completes the word in the place of any of some arguments.
func (c completion) values(args []wire.Arg, at int, word string) (int, []Suggestion) {
	var out []Suggestion
	for _, a := range args {
		from, vs := c.value(a, at, word)
		if from != at {
			return from, vs
		}
		out = append(out, vs...)
	}
	return at, out
}

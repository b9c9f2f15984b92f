package cells

import (
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/kernel/words"
)

// promptBefore is the line of the prompt in a cell that a text ends in.
func promptBefore(text string) (line string, ok bool) {
	line = text[strings.LastIndexByte(text, '\n')+1:]
	if _, ok := typedLine(line); !ok {
		return "", false
	}
	line = strings.TrimPrefix(strings.TrimLeft(line, " \t"), prefix)
	return line, line != ""
}

// completeLine completes a line as the prompt does, before a position. ok is true where nothing
// fits, too: the line is no Go, of which the Go language server would know better.
func (k *Kernel) completeLine(line string, pos int) (list []string, from, to int, ok bool) {
	at, all := words.Complete(line, known{k})
	list = []string{} // null in JSON would be no list
	for _, s := range all {
		if len(list) < maxWords {
			list = append(list, s.Text)
		}
	}
	return list, pos - utf8.RuneCountInString(line[min(at, len(line)):]), pos, true
}

// Inspect describes the text at a position of a cell, in quotes or in a line of the prompt: the
// text that help has for the word there, or, in quotes and for a part of a name, for the one name
// that it may become. It returns no text for a word that help does not know. It also describes
// names of package lab; ok is false elsewhere, where the Go language server knows better.
func (k *Kernel) Inspect(code string, pos int) (text string, ok bool) {
	before := beforePos(code, pos)
	after := code[len(before):]
	part, typed := promptBefore(before)
	if !typed {
		toks, open := tokens(before)
		if !open {
			return aboutName(code, pos)
		}
		part = toks[len(toks)-1].text
	}
	between := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-/.", r)
	}
	end := strings.IndexFunc(after, between)
	if end < 0 {
		end = len(after)
	}
	word := part[strings.LastIndexFunc(part, between)+1:] + after[:end]
	if word == "" {
		return "", true
	}
	if !typed {
		switch names, fits := k.meant(before, word); {
		case !fits:
			return "", true
		case len(names) > 1:
			return word + ": " + strings.Join(names, ", "), true
		case len(names) == 1:
			word = names[0]
		}
	}
	text, err := words.Help(word, known{k})
	if err != nil || !typed && strings.HasPrefix(text, word+": no verb; ") { // no line of the prompt
		return "", true
	}
	return text, true
}

// meant are the names that a word in quotes at the end of a text may become; none where it is one.
// It fits where the names that may stand there are unknown, or where one begins with it.
func (k *Kernel) meant(before, word string) (names []string, fits bool) {
	a, ok := argument(before)
	if !ok || a.inLab() && a.callee == "Do" {
		return nil, true
	}
	all := k.values(a)
	for _, w := range all {
		switch {
		case w == word:
			return nil, true
		case strings.HasPrefix(w, word) && !slices.Contains(names, w) && len(names) < maxMeant:
			names = append(names, w)
		}
	}
	return names, len(names) > 0 || len(all) == 0
}

// maxMeant is the number of names shown for a word with several completions.
const maxMeant = 20

// known is a kernel's knowledge of its session.
type known struct{ k *Kernel }

var (
	_ words.Knowledge = known{}
	_ words.Book      = known{}
)

// Runs implements words.Knowledge and words.Book.
func (n known) Runs() []reply.Status {
	var r reply.RunsReply
	n.k.ask("runs", wire.RunsRequest{}, &r)
	return r.Runs
}

// Params implements words.Knowledge and words.Book.
func (n known) Params(run string) []reply.Param {
	var r reply.ParamsReply
	n.k.ask("params", wire.ParamsRequest{Run: run}, &r)
	return r.Params
}

// SolverParams implements words.Knowledge.
func (n known) SolverParams(solver string) []reply.Param { return n.k.solverParams(solver) }

// Solvers implements words.Knowledge.
func (n known) Solvers() []reply.Variant { return n.k.variants("") }

// Names implements words.Knowledge and words.Book.
func (n known) Names() []reply.SolverName { return n.k.about("").Names }

// Instances implements words.Knowledge and words.Book.
func (n known) Instances() []string { return n.k.instances() }

// KindOf implements words.Knowledge.
func (n known) KindOf(instance string) string {
	if kinds, _ := n.k.kinds.Load().(map[string]string); kinds != nil {
		return kinds[instance]
	}
	return ""
}

// Tables implements words.Knowledge.
func (n known) Tables() []reply.BenchTable {
	var r reply.BenchReply
	n.k.ask("bench", wire.BenchRequest{}, &r)
	return r.Tables
}

// Autosaves implements words.Knowledge.
func (n known) Autosaves() []reply.Autosave {
	var r reply.RecoverReply
	n.k.ask("recover", wire.RecoverRequest{}, &r)
	return r.Autosaves
}

// Dir implements words.Knowledge.
func (n known) Dir() string {
	d, err := os.Getwd()
	if err != nil {
		return ""
	}
	return d
}

// Variants implements words.Book.
func (n known) Variants(q wire.SolversRequest) []reply.Variant {
	var r reply.SolversReply
	n.k.ask("solvers", q, &r)
	return r.Variants
}

// Go implements words.Book: the Go language server tells of Go.
func (n known) Go(string) (text string, ok bool) { return "", false }

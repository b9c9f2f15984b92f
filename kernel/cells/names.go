package cells

import (
	_ "embed"
	"strings"
)

//go:generate go run ./labdoc/write

// labTable is what package lab has: names, declarations, first sentences.
//
//go:embed lab.tsv
var labTable string

// A labName is a name of package lab.
type labName struct{ name, decl, about string }

// labNames returns the names that begin with a word, in order.
func labNames(word string) []labName {
	var out []labName
	for l := range strings.Lines(labTable) {
		if f := strings.SplitN(strings.TrimSuffix(l, "\n"), "\t", 3); len(f) == 3 &&
			strings.HasPrefix(f[0], word) {
			out = append(out, labName{f[0], f[1], f[2]})
		}
	}
	return out
}

// nameAt is the word at a position of a cell that "lab." stands before: the part before the
// position, and the rest. A lab that is itself a part of something is none.
func nameAt(code string, pos int) (word, rest string, ok bool) {
	before := beforePos(code, pos)
	after := code[min(len(before), len(code)):]
	from := strings.LastIndexFunc(before, func(r rune) bool { return !inName(r) }) + 1
	to := strings.IndexFunc(after, func(r rune) bool { return !inName(r) })
	if to < 0 {
		to = len(after)
	}
	stem, ok := strings.CutSuffix(before[:from], "lab.")
	if !ok || stem != "" && (inName(rune(stem[len(stem)-1])) || strings.HasSuffix(stem, ".")) {
		return "", "", false
	}
	return before[from:], after[:to], true
}

// inName reports whether a name of package lab may hold a character.
func inName(r rune) bool {
	return r == '_' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z'
}

// completeName completes a name of package lab, without gopls, which takes seconds until it has
// loaded the packages, and a good part of one afterwards; false where there is no such name.
func completeName(code string, pos int) (words []string, from, to int, ok bool) {
	word, _, ok := nameAt(code, pos)
	if !ok {
		return nil, 0, 0, false
	}
	for _, n := range labNames(word) {
		words = append(words, n.name)
	}
	return words, pos - len(word), pos, len(words) > 0
}

// aboutName tells of the name of package lab at a position, or of the function of it among whose
// arguments that is.
func aboutName(code string, pos int) (text string, ok bool) {
	name := ""
	if word, rest, ok := nameAt(code, pos); ok {
		name = word + rest
	} else {
		toks, _ := tokens(beforePos(code, pos))
		if a := call(toks); a != nil && a.inLab() && apart(code, pos) {
			name = a.callee
		}
	}
	for _, n := range labNames(name) {
		if n.name == name {
			return n.decl + "\n\n" + n.about, true
		}
	}
	return "", false
}

// apart reports whether a position in a cell is in no word.
func apart(code string, pos int) bool {
	before := beforePos(code, pos)
	after := code[min(len(before), len(code)):]
	return (before == "" || !inName(rune(before[len(before)-1]))) &&
		(after == "" || !inName(rune(after[0])))
}

// beforePos returns the text before a position of a cell, in code points, as Jupyter counts.
func beforePos(code string, pos int) string {
	for at := range code {
		if pos <= 0 {
			return code[:at]
		}
		pos--
	}
	return code
}

package cells

import (
	_ "embed"
	"strings"
	"unicode/utf16"
)

//go:generate go run ./labdoc/write

// labTable is what package lab has: names, declarations, first sentences.
//
//go:embed lab.tsv
var labTable string

// A labName is a name of package lab.
type labName struct{ name, decl, about string }

// labNames are those that begin with a word, in order.
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

// nameAt is the word at a position of a cell, in UTF-16 units, that "lab." stands before: the part
// before the position, and the rest. A lab that is itself a part of something is none.
func nameAt(code string, pos int) (word, rest string, ok bool) {
	units := utf16.Encode([]rune(code))
	pos = max(0, min(pos, len(units)))
	before, after := string(utf16.Decode(units[:pos])), string(utf16.Decode(units[pos:]))
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

// Meanwhile completes a name of package lab while gopls loads the packages, which takes seconds;
// false once gopls answers, and where there is no such name.
func (k *Kernel) Meanwhile(code string, pos int) (words []string, from, to int, ok bool) {
	if !loading() {
		return nil, 0, 0, false
	}
	word, _, ok := nameAt(code, pos)
	if !ok {
		return nil, 0, 0, false
	}
	for _, n := range labNames(word) {
		words = append(words, n.name)
	}
	return words, pos - len(word), pos, len(words) > 0
}

// told tells of a name of package lab while gopls loads the packages.
func told(code string, pos int) (text string, ok bool) {
	if !loading() {
		return "", false
	}
	word, rest, ok := nameAt(code, pos)
	if !ok {
		return "", false
	}
	for _, n := range labNames(word + rest) {
		if n.name == word+rest {
			return n.decl + "\n\n" + n.about, true
		}
	}
	return "", false
}

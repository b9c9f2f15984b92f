package words

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"metalab/kernel/wire"
)

// meantWords are the words of a command as they are meant where people write them otherwise than
// the verbs have them.
func meantWords(words []Token, s Scope) []Token {
	switch words[0].Text {
	case "show", "save":
		return sourceWords(words)
	case "best":
		return bestWords(words, s)
	case "set", "open", "fork":
		return listedWords(words, s)
	}
	v, _ := wire.Find(words[0].Text)
	if _, times := v.Arg("wall"); times {
		return timeWords(words, s)
	}
	return words
}

// unnamed is the error of "experiment import x.csv", which names no experiment.
func (p *parser) unnamed() error {
	name, _ := p.call.Args["name"].(string)
	do, _ := p.call.Args["do"].(string)
	if p.call.Verb.Name != "experiment" || name != "import" && name != "export" {
		return nil
	}
	if !p.has("from") && !p.has("to") && filepath.Ext(do) == "" {
		return nil
	}
	return fmt.Errorf("which experiment? its name stands before %s, as in: experiment e1 %s",
		name, name)
}

// timeWords are words in which a time of several units is one word: 1min 10s, 1 min 10 s.
func timeWords(words []Token, s Scope) []Token {
	var out []Token
	for len(words) > 0 {
		w, n := words[0], 1
		text := w.Text
		for i, next := range words[1:min(len(words), 9)] {
			if !isNumeric(w.Text) || w.Quoted || next.Quoted || s.isRun(next.Text) {
				break
			}
			text += " " + next.Text
			if _, err := wire.ParseSeconds(text); err == nil {
				w.Text, w.To, n = text, next.To, i+2
			}
		}
		out, words = append(out, w), words[n:]
	}
	return out
}

// sourceWords are words as they are meant: "show w source" and "save w source to w.go" are about
// the source of a run's solver.
func sourceWords(words []Token) []Token {
	at := slices.IndexFunc(words, func(w Token) bool { return w.Text == "source" && !w.Quoted })
	save := words[0].Text == "save"
	if at < 2 || !save && words[0].Text != "show" {
		return words
	}
	word := func(text string) Token { return Token{Text: text, eq: -1} }
	out := append([]Token{word("source")}, words[1:at]...)
	rest := words[at+1:]
	switch {
	case !save:
	case len(rest) == 0:
		out = append(out, word("to"), word(words[1].Text+".go"))
	case rest[0].Text != "to":
		out = append(out, word("to"))
	}
	return append(out, rest...)
}

// bestWords are words as they are meant: "best a to b.tour" writes what export does.
func bestWords(words []Token, s Scope) []Token {
	n := len(words)
	if n < 3 || n > 4 || words[n-2].Text != "to" || words[n-2].Quoted || s.isRun("to") {
		return words
	}
	if n == 3 && s.Current == "" {
		return words
	}
	out := slices.Clone(words)
	out[0].Text = "export"
	if n == 3 {
		out = slices.Insert(out, 1, Token{Text: s.Current, eq: -1})
	}
	switch strings.ToLower(filepath.Ext(words[n-1].Text)) {
	case ".tour", ".sln":
		return out
	}
	return append(out, Token{Text: "best", eq: -1})
}

// listedWords are words without the commas between values of parameters, and without the "to" of
// "set a q0 to 0.5".
func listedWords(words []Token, s Scope) []Token {
	var out []Token
	for i, w := range words {
		behind := i > 1 && i+1 < len(words) && !w.Quoted // a name, or a value, stands before it
		switch cut := strings.TrimSuffix(w.Text, ","); {
		case behind && w.Text == ",":
			continue
		case behind && w.Text == "to" && words[0].Text == "set" && !s.isRun("to") &&
			IsName(words[i-1].Text) && words[i+1].eq < 0:
			continue
		case i > 0 && cut != w.Text && cut != "" && !w.Quoted && w.eq != len(cut)-1:
			w.Text = cut
		}
		out = append(out, w)
	}
	return out
}

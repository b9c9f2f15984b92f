package words

import (
	"slices"
	"strings"
)

// A Token is a word of a line and where it stands.
type Token struct {
	Text     string // without its quotation marks
	From, To int    // bytes of the line, quotation marks included
	Quoted   bool   // it begins with a quotation mark: then it is no key word
	Open     bool   // a quotation mark in it is not closed

	eq int // where the first "=" outside of quotation marks stands in Text; -1
}

// A Line is one command of a text.
type Line struct {
	From, To int // bytes of the text, without blanks, semicolon and comment
	Tokens   []Token
	Comment  bool // a comment follows
}

// Lines cuts a text into commands and these into words. Commands end at line feeds and at
// semicolons. Single and double quotes keep blanks and semicolons, up to the end of the row
// where they are not closed, and a "#" at the start of a word begins a comment. Nothing else
// in metalab cuts what is typed: parsing, completion and scripts read these tokens.
func Lines(text string) []Line {
	return slices.DeleteFunc(lines(text), func(l Line) bool { return len(l.Tokens) == 0 })
}

// LastLine returns the command that a text ends in, which may have no words yet.
func LastLine(text string) Line {
	all := lines(text)
	return all[len(all)-1]
}

// lines returns the commands of a text, those without words too.
func lines(text string) []Line {
	var out []Line
	var line Line
	var b strings.Builder
	tok, in := Token{eq: -1}, false
	var quote byte
	endToken := func(at int) {
		if in {
			tok.Text, tok.To, tok.Open = b.String(), at, quote != 0
			line.Tokens = append(line.Tokens, tok)
		}
		b.Reset()
		tok, in, quote = Token{eq: -1}, false, 0
	}
	endLine := func(at int) {
		endToken(at)
		line.From, line.To = at, at
		if n := len(line.Tokens); n > 0 {
			line.From, line.To = line.Tokens[0].From, line.Tokens[n-1].To
		}
		out = append(out, line)
		line = Line{}
	}
	for i := range len(text) {
		c := text[i]
		if line.Comment && c != '\n' {
			continue
		}
		if !in && c != ' ' && c != '\t' && c != '\r' && c != '\n' && c != ';' && c != '#' {
			in, tok.From = true, i
		}
		switch {
		case c == '\n':
			endLine(i)
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			b.WriteByte(c)
		case c == '\'' || c == '"':
			quote, tok.Quoted = c, tok.Quoted || tok.From == i
		case c == ' ' || c == '\t' || c == '\r':
			endToken(i)
		case c == ';':
			endLine(i)
		case c == '#' && !in:
			line.Comment = true
		default:
			if c == '=' && tok.eq < 0 {
				tok.eq = b.Len()
			}
			b.WriteByte(c)
		}
	}
	endLine(len(text))
	return out
}

// Split returns the commands of a text; see Lines.
func Split(text string) []string {
	var out []string
	for _, l := range Lines(text) {
		out = append(out, text[l.From:l.To])
	}
	return out
}

// Command is a command without what only marks it as one: ?word is help word.
func Command(line string) string {
	line = strings.TrimSpace(line)
	if word, ok := strings.CutPrefix(line, "?"); ok {
		return "help " + word
	}
	return strings.TrimPrefix(line, "%")
}

// Assignment splits name=value; a comparison such as "gap<=1" is none.
func (t Token) Assignment() (name, value string, ok bool) {
	if t.eq < 1 || !IsName(t.Text[:t.eq]) {
		return "", "", false
	}
	return t.Text[:t.eq], t.Text[t.eq+1:], true
}

// IsName reports whether s may name an argument or a parameter.
func IsName(s string) bool {
	for i, c := range []byte(s) {
		switch {
		case c == '_', c|0x20 >= 'a' && c|0x20 <= 'z':
		case i > 0 && (c >= '0' && c <= '9' || c == '-' || c == '.'):
		default:
			return false
		}
	}
	return s != ""
}

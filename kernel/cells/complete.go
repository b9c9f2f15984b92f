package cells

import (
	"go/scanner"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Complete completes what stands in quotes in a cell, before a position in code points, where it is
// an argument of package lab: the names of solvers, instances, runs, parameters, figures and so on;
// the names of package lab; and commands of the kernel, as %lab. It returns the words that fit and
// the part of the text that they take the place of; false where there are none, and the Go language
// server knows better.
func (k *Kernel) Complete(code string, pos int) (words []string, from, to int, ok bool) {
	text := beforePos(code, pos)
	pos = utf8.RuneCountInString(text)
	if list, n := k.completeCommand(text); list != nil {
		return list, pos - n, pos, true
	}
	if line, ok := promptBefore(text); ok {
		return k.completeLine(line, pos)
	}
	a, ok := argument(text)
	if !ok {
		return completeName(code, pos)
	}
	if a.inLab() && a.callee == "Do" && a.n == 0 {
		return k.completeLine(a.word, pos)
	}
	if slices.Contains(lists, a.callee) {
		a.word = strings.TrimLeft(a.word[strings.LastIndexByte(a.word, ',')+1:], " ")
	}
	for _, w := range k.values(a) {
		if strings.HasPrefix(w, a.word) && !slices.Contains(words, w) && len(words) < maxWords {
			words = append(words, w)
		}
	}
	return words, pos - utf8.RuneCountInString(a.word), pos, len(words) > 0
}

// maxWords is the length of a list that is still looked through.
const maxWords = 200

// A tok is a token of Go.
type tok struct {
	kind token.Token
	text string // of a name, or of a string, without its quotes
}

// An arg is an argument in quotes that is being written.
type arg struct {
	word   string // what stands before the cursor
	callee string // the function or the method
	of     []tok  // what stands before the callee and its period
	n      int    // how many arguments stand before this one
	before []tok  // the call's tokens up to the word
	outer  *arg   // the call in which this one, of a function of lab, is an argument; nil: none
	all    []tok  // everything up to the word
}

// tokens are the tokens of a piece of a cell; the last one is a string that is not ended where
// open says so. Lines that begin with % or ! are GoNB's.
func tokens(text string) (toks []tok, open bool) {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if t := strings.TrimSpace(l); strings.HasPrefix(t, "%") || strings.HasPrefix(t, "!") {
			lines[i] = ""
		}
	}
	src := []byte(strings.Join(lines, "\n"))
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src))
	bad := -1 // where a string begins that is not ended
	s.Init(file, src, func(at token.Position, msg string) {
		if strings.Contains(msg, "literal not terminated") {
			bad = at.Offset
		}
	}, 0)
	for {
		p, kind, lit := s.Scan()
		if kind == token.EOF {
			return toks, open
		}
		if kind == token.SEMICOLON && lit == "\n" {
			lit = ""
		}
		open = kind == token.STRING && file.Offset(p) == bad
		switch {
		case open:
			lit = strings.TrimRight(lit, "\n")[1:]
		case kind == token.STRING:
			if u, err := strconv.Unquote(lit); err == nil {
				lit = u
			}
		}
		toks = append(toks, tok{kind, lit})
		if open {
			return toks, true
		}
	}
}

// argument finds the argument at the end of a piece of a cell.
func argument(text string) (arg, bool) {
	toks, open := tokens(text)
	if !open || strings.ContainsAny(toks[len(toks)-1].text, "\n\\") {
		return arg{}, false
	}
	word := toks[len(toks)-1].text
	all := toks[:len(toks)-1]
	a := call(all)
	if a == nil {
		return arg{}, false
	}
	a.word, a.all = word, all
	return *a, true
}

// call finds the call whose arguments toks end in; nil when they do in none.
func call(toks []tok) *arg {
	depth, n := 0, 0
	for i := len(toks) - 1; i >= 0; i-- {
		switch toks[i].kind {
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth++
		case token.LBRACK, token.LBRACE:
			if depth--; depth < 0 {
				return nil // a literal, an index or a block
			}
		case token.COMMA:
			if depth == 0 {
				n++
			}
		case token.SEMICOLON:
			if depth == 0 {
				return nil
			}
		case token.LPAREN:
			if depth--; depth >= 0 {
				continue
			}
			if i == 0 || toks[i-1].kind != token.IDENT {
				return nil
			}
			a := &arg{callee: toks[i-1].text, n: n, before: toks[i+1:]}
			if i >= 3 && toks[i-2].kind == token.PERIOD {
				a.of = toks[:i-2]
			}
			if a.inLab() {
				a.outer = call(toks[:i-3])
				if a.outer != nil {
					a.outer.all = toks[:i-3]
				}
			}
			return a
		}
	}
	return nil
}

// text is the n-th argument of the call where that is a string alone, "" elsewhere.
func (a *arg) text(n int) string {
	depth, at := 0, 0
	for i, t := range a.before {
		switch t.kind {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		case token.COMMA:
			if depth == 0 {
				at++
			}
		case token.STRING:
			if depth == 0 && at == n && (i == 0 || a.before[i-1].kind == token.COMMA) {
				return t.text
			}
		}
	}
	return ""
}

// lastText returns the string before the last comma: the name that gets a value.
func (a *arg) lastText() string {
	if n := len(a.before); n >= 2 && a.before[n-1].kind == token.COMMA &&
		a.before[n-2].kind == token.STRING {
		return a.before[n-2].text
	}
	return ""
}

// name is the variable that the first argument is, "" where it is none.
func (a *arg) name() string {
	if len(a.before) >= 2 && a.before[0].kind == token.IDENT && a.before[1].kind == token.COMMA {
		return a.before[0].text
	}
	return ""
}

// inLab reports whether the callee is a function of package lab.
func (a *arg) inLab() bool {
	return len(a.of) > 0 && a.of[len(a.of)-1] == tok{token.IDENT, "lab"}
}

// run is the name of the run whose method is called: by the call that made it, or by the
// variable.
func (a *arg) run() string { return runOf(a.of, a.all) }

// opens are the functions and methods whose first argument is the name of the run that they
// return.
var opens = []string{"Open", "Get", "Fork"}

// runOf is the name of the run that an expression at the end of toks is; all is the text that
// may say so of a variable.
func runOf(toks, all []tok) string {
	n := len(toks)
	if n == 0 {
		return ""
	}
	if toks[n-1].kind == token.IDENT {
		return runCalled(toks[n-1].text, all)
	}
	if toks[n-1].kind != token.RPAREN {
		return ""
	}
	depth := 0
	for i := n - 1; i > 0; i-- {
		switch toks[i].kind {
		case token.RPAREN:
			depth++
		case token.LPAREN:
			if depth--; depth == 0 {
				if slices.Contains(opens, toks[i-1].text) && toks[i+1].kind == token.STRING {
					return toks[i+1].text
				}
				return ""
			}
		}
	}
	return ""
}

// runCalled is the name of the run that a variable stands for: of the last call in toks that
// gives it one, else the variable's own.
func runCalled(variable string, toks []tok) string {
	name := variable
	for i := 0; i+2 < len(toks); i++ {
		if toks[i] != (tok{token.IDENT, variable}) || toks[i+1].kind != token.DEFINE &&
			toks[i+1].kind != token.ASSIGN {
			continue
		}
		for j := i + 2; j+2 < len(toks) && toks[j].kind != token.SEMICOLON; j++ {
			if slices.Contains(opens, toks[j].text) && toks[j].kind == token.IDENT &&
				toks[j+1].kind == token.LPAREN && toks[j+2].kind == token.STRING {
				name = toks[j+2].text
				break
			}
		}
	}
	return name
}

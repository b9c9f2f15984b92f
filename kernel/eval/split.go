package eval

import (
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"
)

// chunk is one declaration or one statement of an input, as the user typed it.
type chunk struct {
	tok       token.Token // IMPORT, CONST, TYPE or FUNC for declarations, else ILLEGAL
	text      string
	line, col int // where text starts in the input, from 1
}

// lexeme is a token of an input with its place.
type lexeme struct {
	tok token.Token
	off int
	lit string
}

// lex scans src. It keeps the automatic semicolons, whose lit is "\n".
func lex(src string, mode scanner.Mode) ([]lexeme, *token.File, scanner.ErrorList) {
	var list scanner.ErrorList
	file := token.NewFileSet().AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, []byte(src), func(p token.Position, msg string) { list.Add(p, msg) }, mode)
	var out []lexeme
	for {
		pos, tok, lit := s.Scan()
		out = append(out, lexeme{tok, file.Offset(pos), lit})
		if tok == token.EOF {
			return out, file, list
		}
	}
}

// split cuts an input into its declarations and statements, which a user may
// mix although Go's grammar does not. Chunks end at the semicolons, typed or
// automatic, that stand outside of all brackets.
func split(src string, input int) ([]chunk, error) {
	toks, file, list := lex(src, 0)
	fail := func(off int, msg string) error {
		p := file.Position(file.Pos(off))
		p.Filename = fileName(input)
		return place(Syntax, p, input, msg)
	}
	if len(list) > 0 {
		p := list[0].Pos
		p.Filename = fileName(input)
		return nil, place(Syntax, p, input, list[0].Msg)
	}
	var chunks []chunk
	var open []lexeme
	start := 0 // index of the chunk's first token
	for i, t := range toks {
		switch t.tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			open = append(open, t)
			continue
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if len(open) == 0 || closer(open[len(open)-1].tok) != t.tok {
				return nil, fail(t.off, "unexpected "+t.tok.String())
			}
			open = open[:len(open)-1]
			continue
		case token.EOF:
			if len(open) > 0 {
				o := open[len(open)-1]
				return nil, fail(o.off, o.tok.String()+" is not closed")
			}
		case token.SEMICOLON:
			if len(open) > 0 {
				continue
			}
		default:
			continue
		}
		if i > start {
			if t.tok != token.EOF && header(toks[start:i]) && !whole(src[toks[start].off:t.off]) {
				continue // one of the semicolons in the head of a for, if or switch
			}
			p := file.Position(file.Pos(toks[start].off))
			chunks = append(chunks, chunk{
				declares(toks[start:i]), src[toks[start].off:t.off],
				p.Line, p.Column,
			})
		}
		start = i + 1
	}
	return chunks, nil
}

// header reports whether tokens start a statement with semicolons in its head.
func header(t []lexeme) bool {
	for len(t) > 2 && t[0].tok == token.IDENT && t[1].tok == token.COLON { // labels
		t = t[2:]
	}
	return t[0].tok == token.FOR || t[0].tok == token.IF || t[0].tok == token.SWITCH
}

// whole reports whether text is whole statements.
func whole(text string) bool {
	_, err := parser.ParseFile(token.NewFileSet(), "", "package p;func _(){"+text+"\n}",
		parser.SkipObjectResolution)
	return err == nil
}

// closer is the bracket that closes another.
func closer(open token.Token) token.Token {
	switch open {
	case token.LPAREN:
		return token.RPAREN
	case token.LBRACK:
		return token.RBRACK
	}
	return token.RBRACE
}

// declares says which declaration a chunk's tokens are: IMPORT, CONST, TYPE or
// FUNC, or ILLEGAL for a statement. A var is a statement here, for it runs where
// it stands.
func declares(t []lexeme) token.Token {
	switch t[0].tok {
	case token.IMPORT, token.CONST, token.TYPE:
		return t[0].tok
	case token.FUNC:
		if len(t) < 2 {
			break
		}
		if t[1].tok == token.IDENT {
			return token.FUNC
		}
		// func (…) name( is a method; func (…) type { is a function literal.
		depth := 0
		for i := 1; i < len(t); i++ {
			switch t[i].tok {
			case token.LPAREN:
				depth++
			case token.RPAREN:
				depth--
			}
			if depth == 0 {
				if i+2 < len(t) && t[i+1].tok == token.IDENT && t[i+2].tok == token.LPAREN {
					return token.FUNC
				}
				break
			}
		}
	}
	return token.ILLEGAL
}

// Incomplete reports whether src ends too early to be Go, so that a prompt
// should ask for another line: a bracket, a raw string or a comment is open, or
// the last token wants an operand or a block after it. Text that is wrong
// whatever follows is not incomplete.
func Incomplete(src string) bool {
	toks, _, list := lex(src, scanner.ScanComments)
	for _, e := range list {
		if strings.Contains(e.Msg, "raw string literal not terminated") ||
			strings.Contains(e.Msg, "comment not terminated") {
			return true
		}
	}
	if len(list) > 0 {
		return false
	}
	depth := 0
	last := lexeme{tok: token.SEMICOLON}
	for _, t := range toks {
		switch t.tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if depth--; depth < 0 {
				return false
			}
		case token.COMMENT:
			continue
		case token.EOF:
			continue
		}
		if t.tok == token.SEMICOLON && t.lit == "\n" {
			continue
		}
		last = t
	}
	if depth > 0 {
		return true
	}
	switch {
	case last.tok.IsOperator() && last.tok != token.RPAREN && last.tok != token.RBRACK &&
		last.tok != token.RBRACE &&
		last.tok != token.SEMICOLON && last.tok != token.INC && last.tok != token.DEC &&
		last.tok != token.ELLIPSIS && last.tok != token.COLON:
		return true
	case last.tok == token.ELSE || last.tok == token.FUNC || last.tok == token.TYPE ||
		last.tok == token.VAR || last.tok == token.CONST ||
		last.tok == token.GO || last.tok == token.DEFER || last.tok == token.IMPORT:
		return true
	}
	return false
}

package eval

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
)

// withLocals is e with the variables that a text, which may be unfinished, declares before its end:
// those of :=, of range and of var. The type of one that is beyond exprType is unknown.
func (s *Session) withLocals(e *env, text string) *env {
	toks, _, _ := lex(text, 0)
	out := e.clone()
	for i, t := range toks {
		switch t.tok {
		case token.DEFINE:
			names := namesBefore(toks[:i])
			s.declare(out, names, s.given(out, text, toks[i+1:]))
		case token.VAR:
			if i+2 < len(toks) && toks[i+1].tok == token.IDENT {
				from := i + 2
				if toks[from].tok == token.ASSIGN {
					from++
				}
				s.declare(out, []string{toks[i+1].lit}, s.given(out, text, toks[from:]))
			}
		}
	}
	return out
}

// namesBefore are the names of a list that toks end in.
func namesBefore(toks []lexeme) []string {
	var names []string
	for i := len(toks) - 1; i >= 0 && toks[i].tok == token.IDENT; i -= 2 {
		names = append([]string{toks[i].lit}, names...)
		if i == 0 || toks[i-1].tok != token.COMMA {
			break
		}
	}
	return names
}

// declare adds variables to e; those behind the last type have none.
func (s *Session) declare(e *env, names []string, ts []types.Type) {
	for i, n := range names {
		if n == "_" {
			continue
		}
		v := &variable{name: n, typ: types.Typ[types.Invalid]}
		if i < len(ts) && ts[i] != nil {
			v.typ = ts[i]
		}
		delete(e.decls, n)
		e.vars[n] = v
	}
}

// given are the types of what stands at the beginning of toks, up to the end of its statement.
func (s *Session) given(e *env, text string, toks []lexeme) []types.Type {
	ranged := len(toks) > 0 && toks[0].tok == token.RANGE
	if ranged {
		toks = toks[1:]
	}
	if len(toks) == 0 {
		return nil
	}
	depth, end := 0, len(text)
	literal := false // whether braces are of a literal or a function, and no block
loop:
	for i, t := range toks {
		switch t.tok {
		case token.LBRACE:
			literal = i > 0 && !ranged &&
				(toks[i-1].tok == token.IDENT || toks[i-1].tok == token.RBRACK || depth > 0)
			if depth == 0 && !literal {
				end = t.off
				break loop
			}
			depth++
		case token.LPAREN, token.LBRACK:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if depth--; depth < 0 {
				end = t.off
				break loop
			}
		case token.SEMICOLON, token.EOF, token.ASSIGN:
			if depth == 0 {
				end = t.off
				break loop
			}
		}
	}
	from := toks[0].off
	if end < from || end > len(text) {
		return nil
	}
	x, err := parser.ParseExpr(text[from:end])
	if err != nil {
		return nil
	}
	if ranged {
		t := s.exprType(e, x)
		if t == nil {
			return nil
		}
		if el, ok := deref(t).Underlying().(interface{ Elem() types.Type }); ok {
			return []types.Type{types.Typ[types.Int], el.Elem()}
		}
		return nil
	}
	if call, ok := x.(*ast.CallExpr); ok {
		if t := s.exprType(e, call.Fun); t != nil {
			if sig, ok := t.Underlying().(*types.Signature); ok {
				var out []types.Type
				for v := range sig.Results().Variables() {
					out = append(out, v.Type())
				}
				return out
			}
		}
	}
	return []types.Type{s.exprType(e, x)}
}

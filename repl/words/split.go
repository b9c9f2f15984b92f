package words

import (
	"go/token"
	"strings"

	"metalab/kernel/wire"
)

// A Token is a word of a command and where it stands.
type Token struct {
	Text     string // without its quotes
	From, To int    // bytes of the line
	Quoted   bool
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// Tokens cuts a command into words. An open quote reaches to the end.
func Tokens(cmd string) []Token {
	var out []Token
	for i := 0; i < len(cmd); {
		if isBlank(cmd[i]) || cmd[i] == '\n' {
			i++
			continue
		}
		t := Token{From: i}
		var b strings.Builder
		for i < len(cmd) && !isBlank(cmd[i]) && cmd[i] != '\n' {
			if c := cmd[i]; c == '"' || c == '\'' {
				t.Quoted = true
				j := strings.IndexByte(cmd[i+1:], c)
				if j < 0 {
					j = len(cmd) - i - 1
				}
				b.WriteString(cmd[i+1 : i+1+j])
				i += j + 2
				continue
			}
			b.WriteByte(cmd[i])
			i++
		}
		i = min(i, len(cmd))
		t.Text, t.To = b.String(), i
		out = append(out, t)
	}
	return out
}

// IsCommand reports whether a line is a command and not Go: its first word is a verb
// and no operator or call of Go follows it, or it begins with %.
func IsCommand(line string) bool {
	line = strings.TrimSpace(line)
	if strings.HasPrefix(line, "%") {
		return true
	}
	i := 0
	for i < len(line) && (line[i] >= 'a' && line[i] <= 'z' || line[i] == '_') {
		i++
	}
	if _, ok := wire.Find(line[:i]); !ok {
		return false
	}
	if i < len(line) && !isBlank(line[i]) && line[i] != ';' && line[i] != '\n' {
		return false // go.x, set(…), show[0]
	}
	if line[:i] == "go" { // the statement of Go: go func…, go f(x)
		rest := strings.TrimSpace(line[i:])
		return !strings.ContainsAny(rest, "({")
	}
	rest := strings.TrimLeft(line[i:], " \t")
	for _, op := range []string{":=", "=", "+=", "-=", "*=", "/=", "++", "--", "(", ","} {
		if strings.HasPrefix(rest, op) {
			return false
		}
	}
	return true
}

// LooksTyped reports whether a line that is no command is more likely to be one with a
// slip of the pen than Go: plain words, and values as in q0=1, without Go's punctuation.
func LooksTyped(line string) bool {
	line = strings.TrimSpace(line)
	if strings.ContainsAny(line, "(){}[]:\n\"`+*,&!") {
		return false
	}
	w := strings.Fields(line)
	if len(w) == 0 || !isName(w[0]) || token.IsKeyword(w[0]) {
		return false
	}
	return len(w) == 1 || w[1] != "=" && !strings.HasPrefix(w[1], "=") && !strings.HasPrefix(w[1], "-=") && w[1] != "-" && w[1] != "/" && w[1] != "<" && w[1] != ">"
}

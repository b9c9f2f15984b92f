package words

import (
	"go/token"
	"strings"

	"metalab/kernel/wire"
)

// Uncommented is a text without the blank lines and comments that it begins with.
func Uncommented(text string) string {
	for rest := text; ; {
		line, more, _ := strings.Cut(rest, "\n")
		if t := strings.TrimSpace(line); t != "" && t[0] != '#' {
			return rest
		}
		if more == "" {
			return ""
		}
		rest = more
	}
}

// IsCommand reports whether a line is a command and not Go: its first word is a verb
// and no operator or call of Go follows it, or it begins with % or with ?.
func IsCommand(line string) bool {
	line = strings.TrimSpace(line)
	if strings.HasPrefix(line, "%") || strings.HasPrefix(line, "?") {
		return true
	}
	i := 0
	for i < len(line) && (line[i] >= 'a' && line[i] <= 'z' || line[i] == '_') {
		i++
	}
	if _, ok := wire.Find(line[:i]); !ok {
		return false
	}
	if i < len(line) && line[i] != ' ' && line[i] != '\t' && line[i] != '\r' && line[i] != ';' &&
		line[i] != '\n' {
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

// IsHelp reports whether a command asks for help, which names of Go may follow.
func IsHelp(line string) bool { return strings.HasPrefix(Command(line), "help ") }

// LooksTyped reports whether a line that is no command is more likely to be one with a
// slip of the pen than Go: plain words, and values as in q0=1, without Go's punctuation.
func LooksTyped(line string) bool {
	line = strings.TrimSpace(line)
	if strings.ContainsAny(line, "(){}[]:\n\"`+*,&!") {
		return false
	}
	w := strings.Fields(line)
	if len(w) == 0 || !token.IsIdentifier(w[0]) {
		return false
	}
	if len(w) == 1 {
		return true
	}
	// In Go an operator follows; an option of a shell's, as -rf, is none.
	const ops = "+-*/%&|^<>="
	next := strings.TrimLeft(w[1], ops)
	return next != "" && !strings.HasSuffix(w[1][:len(w[1])-len(next)], "=")
}

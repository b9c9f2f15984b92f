package wire

import (
	"os"
	"path/filepath"
	"strings"
)

// word is a word of a line; quoted words are never key words.
type word struct {
	text   string
	quoted bool
	eq     int // where an unquoted "=" stands; -1
}

// assignment splits name=value; a comparison such as "gap<=1" is none.
func (w word) assignment() (name, val string, ok bool) {
	if w.eq < 1 || !isName(w.text[:w.eq]) {
		return "", "", false
	}
	return w.text[:w.eq], w.text[w.eq+1:], true
}

func isName(s string) bool {
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

// fields splits a line at spaces; single and double quotes keep spaces, and a "#" at
// the start of a word begins a comment.
func fields(line string) ([]word, error) {
	var out []word
	var b strings.Builder
	cur, in := word{eq: -1}, false
	var quote byte
	end := func() {
		if in {
			cur.text = b.String()
			out = append(out, cur)
		}
		b.Reset()
		cur, in = word{eq: -1}, false
	}
	for _, c := range []byte(line) {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			b.WriteByte(c)
		case c == '\'' || c == '"':
			quote, in, cur.quoted = c, true, cur.quoted || b.Len() == 0
		case c == ' ' || c == '\t' || c == '\r':
			end()
		case c == '#' && !in:
			return out, nil
		default:
			if c == '=' && cur.eq < 0 {
				cur.eq = b.Len()
			}
			in = true
			b.WriteByte(c)
		}
	}
	if quote != 0 {
		return nil, &Error{CodeRequest, "a quotation mark " + string(quote) + " is not closed"}
	}
	end()
	return out, nil
}

// Split cuts a text into lines at line feeds and semicolons that are not in quotes;
// empty lines and comments are dropped.
func Split(text string) []string {
	var out []string
	var quote byte
	comment := false
	from := 0
	cut := func(to int) {
		line := strings.TrimSpace(text[from:to])
		if line != "" && line[0] != '#' {
			out = append(out, line)
		}
	}
	for i := range len(text) {
		c := text[i]
		switch {
		case c == '\n':
			cut(i)
			from, quote, comment = i+1, 0, false
		case comment:
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '#' && (i == 0 || text[i-1] == ' ' || text[i-1] == '\t' || text[i-1] == ';' || text[i-1] == '\n'):
			comment = true
		case c == ';':
			cut(i)
			from = i + 1
		}
	}
	cut(len(text))
	return out
}

// AbsPath returns the absolute path that the client means; a leading ~/ is the home.
func AbsPath(dir, path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	if filepath.IsAbs(path) || dir == "" {
		return path
	}
	return filepath.Join(dir, path)
}

// AbsInstance makes the name of an instance absolute when it names a file: when it has
// a slash, or is there.
func AbsInstance(dir, name string) string {
	path := AbsPath(dir, name)
	if strings.Contains(name, "/") {
		return path
	}
	switch strings.TrimPrefix(filepath.Ext(strings.TrimSuffix(name, ".gz")), ".") {
	case "tsp", "atsp", "dat":
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return name
}

// AbsRecord makes the path of a record absolute; what has neither a slash nor a dot, and
// is no file, is the name of a run and stays as it is.
func AbsRecord(dir, name string) string {
	path := AbsPath(dir, name)
	if strings.ContainsAny(name, "/.") {
		return path
	}
	if _, err := os.Stat(path); err == nil {
		return path
	}
	return name
}

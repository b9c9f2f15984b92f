package cells

import (
	"fmt"
	"go/scanner"
	"go/token"
	"slices"
	"strings"

	"metalab/kernel/words"
)

// commands lists the beginnings of cell lines that are no Go, GoNB's and metalab's.
var commands = []string{
	"%lab", "%%", "%main", "%args", "%test", "%exec", "%wasm", "%widgets", "%widgets_hb", "%env",
	"%cd", "%goflags", "%autoget", "%noautoget", "%help", "%version", "%reset", "%ls", "%list", "%rm",
	"%remove", "%with_inputs", "%with_password", "%track", "%untrack", "%goworkfix", "%capture",
}

// whole lists the commands at the beginning of a cell that change the meaning of the whole cell.
var whole = []string{"%%bash", "%%sh", "%%script", "%%writefile", "%%gx"}

// interpreted lists the commands of a kernel that interprets cells, wholeGo the one that begins a
// cell which it compiles; other kernels accept wholeGo there and ignore it.
var interpreted = []string{"%lab", "%%", "%main", "%autoget", "%noautoget"}

const wholeGo = "%%go"

// command is the first word of a line that begins with %; empty for another.
func command(line string) string {
	line = strings.TrimPrefix(line, "//gonb:")
	if !strings.HasPrefix(line, "%") {
		return ""
	}
	if f := strings.Fields(line[1:]); len(f) > 0 {
		return "%" + f[0]
	}
	return "%"
}

// completeCommand are the commands that the last word of a text may become, where that begins its
// line, and the length of the word.
func (k *Kernel) completeCommand(text string) (list []string, n int) {
	at := strings.LastIndexByte(text, '\n') + 1
	word := strings.TrimLeft(text[at:], " \t")
	if word == "" || word[0] != '%' || strings.ContainsAny(word, " \t") {
		return nil, 0
	}
	all := commands
	switch {
	case k.Interprets && at == 0:
		all = append(slices.Clone(interpreted), wholeGo)
	case k.Interprets:
		all = interpreted
	case at == 0:
		all = slices.Concat(commands, whole)
	}
	for _, c := range all {
		if strings.HasPrefix(c, word) && c != word {
			list = append(list, c)
		}
	}
	return list, len(word)
}

// Refused says of a cell what is wrong with it where neither GoNB nor Go say so: a command that
// there is not, an import among statements, a comment of another language. A kernel that interprets
// has fewer commands.
func Refused(code string, interprets bool) error {
	lines := strings.Split(code, "\n")
	if !interprets && slices.Contains(whole, command(lines[0])) {
		return nil
	}
	main := 0 // the line below which statements stand, from 1 on
	body := slices.Clone(lines)
	for i, l := range lines {
		c := command(l)
		if c == "" && !strings.HasPrefix(strings.TrimSpace(l), "!") {
			continue
		}
		body[i] = ""
		if i == 0 && c == wholeGo && !interprets {
			continue // every cell is compiled
		}
		if c != "" && c != "%" && !slices.Contains(commands, c) {
			return fmt.Errorf("line %d: %s", i+1, unknown(c, interprets))
		}
		if main == 0 && (isMain(l) || c == "%lab") {
			main = i + 1
		}
	}
	if slices.ContainsFunc(lines, func(l string) bool {
		c := command(l)
		return c == "%exec" || c == "%test" || c == "%wasm"
	}) {
		main = 0
	}
	return foreign(strings.Join(body, "\n"), main)
}

// unknown says of a command that there is none, and what to write instead.
func unknown(c string, interprets bool) string {
	s := c + " is no command of this kernel"
	all := slices.Concat(commands, whole)
	list := "%help lists them, %lab goes before a line of the prompt"
	if interprets {
		all, list = interpreted, "it has %lab, which goes before a line of the prompt, %%, below "+
			"which statements may stand, and %%go, which compiles a cell"
	}
	switch strings.TrimLeft(c, "%") {
	case "go":
		if interprets {
			return "%%go, which compiles a cell, is its first line"
		}
		return "%%go may be the first line of a cell; this kernel compiles every cell, also without it"
	case "time", "timeit", "prun":
		return s + ": t := time.Now() below %%, and fmt.Println(time.Since(t)) at the end, tell how " +
			"long a cell takes; each step tells its time"
	case "html", "HTML", "markdown", "latex", "svg", "javascript", "js":
		return s + `: below %%, gonbui.DisplayHtml("<b>…</b>") shows HTML, gonbui.DisplayMarkdown ` +
			"Markdown; text alone is for a cell of Markdown"
	case "python", "python3", "perl", "ruby", "R", "julia", "awk":
		if !interprets {
			return s + ": %%script " + strings.TrimLeft(c, "%") + " gives the cell to that program"
		}
	case "pip", "conda", "load_ext", "matplotlib", "run", "magic", "lsmagic", "who", "pwd", "timeout":
		return s + ", which is Go: it is IPython's; " + list
	}
	if near := words.Near(c, all); near != "" && near != "%%" {
		return s + "; is " + near + " meant?"
	}
	return s + "; " + list
}

// foreign says of the Go of a cell, whose statements stand below a line, what no compiler says
// well.
func foreign(text string, main int) error {
	var s scanner.Scanner
	src := []byte(text)
	file := token.NewFileSet().AddFile("", -1, len(src))
	s.Init(file, src, func(token.Position, string) {}, 0)
	for {
		p, kind, lit := s.Scan()
		line := file.Line(p)
		switch {
		case kind == token.EOF:
			return nil
		case kind == token.ILLEGAL && lit == "#":
			said := strings.TrimSpace(text[file.Offset(p):])
			said, _, _ = strings.Cut(said, "\n")
			return fmt.Errorf("line %d: %s is no comment of Go, which begins with //: // %s", line,
				quoted(said, 1), strings.TrimSpace(strings.TrimLeft(said, "#")))
		case kind == token.IMPORT && main > 0 && line > main:
			return fmt.Errorf("line %d: %s stands below %%%%, where statements stand: move it above; "+
				"packages of Go's own library need none", line, quoted(text, line))
		}
	}
}

package cells

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"

	"metalab/kernel/words"
)

// Typed makes Go of what a person types into a cell: lines of the prompt, as
//
//	%lab step a 10; plot a tour
//
// which stand among the statements, or first in a cell, and !go get. A first line of %%go, by which
// the kernel that interprets compiles a cell, is blanked: GoNB compiles every cell. No line changes
// its number. Lines may end as on Windows.
func Typed(code string) string {
	lines := strings.Split(strings.ReplaceAll(code, "\r\n", "\n"), "\n")
	if command(lines[0]) == wholeGo {
		lines[0] = ""
	}
	below := false // whether statements stand here
	alone := false // whether the statements that open main are the only ones so far
	for i, l := range lines {
		typed, is := typedLine(l)
		switch t := strings.TrimSpace(l); {
		case is && !below:
			typed, alone = begins+typed, true
		case is || t != "" && t[0] != '%' && t[0] != '!':
			alone = false
		}
		below = below || is || isMain(l)
		if is {
			lines[i] = typed
		} else {
			lines[i] = inModule(l)
		}
	}
	if alone { // GoNB executes nothing of a cell that is all commands
		lines = append(lines, ";")
	}
	return strings.Join(lines, "\n")
}

// begins stands before the statements of a line of the prompt that is the first statement of its
// cell, and opens main.
const begins = "%% lab: "

// Behind are the statements that stand behind the %% of a line, as [Typed] makes it of a line of
// the prompt, with what parts them from the statements before.
func Behind(line string) string {
	if s, ok := strings.CutPrefix(line, begins); ok {
		return "; " + s
	}
	return ""
}

// prefix is the beginning of a prompt's line in a cell.
const prefix = "%lab"

// typedLine is a line of the prompt in Go.
func typedLine(line string) (code string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(line), prefix)
	if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return "", false
	}
	var calls []string
	for _, c := range words.Split(rest) {
		calls = append(calls, "lab.Show(lab.Do("+strconv.Quote(words.Command(c))+"))")
	}
	if calls == nil {
		calls = []string{`lab.Show(lab.Do("help"))`}
	}
	return strings.Join(calls, "; "), true
}

// isMain reports whether statements stand below a line.
func isMain(line string) bool {
	line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "//gonb:"))
	return strings.HasPrefix(line, "%main") ||
		strings.HasPrefix(line, "%%") && command(line) != wholeGo
}

// Quiet makes comments of a cell's lines of the prompt, as long as they are, for who reads a cell
// as Go, and spaces of the ends of lines of Windows.
func Quiet(code string) string {
	lines := strings.Split(strings.ReplaceAll(code, "\r\n", " \n"), "\n")
	for i, l := range lines {
		if _, ok := typedLine(l); ok {
			lines[i] = strings.Replace(l, prefix, "//ab", 1)
		}
	}
	return strings.Join(lines, "\n")
}

// Shown makes a cell show the value of its last statement, where that is an expression, as
// notebooks do. A semicolon behind it keeps it quiet. It reports whether it changed anything; a
// call that returns nothing is not known by its looks, see [NoValue].
func Shown(lines []string) (out []string, changed bool) {
	first := -1 // the line below which statements stand
	for i, l := range lines {
		if isMain(l) {
			first = i
			break
		}
	}
	if first < 0 {
		return lines, false
	}
	const head = "package p; func _() {\n"
	body := make([]string, len(lines)-first-1)
	for i, l := range lines[first+1:] {
		if t := strings.TrimSpace(l); !strings.HasPrefix(t, "%") && !strings.HasPrefix(t, "!") {
			body[i] = l
		}
	}
	text := strings.Join(body, "\n")
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", head+text+"\n}", parser.SkipObjectResolution)
	if err != nil || len(file.Decls) != 1 {
		return lines, false // the compiler says why
	}
	f, ok := file.Decls[0].(*ast.FuncDecl)
	if !ok || len(f.Body.List) == 0 {
		return lines, false
	}
	last, ok := f.Body.List[len(f.Body.List)-1].(*ast.ExprStmt)
	if !ok || quiet(last.X) {
		return lines, false
	}
	from, to := fset.Position(last.X.Pos()).Offset-len(head), fset.Position(last.X.End()).Offset-
		len(head)
	if strings.HasPrefix(strings.TrimSpace(text[to:]), ";") {
		return lines, false
	}
	text = text[:from] + "lab.Show(" + text[from:to] + ")" + text[to:]
	changed = true
	out = append(out, lines[:first+1]...)
	for i, l := range strings.Split(text, "\n") {
		if body[i] == "" {
			l = lines[first+1+i] // not Go
		}
		out = append(out, l)
	}
	return out, changed
}

// quiet reports whether an expression is known to have no value, or one that nobody asks for.
func quiet(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.UnaryExpr:
		return x.Op == token.ARROW
	case *ast.CallExpr:
		switch f := x.Fun.(type) {
		case *ast.FuncLit:
			return f.Type.Results == nil
		case *ast.Ident:
			switch f.Name {
			case "panic", "print", "println", "close", "delete", "clear", "copy":
				return true
			}
		case *ast.SelectorExpr:
			p, ok := f.X.(*ast.Ident)
			if !ok {
				return false
			}
			switch p.Name {
			case "lab":
				return NoResult[f.Sel.Name]
			case "fmt":
				return strings.Contains(f.Sel.Name, "rint")
			case "time":
				return f.Sel.Name == "Sleep"
			}
		}
	}
	return false
}

// NoResult are the functions of lab that return nothing.
var NoResult = map[string]bool{
	"Attach": true, "Dashboard": true, "Show": true, "Sliders": true, "Watch": true,
	"WatchFigure": true,
}

// NoValue reports whether a cell was not compiled because what [Shown] shows has no value.
func NoValue(f Failure) bool {
	for _, l := range f.Lines {
		if strings.Contains(l.Text, "(no value) used as value") {
			return true
		}
	}
	return false
}

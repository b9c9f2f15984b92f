package cells

import (
	"cmp"
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"metalab/kernel/lab/front"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/kernel/words"
)

// A Failure describes how a cell failed, as GoNB knows it.
type Failure struct {
	Cell  int    // the number of the cell that failed
	Code  string // its text
	Text  string // the error
	Lines []Line // what the compiler says; empty when the cell was compiled
}

// A Line is a line of what the compiler says.
type Line struct {
	Cell int    // the number of the cell that it is about, -1 for the one that fails; 0: none
	Line int    // the line there, from 1 on
	Text string // without the place
}

var cellInfo = regexp.MustCompile(`^Cell(?:\[(\d+)\]:)? Line (\d+)$`)

// LineOf is a line of the compiler's for whose place GoNB says "Cell[3]: Line 2".
func LineOf(info, text string) Line {
	m := cellInfo.FindStringSubmatch(info)
	if m == nil {
		return Line{Text: text}
	}
	l := Line{Cell: -1, Text: text}
	if m[1] != "" {
		l.Cell, _ = strconv.Atoi(m[1]) // they are digits
	}
	l.Line, _ = strconv.Atoi(m[2])
	return l
}

// maxMistakes is the number of mistakes shown for a cell.
const maxMistakes = 5

// Explain returns the message for a reader of the notebook: the name and the value of the error,
// and its lines. The value, which is the first line, is one sentence without paths; the compiler
// may have found more, each of which has a line of its own.
func (k *Kernel) Explain(f Failure) (name, value string, lines []string) {
	said := k.mistakes(f)
	if len(said) == 0 {
		said = []string{plainly(oneLine(f.Text))}
	}
	value = said[0]
	for i, s := range said {
		said[i] = front.Red(s)
	}
	return "ERROR", value, said
}

// Untold says why nothing is told of a name in a cell that is no Go yet.
func Untold(err error) string {
	return "nothing is told of a name while the cell cannot be read: " + oneLine(err.Error())
}

// mistakes are the mistakes that the compiler names.
func (k *Kernel) mistakes(f Failure) []string {
	var out []string
	more := 0
	for i, l := range f.Lines {
		if l.Cell == 0 && !strings.Contains(l.Text, "expected declaration") {
			continue // what go and goimports say around it
		}
		if l.Line == 0 { // GoNB does not know, for the mistake is behind all that the cell holds
			if l.Line = surplus(f.Code); l.Line == 0 {
				l.Line = len(strings.Split(strings.TrimRight(f.Code, "\n"), "\n"))
			}
		}
		s := place(l.Cell, f.Cell, l.Line) + ": " + k.mistake(f, l) + further(f.Lines[i+1:])
		switch {
		case slices.Contains(out, s):
		case len(out) == maxMistakes:
			more++
		default:
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { // another mistake is often why one is unused
		return cmp.Compare(strings.Count(a, unused), strings.Count(b, unused))
	})
	if more > 0 {
		out = append(out, fmt.Sprintf("and %d more", more))
	}
	return out
}

// unused is what the compiler says of a variable that nothing uses.
const unused = ": declared and not used: "

// further returns the compiler's additional lines about a mistake, such as the parameters of a
// function.
func further(lines []Line) string {
	s := ""
	for _, l := range lines {
		text := colours.ReplaceAllString(l.Text, "")
		if l.Cell != 0 || !strings.HasPrefix(text, "\t") {
			break
		}
		sep := ", "
		if s == "" {
			sep = "; "
		}
		s += sep + strings.TrimSpace(text)
	}
	return s
}

// place names a line for the reader of the cell that failed.
func place(cell, this, line int) string {
	switch cell {
	case this, 0, -1:
		return fmt.Sprintf("line %d", line)
	}
	return fmt.Sprintf("cell [%d], line %d", cell, line)
}

var (
	noDeclaration = regexp.MustCompile(
		`expected declaration|non-declaration statement outside function body`)
	// what parsers say of a function that is declared in another
	inFunction = regexp.MustCompile(`expected '\(', found \w+|unexpected name \w+, expected \(|` +
		`unexpected name \w+ at end of statement|expected ';', found \w+|missing function body`)
	funcBelow = regexp.MustCompile(`^\s*func\s*(\([^)]*\)\s*)?\w+\s*[(\[]`)
	notUsed   = regexp.MustCompile(`^declared and not used: (\w+)$`)
	ofLab     = regexp.MustCompile(`\blab\.(\w+)`)
	undefined = regexp.MustCompile(`^undefined: (\w+)$`)

	notStandard = regexp.MustCompile(`^package (\S+) is not in std \(.*\)$`)
	noList      = regexp.MustCompile(`^(?:cannot range over|cannot index|invalid argument:) .*` +
		`(?:variable|value) of type \*?reply\.(\w+)\)`)
	noOption    = regexp.MustCompile(`^cannot use (.+?) \(.*\) as lab\.Option value in argument to`)
	noMember    = regexp.MustCompile(`\(type (\S+) has no field or method (\w+)\)$`)
	undefinedIn = regexp.MustCompile(`^undefined: (\w+)\.(\w+)$`)
)

// mistake returns the compiler's message in a line, with advice for a beginner.
func (k *Kernel) mistake(f Failure, l Line) string {
	text := oneLine(l.Text)
	if s := promptLine(lineOf(f.Code, l.Line)); s != "" && (l.Cell == -1 || l.Cell == f.Cell ||
		l.Cell == 0) {
		if name := strings.TrimSpace(strings.Trim(s, "?")); strings.Contains(name, ".") {
			return fmt.Sprintf("%s is a line of the prompt: in a cell Shift-Tab behind %s shows what it is",
				quoted(f.Code, l.Line), name)
		}
		return fmt.Sprintf("%s is a line of the prompt: in a cell it is %%lab %s, or lab.Do(%q)",
			quoted(f.Code, l.Line), s, s)
	}
	switch {
	case noDeclaration.MatchString(text) && l.Cell > 0 && l.Cell != f.Cell:
		return text // its text is not known
	case noDeclaration.MatchString(text):
		return astray(f.Code, l.Line)
	case inFunction.MatchString(text) && funcBelow.MatchString(lineOf(f.Code, l.Line)) &&
		slices.ContainsFunc(strings.Split(f.Code, "\n")[:l.Line-1], isMain):
		return quoted(f.Code, l.Line) + " stands below %%, where statements stand: declare functions " +
			"above %%, or write name := func(…) {…}"
	case notStandard.MatchString(text):
		return notStandard.ReplaceAllString(text, "there is no package $1 in Go's library; that of a "+
			"module has a host in its path, as github.com/google/uuid")
	case strings.Contains(text, "import path must be a string"):
		return quoted(f.Code, l.Line) + ` is no Go; an import of Go is import "math", and lab ` +
			"needs none"
	case notUsed.MatchString(text):
		v := notUsed.FindStringSubmatch(text)[1]
		return fmt.Sprintf("%s; use it, or write _ = %s", text, v)
	case undefined.MatchString(text):
		v := undefined.FindStringSubmatch(text)[1]
		if m := ofLab.FindStringSubmatch(lineOf(f.Code, l.Line)); v == "lab" && m != nil {
			return noLab(m[1]) // the import goes with a name that lab does not have
		}
		if slices.Contains(k.runs(), v) {
			return fmt.Sprintf("%s; variables end with their cell, the run goes on: %s := lab.Get(%q)",
				text, v, v)
		}
		if s := ofPackage(v, lineOf(f.Code, l.Line)); s != "" {
			return s
		}
		if s := unknownPackage(v, lineOf(f.Code, l.Line)); s != "" {
			return text + s
		}
		return text + "; variables end with their cell, functions, types and runs stay"
	case undefinedIn.MatchString(text):
		m := undefinedIn.FindStringSubmatch(text)
		if m[1] == "lab" {
			return noLab(m[2])
		}
		if s := unknownName(m[1], m[2]); s != "" {
			return s
		}
	case noList.MatchString(text):
		return text + listIn(noList.FindStringSubmatch(text)[1])
	case noOption.MatchString(text):
		return text + option(noOption.FindStringSubmatch(text)[1])
	case noMember.MatchString(text):
		m := noMember.FindStringSubmatch(text)
		return text + unknownMember(m[1], m[2], f.Code)
	}
	return text
}

// option names the option of lab that an argument which is none is probably meant for.
func option(arg string) string {
	switch {
	case strings.HasPrefix(arg, `"`):
		return "; parameters stand in lab.With(" + arg + ", 1), options are lab.Seed(1), " +
			"lab.Preset(\"paper\") and others"
	case arg != "" && arg[0] >= '0' && arg[0] <= '9':
		return "; a seed is lab.Seed(" + arg + "), a parameter lab.With(\"name\", " + arg + ")"
	}
	return ""
}

// noLab says that package lab has no such name.
func noLab(name string) string {
	var names []string
	for _, n := range labNames("") {
		names = append(names, n.name)
	}
	return "undefined: lab." + name + meant(name, names)
}

// ofPackage says of a line that uses a name of a package of Go's library which the package does not
// have, for its name is then told as unknown; empty where all are known.
func ofPackage(pkg, line string) string {
	for _, m := range regexp.MustCompile(`\b`+pkg+`\.([A-Z]\w*)`).FindAllStringSubmatch(line, -1) {
		if s := unknownName(pkg, m[1]); s != "" {
			return s
		}
	}
	return ""
}

// plainly returns the message about a cell as a whole.
func plainly(text string) string {
	if strings.Contains(text, "found 'EOF'") {
		return "something is still open where the cell ends: a } or a ) is missing"
	}
	return text
}

var assigned = regexp.MustCompile(`^(\w+)\s*:=\s*(.{1,30})$`)

// astray says of a statement that stands outside of functions where it belongs.
func astray(code string, line int) string {
	statement := quoted(code, line)
	at := surplus(code)
	switch {
	case at == line && statement == "}":
		return "} is one too many: nothing is open above it"
	case at == line:
		return statement + ": a } is one too many here"
	}
	lines := strings.Split(code, "\n")
	switch first := slices.IndexFunc(lines, isMain) + 1; {
	case first == 0:
		return statement + " stands outside of a function: write %% as the first line of the cell, " +
			"statements stand below it"
	case line > first && at > 0:
		return fmt.Sprintf("%s stands outside of a function: the } of line %d is one too many",
			statement, at)
	case line > first:
		return statement + " stands outside of a function: a } above it is one too many"
	}
	s := statement + " stands above %%, where only imports, types, functions, var and const stand: " +
		"move it below"
	if m := assigned.FindStringSubmatch(strings.TrimSpace(lineOf(code, line))); m != nil &&
		!strings.HasSuffix(m[2], "{") {
		s += ", or write var " + m[1] + " = " + m[2]
	}
	return s
}

// surplus is the line of the first } of a cell that closes nothing; 0: there is none.
func surplus(code string) int {
	lines := strings.Split(code, "\n")
	for i, l := range lines {
		if t := strings.TrimSpace(l); strings.HasPrefix(t, "%") || strings.HasPrefix(t, "!") {
			lines[i] = ""
		}
	}
	src := []byte(strings.Join(lines, "\n"))
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src))
	s.Init(file, src, func(token.Position, string) {}, 0)
	for open := 0; ; {
		p, kind, _ := s.Scan()
		switch kind {
		case token.EOF:
			return 0
		case token.LBRACE:
			open++
		case token.RBRACE:
			if open--; open < 0 {
				return file.Line(p)
			}
		}
	}
}

// promptLine is a line that was typed as at the prompt; empty for another.
func promptLine(line string) string {
	line = strings.TrimSpace(line)
	if _, err := parser.ParseExpr(line); err == nil || !words.IsCommand(line) {
		return ""
	}
	return line
}

// lineOf is a line of a cell, from 1 on.
func lineOf(code string, line int) string {
	lines := strings.Split(code, "\n")
	if line < 1 || line > len(lines) {
		return ""
	}
	return lines[line-1]
}

// quoted is a line of a cell, shortened.
func quoted(code string, line int) string {
	s := strings.TrimSpace(lineOf(code, line))
	if s == "" {
		return "a statement"
	}
	if r := []rune(s); len(r) > 40 {
		s = string(r[:39]) + "…"
	}
	return s
}

// runs are the names of the runs that are open.
func (k *Kernel) runs() []string {
	var r reply.RunsReply
	k.ask("runs", wire.RunsRequest{}, &r)
	out := make([]string, len(r.Runs))
	for i, s := range r.Runs {
		out[i] = s.Run
	}
	return out
}

var (
	around = regexp.MustCompile(
		`^(?:failed to run "[^"]*": |parsing go files in TempDir "[^"]*": |executing special ` +
			`commands in cell: )+`)
	ofMain  = regexp.MustCompile(`(?:\S*/)?\bmain(?:_test)?\.go:(\d+)(?::\d+)?:? ?`)
	aFolder = regexp.MustCompile(`\S*/gonb_[0-9a-f]+/?`)
	andMore = regexp.MustCompile(` \(and \d+ more errors?\)$`)
	colours = regexp.MustCompile("\x1b\\[[0-9;]*m")
)

// oneLine is the first line of an error that says something, without the paths of GoNB's
// temporary files and without colours.
func oneLine(text string) string {
	for s := range strings.Lines(colours.ReplaceAllString(text, "")) {
		s = around.ReplaceAllString(strings.TrimSpace(s), "")
		s = andMore.ReplaceAllString(strings.TrimSpace(aFolder.ReplaceAllString(ofMain.ReplaceAllString(s,
			""), "")), "")
		if s != "" && !strings.HasPrefix(s, "# ") && s != "^C" {
			return s
		}
	}
	return "the cell failed, and does not say why"
}

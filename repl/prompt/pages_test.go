package prompt

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"metalab/kernel/words"
)

// The pages of the documentation are README.md, those of folders, and the guide. Their blocks of
// code are executed, page by page, each page in one session and in one empty folder:
//
//	lab          lines of the prompt
//	go           Go at the prompt
//	go cell      a cell of a notebook: %lab before lines of the prompt, %% above statements
//	go program   a program of a module that has metalab; it is run by itself
//	sh           lines of a shell, before the session where no block of the prompt stands above,
//	             else after it; "go run ./repl" is this repl
//	text         lines that the blocks above print; … stands for what differs each time
//	python       is compiled, and run where python3 has what it imports
//
// Words behind these say more: file=NAME writes the block into a file first; long runs it only with
// METALAB_LONG; data only with METALAB_DATA; gpu on a GPU alone (.ci/gpu); "not run: WHY" never.
// Lines of the prompt are parsed in any case, and those of a shell by bash -n.
type block struct {
	lang, text string
	words      []string // behind lang
	why        string   // why it is not run
	at         int      // the line of its first line
}

func (b block) has(word string) bool { return slices.Contains(b.words, word) }

// file is the name of the file that the block is written to.
func (b block) file() string {
	for _, w := range b.words {
		if name, ok := strings.CutPrefix(w, "file="); ok {
			return name
		}
	}
	return ""
}

// runs says whether the block is executed here.
func (b block) runs() bool {
	return b.why == "" && !b.has("gpu") &&
		(!b.has("long") || os.Getenv("METALAB_LONG") != "") &&
		(!b.has("data") || os.Getenv("METALAB_DATA") != "")
}

// prompt is what the block has to be typed at the prompt; "" where it is none of it.
func (b block) prompt() string {
	switch {
	case b.lang == "lab", b.lang == "go" && len(b.words) == 0, b.lang == "go" && b.has("long"):
		return b.text
	case b.lang == "go" && b.has("cell"):
		lines := strings.Split(b.text, "\n")
		for i, l := range lines {
			lines[i] = strings.TrimPrefix(l, "%lab ")
			if l == "%%" {
				lines[i] = ""
			}
		}
		return strings.Join(lines, "\n")
	}
	return ""
}

// documented are the paths of the pages.
func documented(t *testing.T) (paths []string) {
	t.Helper()
	for _, pattern := range []string{
		"../../README.md", "../../*/README.md", "../../solvers/experiment/README.md",
		"../../solvers/bench/README.md", "../../notebooks/index.md", "../../notebooks/guide/*.md",
	} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("no page is %s: %v", pattern, err)
		}
		paths = append(paths, found...)
	}
	return paths
}

// readPage is the text of a page and its blocks.
func readPage(t *testing.T, path string) (text string, blocks []block) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var b *block
	for i, line := range strings.Split(string(raw), "\n") {
		info, fence := strings.CutPrefix(strings.TrimLeft(line, " "), "```")
		switch {
		case fence && b == nil:
			info, why, _ := strings.Cut(info, "not run: ")
			f := strings.Fields(info)
			if len(f) == 0 {
				t.Fatalf("%s:%d: the block does not say what it is", path, i+1)
			}
			b = &block{lang: f[0], words: f[1:], why: why, at: i + 2}
		case fence:
			blocks, b = append(blocks, *b), nil
		case b != nil:
			b.text += line + "\n"
		}
	}
	if b != nil {
		t.Fatalf("%s:%d: the block has no end", path, b.at)
	}
	return string(raw), blocks
}

var named = regexp.MustCompile(`^(?:open|fork|load|solve|experiment|tune) .* as (\w+)`)

// Who types every line of a page in order opens no name twice, and none that is not known.
func TestPagesInOrder(t *testing.T) {
	t.Parallel()
	lines := 0
	for _, path := range documented(t) {
		_, blocks := readPage(t, path)
		scope := words.Scope{Runs: []string{}, Dir: "/"}
		for _, b := range blocks {
			if b.lang != "lab" {
				continue
			}
			for i, line := range strings.Split(b.text, "\n") {
				for _, l := range words.Lines(line) {
					one := line[l.From:l.To]
					if one == "watch off" { // read before all other commands
						continue
					}
					lines++
					known(t, fmt.Sprintf("%s:%d: %s", path, b.at+i, one), one, &scope)
				}
			}
		}
	}
	if lines < 100 {
		t.Errorf("the pages have %d lines for the prompt", lines)
	}
}

var (
	experimented = regexp.MustCompile(`^(?:experiment (\w+) .*solvers=|tune .* as (\w+))`)
	saved        = regexp.MustCompile(`^(?:save \w+|export \S+|.* to) ([\w.-]+\.\w+)\b`)
)

// made are the names of experiments and of files that the lines of a block make, for a reader who
// types them in one folder, where those of other pages are.
func (b block) made() (names []string) {
	if b.file() != "" {
		names = append(names, b.file())
	}
	text := b.prompt()
	if b.lang == "sh" {
		text = strings.ReplaceAll(b.text, "'", "\n")
	}
	for _, line := range strings.Split(text, "\n") {
		for _, l := range words.Lines(line) {
			one := line[l.From:l.To]
			if m := experimented.FindStringSubmatch(one); m != nil {
				names = append(names, "experiment "+m[1]+m[2])
			}
			if m := saved.FindStringSubmatch(one); m != nil {
				names = append(names, m[1])
			}
		}
	}
	return names
}

// No two pages give one name to their experiments or files: who types the lines of both in one
// folder would meet what the first has left.
func TestPagesNames(t *testing.T) {
	t.Parallel()
	of := map[string]string{}
	for _, path := range documented(t) {
		_, blocks := readPage(t, path)
		for _, b := range blocks {
			for _, name := range b.made() {
				if other := of[name]; other != "" && other != path {
					t.Errorf("%s:%d: %s has %s, too", path, b.at, other, name)
				}
				of[name] = path
			}
		}
	}
	for _, name := range []string{
		"experiment fair", "experiment tuned", "a.run", "plain.run", "fair.svg",
	} {
		if of[name] == "" {
			t.Errorf("no page makes %s, which was there", name)
		}
	}
	t.Logf("%d names", len(of))
}

// known parses a line, and looks whether its runs are there.
func known(t *testing.T, where, line string, scope *words.Scope) {
	t.Helper()
	if _, err := words.Parse(line, *scope); err != nil {
		t.Errorf("%s: %v", where, err)
	}
	if m := named.FindStringSubmatch(line); m != nil {
		if slices.Contains(scope.Runs, m[1]) {
			t.Errorf("%s: there is a run %s already", where, m[1])
		}
		scope.Runs = append(scope.Runs, m[1])
	}
	run := strings.Fields(line)
	if len(run) > 1 && slices.Contains([]string{
		"step", "go", "set", "plot", "fork", "save", "waves", "pause",
	}, run[0]) && run[1] != "all" && !slices.Contains(scope.Runs, run[1]) {
		t.Errorf("%s: there is no run %s", where, run[1])
	}
}

// What pages show is what is there: each page is typed from its first line to its last.
func TestPages(t *testing.T) {
	if testing.Short() {
		t.Skip("it types all pages, which takes a minute of a core")
	}
	t.Parallel()
	for _, path := range documented(t) {
		_, blocks := readPage(t, path)
		t.Run(strings.TrimPrefix(path, "../../"), func(t *testing.T) {
			t.Parallel()
			typePage(t, path, blocks)
		})
	}
}

// typePage executes the blocks of a page.
func typePage(t *testing.T, path string, blocks []block) {
	t.Helper()
	dir := shortDir(t)
	var script, before, after strings.Builder
	for _, b := range blocks {
		where := fmt.Sprintf("%s:%d", path, b.at)
		if name := b.file(); name != "" {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(b.text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		switch {
		case b.lang == "sh" && b.runs():
			checkShell(t, where, b.text)
			if script.Len() == 0 {
				before.WriteString(b.text)
			} else {
				after.WriteString(b.text)
			}
		case b.lang == "sh":
			checkShell(t, where, b.text)
		case b.runs():
			script.WriteString(b.prompt())
		}
	}
	out := runShell(t, dir, before.String())
	if script.Len() > 0 {
		lines := script.String()
		if path == "../../README.md" { // .ci/first types the lines as they are
			lines = strings.ReplaceAll(lines, "E1k.0", "rand-100-1")
		}
		if err := os.WriteFile(filepath.Join(dir, "page.lab"), []byte(lines), 0o600); err != nil {
			t.Fatal(err)
		}
		said, errs, code := repl(t, dir, "", nil, "page.lab")
		if code != 0 {
			said = said[max(0, len(said)-2000):]
			t.Errorf("%s: its lines end with status %d: %s\n%s", path, code, errs, said)
		}
		out += said
	}
	out += runShell(t, dir, after.String())
	kept(t, dir, strings.TrimSuffix(path, ".md"))
	for i, b := range blocks {
		if b.lang == "go" && b.has("program") && b.why == "" {
			out += "\n" + runProgram(t, b)
		}
		if b.lang == "python" && b.why == "" {
			out += "\n" + runPython(t, dir, path, b)
		}
		if b.lang == "text" && b.why == "" && b.file() == "" && i > 0 && blocks[i-1].runs() {
			printed(t, fmt.Sprintf("%s:%d", path, b.at), b.text, out)
		}
	}
}

// kept compares the pictures that a page keeps in a folder of its name with those that were made.
func kept(t *testing.T, made, folder string) {
	t.Helper()
	pictures, err := filepath.Glob(filepath.Join(folder, "*.svg"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range pictures {
		want, err := os.ReadFile(filepath.Join(made, filepath.Base(path)))
		if err != nil {
			t.Errorf("the page does not make %s: %v", path, err)
			continue
		}
		have, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(have, want) {
			continue
		}
		if os.Getenv("METALAB_PICTURES") == "" {
			t.Errorf("%s is not what its lines make; METALAB_PICTURES=1 makes it anew", path)
		} else if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

var ofProgram = regexp.MustCompile(`\bgo run \./repl\b`)

// checkShell looks whether a shell understands lines.
func checkShell(t *testing.T, where, lines string) {
	t.Helper()
	cmd := exec.Command("bash", "-n")
	cmd.Stdin = strings.NewReader(lines)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s: %v: %s", where, err, out)
	}
	for _, m := range regexp.MustCompile(`go run (\./\S+)`).FindAllStringSubmatch(lines, -1) {
		if _, err := os.Stat(filepath.Join("../..", m[1])); err != nil {
			t.Errorf("%s: there is no program %s", where, m[1])
		}
	}
}

// runShell has a shell run lines in a folder.
func runShell(t *testing.T, dir, lines string) string {
	t.Helper()
	if lines == "" {
		return ""
	}
	self, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bash", "-e", "-o", "pipefail", "-c", ofProgram.ReplaceAllString(lines, self))
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), envRepl+"=1", "METALAB_STATE="+shortDir(t),
		"XDG_RUNTIME_DIR="+shortDir(t))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v:\n%s\n%s", err, lines, out)
	}
	return string(out)
}

// runProgram runs a program of a module that has metalab.
func runProgram(t *testing.T, b block) string {
	t.Helper()
	main := filepath.Join(shortDir(t), "main.go")
	if err := os.WriteFile(main, []byte(b.text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", main)
	cmd.Dir = "../.."
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("the program of line %d: %v: %s", b.at, err, out)
	}
	return string(out)
}

// runPython compiles lines, and runs them where what they import is there.
func runPython(t *testing.T, dir, path string, b block) string {
	t.Helper()
	py, err := exec.LookPath("python3")
	if err != nil {
		return ""
	}
	file := filepath.Join(dir, "block.py")
	if err := os.WriteFile(file, []byte(b.text), 0o600); err != nil {
		t.Fatal(err)
	}
	check := exec.Command(py, "-c", "import ast,sys; ast.parse(open(sys.argv[1]).read())", file)
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("%s:%d: %s", path, b.at, out)
	}
	cmd := exec.Command(py, file)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil && !strings.Contains(string(out), "ModuleNotFoundError") {
		t.Errorf("%s:%d: %v: %s", path, b.at, err, out)
	}
	return string(out)
}

// printed looks for the lines of a block among those that were printed, in their order.
func printed(t *testing.T, where, text, out string) {
	t.Helper()
	have := strings.Split(out, "\n")
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		parts := strings.Split(strings.Join(strings.Fields(line), " "), "…")
		for i, p := range parts {
			parts[i] = regexp.QuoteMeta(p)
		}
		want := regexp.MustCompile("^" + strings.Join(parts, ".*") + "$")
		at := slices.IndexFunc(have, func(l string) bool {
			return want.MatchString(strings.Join(strings.Fields(l), " "))
		})
		if at < 0 {
			t.Errorf("%s: no line is printed as %q:\n%s", where, line, out)
			return
		}
		have = have[at+1:]
	}
}

// The first five minutes end as a script and through a pipe, too, though their run goes on while it
// is watched.
func TestFiveMinutes(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, five, _ := strings.Cut(string(text), "## The first five minutes")
	_, five, _ = strings.Cut(five, "```lab\n")
	five, _, _ = strings.Cut(five, "```")
	for _, line := range []string{"go a\n", "watch a\n", "watch off\n", "replay a.run\n"} {
		if !strings.Contains(five, line) {
			t.Fatalf("the first five minutes have no line %q", line)
		}
	}
	five = strings.ReplaceAll(five, "E1k.0", "rand-60-1") // quicker
	for stdin, args := range map[string][]string{"": {"five.lab"}, five: {"-json"}} {
		dir := shortDir(t) // the record of another run is not replaced
		if err := os.WriteFile(dir+"/five.lab", []byte(five), 0o600); err != nil {
			t.Fatal(err)
		}
		out, errs, code := repl(t, dir, stdin, nil, args...)
		if code != 0 || !strings.Contains(out, "identical") {
			t.Errorf("repl %v ends with %d: %s\n%s", args, code, errs, out)
		}
	}
}

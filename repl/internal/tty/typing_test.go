package tty_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const (
	ctrlC, ctrlD, ctrlG, ctrlR, ctrlU, ctrlZ = "\x03", "\x04", "\x07", "\x12", "\x15", "\x1a"
	up, down, right, left                    = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
	backTab                                  = "\x1b[Z"
)

func TestTypedFast(t *testing.T) {
	t.Parallel()
	s := start(t, setup{})
	s.want("lab> ")
	s.send("hello world\rsecond\rthird\r") // one write, as ssh and tmux do
	s.want(`got "hello world"`)
	s.want(`got "second"`)
	s.want(`got "third"`)
	s.wantCursor("lab> ", "")
	if n := strings.Count(s.text(), "lab> third"); n != 1 {
		t.Errorf("the third line is echoed %d times:\n%s", n, s.text())
	}
}

func TestTypedByteByByte(t *testing.T) {
	t.Parallel()
	s := start(t, setup{mode: "status"})
	s.want("lab> ")
	line := "set a q0=0.98 local_period=4"
	for i := range len(line) {
		s.send(line[i : i+1])
		time.Sleep(3 * time.Millisecond) // faster than the library's sleeps
	}
	s.wantCursor("lab> "+line, "")
	s.send("\r")
	s.want(fmt.Sprintf("got %q", line))
}

func TestEditing(t *testing.T) {
	t.Parallel()
	s := start(t, setup{})
	s.want("lab> ")
	s.send("12 45 78")
	s.send("\x1b[D\x1b[D\x1b[D3") // an arrow three times
	s.wantCursor("lab> 12 453", " 78")
	s.send("\x01x\x1b[1;5C\x1b[3~") // Home, x, Ctrl-Right, Delete
	s.wantCursor("lab> x12", "453 78")
	s.send("\x05\x17\x7f") // End, cut a word, Backspace
	s.wantCursor("lab> x12453", "")
	s.send("\x19\r") // paste what was cut
	s.want(`got "x1245378"`)
	s.send("é日") // vt10x gives a wide character one cell; the bytes matter here
	s.send("\r")
	s.want(`got "é日"`)
	// unknown keys, replies of a terminal
	s.send("\x1b[17~\x1b[200;7;9Q\x1b]11;rgb:00/00\x07\x1b_Gi=1;OK\x1b\\ok\r")
	s.want(`got "ok"`)
}

func TestPaste(t *testing.T) {
	t.Parallel()
	s := start(t, setup{})
	s.want("lab> ")
	s.send("before ")
	s.wantCursor("lab> before ", "")
	s.send("\x1b[200~one\r\n\ttwo\nfor {\n  x\n}\nlast\x1b[201~")
	s.want(`got "before one"`)
	s.want(`got "    two"`)
	s.want(`got "for {\n  x\n}"`)
	s.wantCursor("lab> last", "")
	s.send(" edited\r")
	s.want(`got "last edited"`)
}

// Tabs of code that a terminal pastes without brackets are its indentation.
func TestPasteWithoutBrackets(t *testing.T) {
	t.Parallel()
	s := start(t, setup{})
	s.want("lab> ")
	s.send("\tfor {\r\tpa {\r\t\tpl\r\t}\r}\r")
	s.want(`got "for {\n    pa {\n        pl\n    }\n}"`)
	s.send("{\r")
	s.wantCursor("...> ", "")
	s.send("\t")
	s.wantCursor("...>     ", "")
	s.wantNot("makes iterations")
	s.send("}\r")
	s.want(`got "{\n    }"`)
}

func TestPasteOfManyLines(t *testing.T) {
	t.Parallel()
	s := start(t, setup{})
	s.want("lab> ")
	var b strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	s.send("\x1b[200~" + b.String() + "\x1b[201~")
	s.want(`got "line 1999"`)
	s.wantCursor("lab> ", "")
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range 2000 {
		if !strings.Contains(string(s.raw), fmt.Sprintf("got \"line %d\"", i)) {
			t.Fatalf("line %d is lost", i)
		}
	}
}

func TestMultiLine(t *testing.T) {
	t.Parallel()
	s := start(t, setup{history: filepath.Join(t.TempDir(), "h")})
	s.want("lab> ")
	s.send("for {\r")
	s.wantCursor("...> ", "")
	s.send("  {}\r}\r")
	s.want(`got "for {\n  {}\n}"`)
	s.send(up) // the whole input in one line
	s.wantCursor("lab> for {↵  {}↵}", "")
	s.send("\x7f\x7f\x7f+}}\r")
	s.want(`got "for {\n  {+}}"`)
	s.send("{\r")
	s.wantCursor("...> ", "") // never mind
	s.send(ctrlC)
	s.send("a\x1b\rb\r") // Alt-Enter
	s.want(`got "a\nb"`)
}

func TestCompletion(t *testing.T) {
	t.Parallel()
	s := start(t, setup{mode: "status"})
	s.want("lab> ")
	s.send("0.98 3e5 -1 .5")
	s.wantCursor("lab> 0.98 3e5 -1 .5", "")
	s.send(ctrlU + "p")
	s.want("lists the parameters") // while typing
	s.wantCursor("lab> p", "")
	s.send("a\t\t") // as far as they agree is what is typed: the first, the second
	s.wantCursor("lab> pause ", "")
	s.send("\t") // what was typed
	s.wantCursor("lab> pa", "")
	s.send(backTab)
	s.wantCursor("lab> pause ", "")
	s.send("\r") // not swallowed
	s.want(`got "pause "`)
	s.wantNot("lists the parameters")

	s.send("pl\t")
	s.wantCursor("lab> plot ", "")
	s.wantNot("draws a figure")
	s.send("a tour\r")
	s.want(`got "plot a tour"`)

	s.send("pa") // the list is open; Enter enters what is typed
	s.want("lists the parameters")
	s.send("\r")
	s.want(`got "pa"`)

	s.send("\t") // on an empty line all of them, none chosen
	s.want("makes iterations")
	s.wantCursor("lab> ", "")
	s.send("\t" + down)
	s.wantCursor("lab> params ", "")
	s.send("\x1b")
	s.wantCursor("lab> ", "")
	s.wantNot("makes iterations")
}

package tty_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestHistoryAcrossRestarts(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "state", "history")
	s := start(t, setup{history: file})
	s.want("lab> ")
	s.send("one\rtwo\rtwo\r   \rf {\r \\n }\r")
	s.want(`got "f {\n \\n }"`)
	s.kill(syscall.SIGKILL) // nothing waits for the end
	s.exit()

	st, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if st.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, want 0600", st.Mode())
	}
	s = start(t, setup{history: file})
	s.want("lab> ")
	s.send("typed" + up)
	s.wantCursor(`lab> f {↵ \n }`, "")
	s.send(up)
	s.wantCursor("lab> two", "")
	s.send(up)
	s.wantCursor("lab> one", "")
	s.send(up)
	s.send(down + down + down)
	s.wantCursor("lab> typed", "")
}

func TestSearch(t *testing.T) {
	t.Parallel()
	s := start(t, setup{mode: "status"})
	s.want("lab> ")
	s.send("open acs pr1002\rstep a 100\rstep a 200\rset a q0=0.98\r")
	s.want(`got "set a q0=0.98"`)
	s.send("mine")
	s.wantCursor("lab> mine", "")
	s.send(ctrlR + "\x7f\x7f\x7f\x7f")
	s.wantCursor("history: ", "")
	s.send("step")
	s.wantCursor("history: step", "")
	s.want(" step a 200")
	s.send(ctrlR + "\r") // the older one; Enter takes it into the line
	s.wantCursor("lab> step a 100", "")
	s.send("0\r")
	s.want(`got "step a 1000"`)
	s.wantCursor("lab> ", "") // in the mode of a command ^R is the terminal's

	s.send("mine" + ctrlR)
	s.wantCursor("history: mine", "")
	s.send(ctrlG)
	s.wantCursor("lab> mine", "")
	s.send(ctrlR + "zzz")
	s.wantCursor("history: minezzz", "")
	s.send("\x1b") // Escape alone
	s.wantCursor("lab> mine", "")
	s.send(ctrlR + ctrlC)
	s.want("dropped")
	s.wantCursor("lab> ", "")
	s.send(ctrlR + "ACS op\r\r") // words in any order, any case; the second Enter runs it
	s.until("open twice", func(text string) bool {
		return strings.Count(text, `got "open acs pr1002"`) == 2
	})
}

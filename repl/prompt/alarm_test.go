package prompt

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"

	"metalab/solvers/conform"
)

// A script is told that its run is not autosaved while that is so: here no file may become longer
// than a few kilobytes, as on a full disk.
func TestScriptHearsOfAFullDisk(t *testing.T) {
	conform.Brief(t, "runs until a record is too long")
	t.Parallel()
	dir := shortDir(t)
	cmd := exec.Command("sh", "-c", `trap "" XFSZ; ulimit -f 8; exec "$0"`, os.Args[0])
	cmd.Env = append(os.Environ(), envRepl+"=1", "METALAB_STATE="+dir, "XDG_RUNTIME_DIR="+dir)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write([]byte("open as rand-200-1 as a; step a 200\n")); err != nil {
		t.Fatal(err)
	}
	var said []string
	for lines := bufio.NewScanner(errs); lines.Scan(); {
		said = append(said, lines.Text())
		in.Close() // the script ends when it was told
	}
	_ = cmd.Wait() // the end of its host may fail
	if len(said) != 1 || !strings.HasPrefix(said[0], "repl: a is not autosaved: write ") ||
		!strings.Contains(said[0], "the last whole autosave is of ") {
		t.Errorf("the script is told %q", said)
	}
}

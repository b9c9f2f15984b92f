package agents_test

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// command is the command mcp with these words, in a process of its own.
func command(t *testing.T, words ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, words...)
	cmd.Env = append(os.Environ(), envMCP+"=1", "METALAB_STATE="+folder(t))
	return cmd
}

// The command speaks over its standard input and output. JSON that is nested too deep, and what is
// no JSON, end the agent's session and nothing else.
func TestCommand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := mcp.NewClient(&mcp.Implementation{Name: "tuner", Version: "1"}, nil)
	cmd := command(t, "-dir", dir, "-name", "lab rat", "-iterations", "100")
	s, err := c.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := &agent{T: t, ClientSession: s, dir: dir}
	a.do("open", args{"solver": "acs", "instance": "rand-40-1", "as": "a"})
	a.do("step", args{"run": "a", "n": 10})
	a.do("set", args{"run": "a", "params": args{"q0": 0.5}})
	a.do("step", args{"run": "a", "n": 10})
	if j := a.do("journal", args{"run": "a"}); !strings.Contains(j, "agent lab-rat") {
		t.Errorf("the journal does not name the agent: %s", j)
	}
	a.do("save", args{"run": "a"})
	if got := a.do("replay", args{"path": "a.run"}); !strings.Contains(got, "identical") {
		t.Errorf("the agent's record replays so: %s", got)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}

	for _, in := range []string{
		strings.Repeat("[", 1<<20) + "\n", "{\"jsonrpc\":\n", "nonsense\n",
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + strings.Repeat(`{"a":`, 5000) + "1" +
			strings.Repeat("}", 5000) + "}\n",
		`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 20<<20) + "\"}\n",
	} {
		cmd := command(t)
		cmd.Stdin = strings.NewReader(in)
		out, err := cmd.CombinedOutput()
		if bytes.Contains(out, []byte("goroutine ")) || len(out) > 64<<10 {
			t.Errorf("%.30q: %v, %d bytes: %.500s", in, err, len(out), out)
		}
	}
	for _, words := range [][]string{
		{"-iterations", "-1"},
		{"-cpu", "NaN"},
		{"-cpu", "-1"},
		{"-dir", "/"},
		{"-dir", "/nowhere"},
		{"more"},
		{"-nothing"},
	} {
		out, err := command(t, words...).CombinedOutput()
		if err == nil || !bytes.HasPrefix(out, []byte("mcp: ")) {
			t.Errorf("mcp %v: %v %s", words, err, out)
		}
	}
	out, err := command(t, "-h").Output()
	if err != nil || !bytes.Contains(out, []byte("-iterations N")) {
		t.Errorf("mcp -h: %v %s", err, out)
	}
}

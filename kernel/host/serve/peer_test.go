package serve_test

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/wire"
)

// envForeign makes a process of the tests one that asks the host at this socket who it is.
const envForeign = "METALAB_TEST_FOREIGN"

// askAsForeigner asks without wire, whose own checks come before.
func askAsForeigner(path string) {
	c, err := net.Dial("unix", path)
	if err != nil {
		fmt.Println("connect:", err)
		return
	}
	defer c.Close()
	_, err = fmt.Fprintf(c, "GET /v1/hello HTTP/1.1\r\nHost: metalab\r\n%s: %d\r\n\r\n",
		wire.HeaderProtocol, wire.Protocol)
	line, rerr := bufio.NewReader(c).ReadString('\n')
	fmt.Printf("answer: %q %v\n", line, errors.Join(err, rerr))
}

// A host answers processes of its own user alone, whatever the modes of folder and socket are. Only
// root can try that.
func TestForeignClient(t *testing.T) { // not parallel: goroutines of others may fork with its pipes
	if path := os.Getenv(envForeign); path != "" {
		askAsForeigner(path)
		os.Exit(0)
	}
	if os.Getuid() != 0 {
		t.Skip("only root can be another user")
	}
	l := start(t, hosttest.Options(t))
	for dir := filepath.Dir(l.O.Socket); dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(l.O.Socket, 0o666); err != nil {
		t.Fatal(err)
	}
	ask := func(uid uint32) string {
		t.Helper()
		cmd := exec.Command("/proc/self/exe", "-test.run=^TestForeignClient$")
		cmd.Env = append(os.Environ(), envForeign+"="+l.O.Socket)
		cmd.Dir = "/"
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
		out, err := cmd.CombinedOutput()
		if errors.Is(err, os.ErrPermission) {
			t.Skip("no process of another user here:", err)
		}
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out)
	}
	if got := ask(0); !strings.HasPrefix(got, `answer: "HTTP/1.1 200 OK`) {
		t.Fatalf("the user's own process: %s", got)
	}
	got := ask(4321)
	if strings.Contains(got, "permission denied") {
		t.Skipf("other users cannot enter %s", os.TempDir())
	}
	if !strings.HasPrefix(got, `answer: "" `) {
		t.Errorf("a process of user 4321: %s", got)
	}
	l.Do("about") // and it goes on
}

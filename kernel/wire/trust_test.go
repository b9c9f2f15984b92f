package wire_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// A client asks nothing in a folder that somebody else could have made.
func TestForeignFolder(t *testing.T) {
	hello := "keep HTTP/1.1 200 OK\r\nContent-Length: " +
		"40\r\n\r\n{\"protocol\":1,\"session\":\"p\",\"pid\":1234}  "
	path := peer(t, hello)
	dir := filepath.Dir(path)
	refused := func(what, want string) {
		t.Helper()
		if _, err := wire.Dial(t.Context(), path, ""); wire.CodeOf(err) != wire.CodeHost ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %q", what, err, want)
		}
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	refused("a folder that others may enter", "has mode 0755, want 0700")
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() == 0 {
		if err := os.Chown(dir, 4321, -1); err != nil {
			t.Fatal(err)
		}
		refused("another user's folder", "belongs to user 4321, want 0")
		t.Setenv("XDG_RUNTIME_DIR", dir)
		if err := os.Symlink(dir, filepath.Join(dir, "metalab")); err != nil {
			t.Fatal(err)
		}
		if _, err := wire.FindSession(t.Context(), "p"); err == nil ||
			!strings.Contains(err.Error(), "is no folder") {
			t.Errorf("a link in place of the folder: %v", err)
		}
		if err := os.Chown(dir, 0, -1); err != nil {
			t.Fatal(err)
		}
	}
	c, err := wire.Dial(t.Context(), path, "")
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
}

// A client says nothing to a process of another user, although the folder is its own. Only
// root can try that.
func TestForeignPeer(t *testing.T) {
	if os.Getenv("METALAB_TEST_PEER") != "" {
		if err := syscall.Listen(3, 4); err != nil { // from now on the socket is this process's
			t.Fatal(err)
		}
		os.NewFile(4, "ready").Close()
		time.Sleep(time.Hour) // it is killed
	}
	if os.Getuid() != 0 {
		t.Skip("only root can be another user")
	}
	dir, err := os.MkdirTemp("", "ml")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	path := dir + "/p.sock"
	if err := syscall.Bind(fd, &syscall.SockaddrUnix{Name: path}); err != nil {
		t.Fatal(err)
	}
	ready, other, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/proc/self/exe", "-test.run=^TestForeignPeer$")
	cmd.Env = append(os.Environ(), "METALAB_TEST_PEER=1")
	cmd.ExtraFiles = []*os.File{os.NewFile(uintptr(fd), path), other}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 4321, Gid: 4321}}
	if err := cmd.Start(); err != nil {
		t.Skip("no process of another user here:", err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	other.Close()
	_, _ = ready.Read(make([]byte, 1)) // until the other end is closed
	if _, err := wire.Dial(t.Context(), path, ""); wire.CodeOf(err) != wire.CodeHost ||
		!strings.Contains(err.Error(), "a process of user 4321 answers") {
		t.Errorf("a host of another user: %v", err)
	}
}

// What a false host sends as events, as warnings for a cell, as the head of an array and in place
// of HTTP cannot write to a terminal either.
func TestFalseHostIsTame(t *testing.T) {
	const bad = `\u001b]0;x\u0007\u009b`
	head := func(status, fields, s string) string {
		return "HTTP/1.1 " + status + "\r\n" + fields + "Content-Length: " + strconv.Itoa(len(s)) +
			"\r\n\r\n" + s
	}
	event := "id: 1\nevent: notice\ndata: {\"kind\":\"notice\",\"note\":\"" + bad + "\"," +
		"\"status\":{\"run\":\"" + bad + "\",\"state\":\"" + bad + "\"}}\n\n"
	texts := map[string]string{}
	dial := func(answers ...string) *wire.Client {
		t.Helper()
		first := strings.TrimPrefix(hello, "keep ") // and closed: events have a connection of their own
		c, err := wire.Dial(t.Context(), peer(t, append([]string{first}, answers...)...), wire.WhoCell)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		return c
	}
	for e, err := range dial(head("200 OK", "", event)).Events(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		texts["note"], texts["run"], texts["state"] = e.Note, e.Status.Run, e.Status.State
		break
	}
	for _, err := range dial(head("500 No", "", "\x1b]0;x\x07")).Events(t.Context(), 0) {
		if err == nil {
			t.Fatal("events that are refused: no error")
		}
		texts["events"] = err.Error()
		break
	}
	c := dial(head("200 OK", wire.HeaderAlarms+": [\""+bad+"\"]\r\n", "{}"))
	c.OnAlarm(func(s string) { texts["alarm"] = s })
	if err := c.Do(t.Context(), "runs", wire.RunsRequest{}, nil); err != nil {
		t.Fatal(err)
	}
	fails := func(name, answer string, ask func(c *wire.Client) error) {
		t.Helper()
		err := ask(dial(answer))
		if err == nil {
			t.Fatalf("%s: no error", name)
		}
		texts[name] = err.Error()
	}
	array := func(c *wire.Client) error {
		_, err := c.Array(t.Context(), "a", "tour")
		return err
	}
	runs := func(c *wire.Client) error { return c.Do(t.Context(), "runs", wire.RunsRequest{}, nil) }
	fails("type", head("200 OK", wire.HeaderType+": \x1b]0;x\x07\r\n"+wire.HeaderShape+": 1\r\n",
		"1234"), array)
	fails("shape", head("200 OK", wire.HeaderType+": int32\r\n"+wire.HeaderShape+": \x1b]0;x\x07\r\n",
		"1234"), array)
	fails("no HTTP", "\x1b]0;x\x07\r\n\r\n", runs)
	fails("length", "HTTP/1.1 200 OK\r\nContent-Length: \x1b]0;x\x07\r\n\r\n", runs)
	fails("code", head("404 No", "", `{"error":{"code":"`+bad+`","message":"`+bad+`"}}`), runs)
	if len(texts) < 10 {
		t.Errorf("only %d texts came", len(texts))
	}
	for name, s := range texts {
		if s == "" || s != reply.Printable(s) {
			t.Errorf("%s: %q", name, s)
		}
	}
}

// What a host answers cannot write to a terminal, in replies, errors and greetings.
func TestAnswersAreTame(t *testing.T) {
	const bad = `\u001b]0;x\u0007\u009b`
	body := func(status, s string) string {
		return "keep HTTP/1.1 " + status + "\r\nContent-Length: " + strconv.Itoa(len(s)) + "\r\n\r\n" + s
	}
	path := peer(t,
		body("200 OK", `{"protocol":1,"session":"`+bad+`","pid":1,"note":"`+bad+`"}`),
		body("200 OK", `{"verb":"dashboard","url":"http://`+bad+`","ends":"16:04"}`),
		body("404 Not Found", `{"error":{"code":"run","message":"no `+bad+`"}}`),
		body("500 No", "\x1b]0;x\x07"),
	)
	c, err := wire.Dial(t.Context(), path, "")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	texts := []string{c.Hello().Session, c.Hello().Note}
	raw, err := c.Raw(t.Context(), "dashboard", nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := wire.Decode("dashboard", raw)
	if err != nil {
		t.Fatal(err)
	}
	texts = append(texts, strings.ReplaceAll(r.String(), "\n", ""), string(raw))
	for range 2 {
		_, err := c.Raw(t.Context(), "show", wire.RunRequest{Run: "a"})
		if err == nil {
			t.Fatal("no error")
		}
		texts = append(texts, err.Error())
	}
	for i, s := range texts {
		if s != reply.Printable(s) || i < 5 && !strings.Contains(s, `\x1b]0;x`) {
			t.Errorf("text %d: %q", i, s)
		}
	}
}

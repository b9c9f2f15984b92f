package browser

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"
)

// A Firefox is one of the test's own, with one tab. It is talked to by WebDriver BiDi.
type Firefox struct {
	t    testing.TB
	conn net.Conn
	tab  string
	last int
}

var listens = regexp.MustCompile(`WebDriver BiDi listening on (ws://\S+)`)

// StartFirefox starts a Firefox that ends with the test, or skips the test when there is none.
func StartFirefox(t testing.TB) *Firefox {
	t.Helper()
	path := ""
	for _, n := range [...]string{"firefox", "firefox-esr"} {
		if p, err := exec.LookPath(n); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		t.Skip("no Firefox on PATH")
	}
	profile, err := os.MkdirTemp("", "metalab-firefox-")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--headless", "--no-remote", "--profile", profile,
		"--remote-debugging-port=0")
	var log lockedBuffer
	cmd.Stdout, cmd.Stderr = &log, &log
	cmd.Env = append(os.Environ(), "TMPDIR="+profile, "HOME="+profile)
	ended, stop, err := begin(cmd, profile)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	f := &Firefox{t: t}
	for end := time.Now().Add(startLimit); f.conn == nil; time.Sleep(50 * time.Millisecond) {
		select {
		case <-ended:
			t.Fatalf("%s ended at once; it says:\n%s", path, log.String())
		default:
		}
		if time.Now().After(end) {
			t.Fatalf("%s does not listen; it says:\n%s", path, log.String())
		}
		m := listens.FindStringSubmatch(log.String())
		if m == nil {
			continue
		}
		if f.conn, _, _, err = ws.Dial(context.Background(), m[1]+"/session"); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = f.conn.Close() })
	f.ask("session.new", map[string]any{"capabilities": map[string]any{}}, nil)
	var tree struct{ Contexts []struct{ Context string } }
	f.ask("browsingContext.getTree", map[string]any{}, &tree)
	f.tab = tree.Contexts[0].Context
	return f
}

// ask carries out a command of WebDriver BiDi.
func (f *Firefox) ask(method string, params map[string]any, into any) {
	f.t.Helper()
	f.last++
	b, err := json.Marshal(map[string]any{"id": f.last, "method": method, "params": params})
	if err == nil {
		err = f.conn.SetDeadline(time.Now().Add(Limit))
	}
	if err == nil {
		err = wsutil.WriteClientText(f.conn, b)
	}
	for err == nil {
		var text []byte
		if text, err = wsutil.ReadServerText(f.conn); err != nil {
			break
		}
		var answer struct {
			ID             int
			Error, Message string
			Result         json.RawMessage
		}
		if err = json.Unmarshal(text, &answer); err != nil || answer.ID != f.last {
			continue // an event
		}
		if answer.Error != "" {
			f.t.Fatalf("firefox: %s: %s: %s", method, answer.Error, answer.Message)
		}
		if into != nil {
			err = json.Unmarshal(answer.Result, into)
		}
		if err == nil {
			return
		}
	}
	f.t.Fatalf("firefox: %s: %v", method, err)
}

// Open opens a page of a size in pixels and waits until it was loaded.
func (f *Firefox) Open(url string, width, height int) {
	f.t.Helper()
	f.ask("browsingContext.setViewport", map[string]any{
		"context": f.tab, "viewport": map[string]any{"width": width, "height": height},
	}, nil)
	f.ask("browsingContext.navigate", map[string]any{
		"context": f.tab, "url": url, "wait": "complete",
	}, nil)
}

// Text is an expression's value as text; one that throws is empty.
func (f *Firefox) Text(expr string) string {
	f.t.Helper()
	var got struct {
		Result struct{ Value string }
	}
	f.ask("script.evaluate", map[string]any{
		"expression": "(async () => { try { return String(await (" + expr +
			")) } catch { return '' } })()",
		"target": map[string]any{"context": f.tab}, "awaitPromise": true,
		"resultOwnership": "none",
	}, &got)
	return got.Result.Value
}

// Wait waits until an expression holds, and fails the test after Limit.
func (f *Firefox) Wait(expr string) {
	f.t.Helper()
	for end := time.Now().Add(Limit); f.Text("Boolean("+expr+")") != "true"; time.Sleep(50 *
		time.Millisecond) {
		if time.Now().After(end) {
			f.t.Fatalf("firefox: after %v still not: %s", Limit, expr)
		}
	}
}

// Type presses keys in the element that has the focus.
func (f *Firefox) Type(text string) {
	f.t.Helper()
	var keys []map[string]any
	for _, r := range text {
		keys = append(keys, map[string]any{"type": "keyDown", "value": string(r)},
			map[string]any{"type": "keyUp", "value": string(r)})
	}
	f.ask("input.performActions", map[string]any{
		"context": f.tab,
		"actions": []any{map[string]any{"type": "key", "id": "keys", "actions": keys}},
	}, nil)
}

// Enter is the key of that name, for Type.
const Enter = "\ue007"

// Shot writes what the window shows into the folder METALAB_SHOTS, as name.png; without that it
// does nothing.
func (f *Firefox) Shot(name string) {
	f.t.Helper()
	dir := os.Getenv("METALAB_SHOTS")
	if dir == "" {
		return
	}
	var got struct{ Data string }
	f.ask("browsingContext.captureScreenshot", map[string]any{"context": f.tab}, &got)
	b, err := base64.StdEncoding.DecodeString(got.Data)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), b, 0o644)
	}
	if err != nil {
		f.t.Fatal(err)
	}
}

package browser

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// names are what Chromium is called on PATH.
var names = []string{
	"chromium", "chromium-browser", "google-chrome",
	"google-chrome-stable", "chrome",
}

// Find returns the path of a Chromium; empty when there is none.
func Find() string {
	for _, n := range names {
		if path, err := exec.LookPath(n); err == nil {
			return path
		}
	}
	return ""
}

// startLimit is how long a browser may take to listen: a busy machine needs its time.
const startLimit = 5 * time.Minute

// few keeps Chromium from a process for each site of a page and from processes that it starts in
// advance, which take two fifths of the time of a core that our pages take.
var few = []string{
	"--renderer-process-limit=1", "--disable-site-isolation-trials",
	"--disable-features=SpareRendererForSitePerProcess,IsolateOrigins,site-per-process",
}

// launch starts a Chromium without a window, with more flags, and returns the address of its
// debugger and what ends it.
func launch(path string, flags ...string) (ws string, stop func(), err error) {
	// Not t.TempDir: children of the browser may write into it while it is removed.
	profile, err := os.MkdirTemp("", "metalab-browser-")
	if err != nil {
		return "", nil, err
	}
	cmd := exec.Command(path,
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--no-default-browser-check",
		"--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--disable-extensions", "--disable-background-timer-throttling",
		"--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding",
		"--disable-dev-shm-usage", "--hide-scrollbars", "--mute-audio", "--force-color-profile=srgb",
		"--user-data-dir="+profile, "--remote-debugging-port=0")
	cmd.Args = append(append(cmd.Args, flags...), "about:blank")
	var log lockedBuffer
	cmd.Stdout, cmd.Stderr = &log, &log
	cmd.Env = append(os.Environ(), "TMPDIR="+profile) // what it leaves behind goes with the profile
	ended, stop, err := begin(cmd, profile)
	if err != nil {
		return "", nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), startLimit)
	defer cancel()
	ws, err = listening(ctx, ended, filepath.Join(profile, "DevToolsActivePort"))
	if err != nil {
		stop()
		return "", nil, fmt.Errorf("%w; it says:\n%s", err, log.String())
	}
	return ws, stop, nil
}

// begin starts a browser in a group of its own, so that its children can be ended with it and
// nothing else is; stop ends it and removes its profile.
func begin(cmd *exec.Cmd, profile string) (ended chan struct{}, stop func(), err error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Start(); err != nil {
		_ = os.RemoveAll(profile)
		return nil, nil, err
	}
	ended = make(chan struct{})
	go func() {
		_ = cmd.Wait() // it is ended by a signal
		close(ended)
	}()
	return ended, func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
		}
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what is left of the group
		for range 50 {
			if os.RemoveAll(profile) == nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
	}, nil
}

// listening waits for the file in which Chromium says where its debugger listens: the port
// and the path, a line each.
func listening(ctx context.Context, ended <-chan struct{}, file string) (string, error) {
	for {
		if b, err := os.ReadFile(file); err == nil {
			if port, rest, ok := strings.Cut(string(b), "\n"); ok && rest != "" {
				return fmt.Sprintf("ws://127.0.0.1:%s%s", port, strings.TrimSpace(rest)), nil
			}
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ended:
			return "", errors.New("it ended at once")
		case <-ctx.Done():
			return "", errors.New("it does not listen")
		}
	}
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write appends to the buffer.
func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

// String is what was written.
func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

package session

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

// A folder that a program makes again after its session's end is removed once more.
func TestKeepAway(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "s1")
	if err := os.MkdirAll(filepath.Join(dir, "b001"), 0o700); err != nil {
		t.Fatal(err)
	}
	const absence = 300 * time.Millisecond
	looks := 0
	var made, ended time.Time
	synctest.Test(t, func(t *testing.T) { // its clock moves only while all sleep
		pause := func(d time.Duration) {
			if _, err := os.Stat(dir); !os.IsNotExist(err) {
				t.Errorf("look %d: the folder is there: %v", looks, err)
			}
			if looks++; looks <= 2 {
				if err := os.MkdirAll(filepath.Join(dir, "b002"), 0o700); err != nil {
					t.Error(err)
				}
				made = time.Now()
			}
			time.Sleep(d)
		}
		if err := keepAway(dir, absence, time.Hour, pause); err != nil {
			t.Fatal(err)
		}
		ended = time.Now()
	})
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the folder is there: %v", err)
	}
	if away := ended.Sub(made); looks < 3 || away < absence || away > 3*absence {
		t.Errorf("away for %v after %d looks, want %v", away, looks, absence)
	}
}

// Go tools whose temporary files lie in the session's folder end with it; other programs,
// and the tools of other sessions, do not.
func TestSweepBuilders(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the environment of other processes is read from /proc")
	}
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "s1")
	begin := func(name, tmp string) <-chan struct{} {
		cmd := exec.Command("sleep", "600")
		cmd.Args[0] = name
		cmd.Env = append(os.Environ(), "TMPDIR="+tmp)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() { defer close(done); _ = cmd.Wait() }()
		t.Cleanup(func() { _ = cmd.Process.Kill(); <-done })
		return done
	}
	mine := begin("/usr/local/go/bin/go", dir)
	others := map[string]<-chan struct{}{}
	for name, tmp := range map[string]string{"go": dir + "2", "server": dir} {
		others[name] = begin(name, tmp)
	}
	for ended := false; !ended; { // until it has its environment
		sweep(dir)
		select {
		case <-mine:
			ended = true
		case <-time.After(10 * time.Millisecond):
		}
	}
	for name, done := range others {
		select {
		case <-done:
			t.Errorf("%s was ended", name)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

package process

import (
	"os/exec"
	"testing"
	"time"
)

func TestWatchProcess(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := Watch(cmd.Process.Pid, false)
	select {
	case <-done:
		t.Error("a living process has ended")
	case <-time.After(250 * time.Millisecond):
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	<-done
	<-Watch(cmd.Process.Pid, true) // is no parent of ours
}

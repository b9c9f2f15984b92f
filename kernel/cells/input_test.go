package cells

import (
	"os/exec"
	"testing"
	"time"
)

// A program that waits for its input is known, and one that does not.
func TestReads(t *testing.T) {
	t.Parallel()
	if reading == "" {
		t.Skip("it is not known on this system")
	}
	cat := exec.Command("cat")
	in, err := cat.StdinPipe()
	if err == nil {
		err = cat.Start()
	}
	if err != nil {
		t.Skip("there is no cat:", err)
	}
	for !Reads(cat.Process.Pid) { // until it has begun to read; else the test does not end
		time.Sleep(time.Millisecond)
	}
	in.Close()
	if err := cat.Wait(); err != nil {
		t.Fatal(err)
	}
	if Reads(cat.Process.Pid) {
		t.Error("a process that has ended reads")
	}
	sleep := exec.Command("sleep", "60")
	if _, err := sleep.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := sleep.Start(); err != nil {
		t.Skip("there is no sleep:", err)
	}
	if Reads(sleep.Process.Pid) {
		t.Error("a process that sleeps reads")
	}
	_ = sleep.Process.Kill()
	_ = sleep.Wait()
}

package session

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"metalab/kernel/internal/jupyter/process"
)

// startGuard starts a process that cleans up after a session whose host cannot, because it
// was killed. It does nothing else, and ends with the session.
func startGuard(c hostConfig) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	config, err := json.Marshal(c)
	if err != nil {
		return err
	}
	cmd := exec.Command(self, "guard", string(config))
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // not to leave a zombie, should it be killed
	return nil
}

// guardPatience is how long a host may take to save its runs and clean up after itself.
const guardPatience = 2 * time.Minute

// Guard waits for the end of a kernel, then for that of its host, and removes what that
// has left.
func Guard(_ context.Context, args []string) error {
	if len(args) != 1 {
		return errors.New("this is started by kernel host")
	}
	var c hostConfig
	err := json.Unmarshal([]byte(args[0]), &c)
	if err != nil {
		return err
	}
	signal.Ignore(syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM)
	<-process.Watch(c.Kernel, false)
	lock := strings.TrimSuffix(c.Socket, ".sock") + ".lock"
	for end := time.Now().Add(guardPatience); held(lock); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			return nil // it lives, and will clean up
		}
	}
	time.Sleep(time.Second) // it may be at it
	os.Remove(c.Socket)
	os.Remove(lock)
	return keepAway(c.Dir, guardAbsence, guardPatience, time.Sleep)
}

// guardAbsence is for how long a folder must have been away to stay away.
const guardAbsence = 3 * time.Second

// keepAway removes a session's folder until it has been away for a while, for at most patience.
// Processes of the kernel or its gopls, such as go list, end by themselves; until then they write
// into the folder, and create it again. pause waits between two checks.
func keepAway(dir string, absence, patience time.Duration, pause func(time.Duration)) error {
	var gone time.Time // since when it has been away, for all that is known
	for end := time.Now().Add(patience); ; {
		sweep(dir)
		err := os.RemoveAll(dir)
		now := time.Now()
		switch {
		case now.After(end):
			return err
		case err != nil:
			gone = time.Time{}
		case gone.IsZero():
			gone = now
		case now.Sub(gone) >= absence:
			return nil
		}
		pause(200 * time.Millisecond)
		if _, err := os.Lstat(dir); err == nil {
			gone = time.Time{}
		}
	}
}

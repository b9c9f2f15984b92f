package host

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"

	"metalab/datasets"
)

// Call is one request of a verb that a room carries out, and what a room may ask of the host
// meanwhile. Rooms state in interfaces of their own which of it they need.
type Call struct{ c *call }

// Context ends when the client that asked has gone or gave up.
func (c *Call) Context() context.Context { return c.c.ctx }

// Progress tells all clients how far the call is: done of total, and in words.
func (c *Call) Progress(done, total int64, note string) { c.c.progress(done, total, note) }

// Load returns an instance by published name or absolute path: the one in memory where there is
// one.
func (c *Call) Load(name string) (datasets.Instance, error) { return c.c.host.load1(c.c, name) }

// Busy keeps a host that nobody is attached to from ending until the function that it returns is
// called.
func (c *Call) Busy() (end func()) {
	c.c.host.replaying(1)
	return func() { c.c.host.replaying(-1) }
}

// StateDir is the folder of what the user keeps.
func (c *Call) StateDir() string { return c.c.host.o.StateDir }

// Machine names the machine in results.
func Machine() string { return fmt.Sprintf("%s, %d cores", processor(), runtime.NumCPU()) }

// NoGPU returns why there is no GPU, without the name of the call that failed.
func NoGPU(err error) string { return noGPU(err) }

// processor returns the processor's name by the system, else its architecture.
func processor() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer f.Close()
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if name, value, ok := strings.Cut(sc.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"metalab/kernel/host"
	_ "metalab/kernel/host/rooms" // its verbs and algorithms
	"metalab/kernel/host/serve"
	"metalab/kernel/internal/jupyter/process"
)

// Host is the host beside a kernel. It lives as long as the kernel does and cleans
// up after it.
func Host(ctx context.Context, args []string) error {
	if len(args) != 1 {
		return errors.New("this is started by kernel run")
	}
	var c hostConfig
	if err := json.Unmarshal([]byte(args[0]), &c); err != nil {
		return err
	}
	ready := os.NewFile(3, "ready")
	syscall.CloseOnExec(3)
	signal.Ignore(syscall.SIGHUP, syscall.SIGINT)
	err := beside(ctx, c, func() {
		_, _ = io.WriteString(ready, "ready\n")
		ready.Close()
	})
	if err != nil {
		fmt.Fprintln(ready, err) // fails where the kernel is up already; the log has it then
	}
	return err
}

// beside serves a session until its kernel has ended, and leaves nothing of it behind.
func beside(ctx context.Context, c hostConfig, ready func()) error {
	kernel := process.Watch(c.Kernel, true)
	if err := mark(c); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if c.Jupyter != 0 {
		go func() {
			<-process.Watch(c.Jupyter, false)
			logf("Jupyter has ended, and the kernel with it")
			process.End(c.Kernel, kernel)
		}()
	}
	o := host.Options{
		Session: c.Session, Notebook: c.Notebook, Socket: c.Socket, Note: c.Note,
		Lifeline: lifeline(kernel), Log: os.Stderr, Again: true,
	}
	title := newTitled(ctx, c)
	o.Title = title.get
	show := displayer{ctx: ctx, path: c.Connection}
	defer show.close()
	o.Display = show.display
	again := serve.Restarted() // after the failure of a GPU: the kernel has had its prelude
	if !again {
		if err := startGuard(c); err != nil {
			logf("no guard: %v", err)
		}
	}
	o.Ready = func() {
		ready()
		go title.learn()
		if c.Prelude && !again {
			go func() {
				if err := prelude(ctx, c.Connection); err != nil && ctx.Err() == nil {
					logf("prelude: %v", err)
				}
			}()
		}
	}
	err := serve.Serve(ctx, o)
	// The runs are saved. Asked to end by somebody else, the host leaves the kernel alone,
	// but goes on to wait for it, for the folder is still in use.
	stop()
	<-kernel
	sweep(c.Dir)
	if rerr := removeAll(c.Dir); rerr != nil {
		logf("%v", rerr)
	}
	return err
}

// lifeline is a reader that ends when done does.
type lifeline <-chan struct{}

func (l lifeline) Read([]byte) (int, error) {
	<-l
	return 0, io.EOF
}

// removeAll removes a folder into which programs that are just ending may still write.
func removeAll(dir string) error {
	var err error
	for range 20 {
		if err = os.RemoveAll(dir); err == nil {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return err
}

func logf(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "%s %s\n", time.Now().UTC().Format(time.RFC3339),
		fmt.Sprintf(format, args...))
}

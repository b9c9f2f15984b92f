package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"metalab/kernel/host"
	_ "metalab/kernel/host/rooms" // what programs link
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/kernel/words"
)

// envSmall makes a process of the tests one that may not write files longer than a few
// kilobytes: it stands for a full disk. With SIGUSR1 there is room again.
const envSmall = "METALAB_TEST_SMALL_FILES"

func TestMain(m *testing.M) {
	if os.Getenv(envSmall) != "" {
		signal.Ignore(syscall.SIGXFSZ)
		var limit syscall.Rlimit
		err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit)
		small := limit
		small.Cur = 6000
		if err = errors.Join(err, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small)); err != nil {
			panic(err)
		}
		room := make(chan os.Signal, 1)
		signal.Notify(room, syscall.SIGUSR1)
		go func() {
			<-room
			if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
				panic(err)
			}
		}()
	}
	actAsWorker()
	host.AlsoSticky(errLost)
	host.Main()
	goleak.VerifyTestMain(m)
}

// patience is how long something that must happen may take: it only ends tests that fail.
const patience = 5 * time.Minute

// lab is a host in this process and a client of it.
type lab struct {
	*testing.T
	c    *wire.Client
	o    host.Options
	end  func()
	done chan error
}

// folder returns a folder with a short name, for paths of sockets must be short.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "ml")
	if err != nil {
		t.Fatal(err)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func options(t *testing.T) host.Options {
	dir := folder(t)
	return host.Options{
		Session: "s", Socket: dir + "/r/s.sock", StateDir: dir + "/state",
		AutosaveEvery: 20 * time.Millisecond,
	}
}

func start(t *testing.T, o host.Options) *lab {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ready := make(chan struct{})
	o.Ready = func() { close(ready) }
	l := &lab{T: t, o: o, done: make(chan error, 1)}
	go func() { l.done <- host.Serve(ctx, o) }()
	select {
	case <-ready:
	case err := <-l.done:
		cancel()
		t.Fatal(err)
	}
	l.c = dial(t, o.Socket)
	ended := false
	l.end = func() {
		if !ended {
			ended = true
			l.c.Close()
			cancel()
			if err := <-l.done; err != nil {
				t.Errorf("the host ended with %v", err)
			}
		}
	}
	t.Cleanup(l.end)
	return l
}

func dial(t *testing.T, socket string) *wire.Client {
	t.Helper()
	c, err := wire.Dial(t.Context(), socket, "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// do carries out lines and returns the last reply.
func (l *lab) do(lines string) reply.Reply {
	l.Helper()
	r, err := try(l.Context(), l.c, lines)
	if err != nil {
		l.Fatal(err)
	}
	return r
}

// fails carries out lines, the last of which must fail with all of the words in one line.
func (l *lab) fails(lines string, code wire.Code, words ...string) {
	l.Helper()
	_, err := try(l.Context(), l.c, lines)
	if err == nil {
		l.Fatalf("%s: no error", lines)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			l.Errorf("%s: %v\nlacks %q", lines, err, w)
		}
	}
	if wire.CodeOf(err) != code || strings.Contains(err.Error(), "\n") {
		l.Errorf("%s: code %q, want %q, and one line: %v", lines, wire.CodeOf(err), code, err)
	}
}

func try(ctx context.Context, c *wire.Client, lines string) (r reply.Reply, err error) {
	for _, line := range words.Split(lines) {
		var call words.Call
		if call, err = words.Parse(line, words.Scope{Dir: "/nowhere"}); err != nil {
			return nil, err
		}
		a := words.Ask(ctx, c, c.NewCall(), call)[0]
		if a.Err != nil {
			return nil, a.Err
		}
		if r = a.Reply; !json.Valid(a.Raw) {
			return nil, errors.New("not JSON: " + string(a.Raw))
		}
	}
	return r, nil
}

func (l *lab) show(run string) *reply.ShowReply {
	l.Helper()
	var r reply.ShowReply
	if err := l.c.Do(l.Context(), "show", wire.RunRequest{Run: run}, &r); err != nil {
		l.Fatal(err)
	}
	return &r
}

// until waits for something that must happen.
func (l *lab) until(what string, f func() bool) {
	l.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if f() {
			return
		}
	}
	l.Fatalf("waited in vain for %s", what)
}

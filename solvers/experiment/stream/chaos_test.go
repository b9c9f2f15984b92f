package stream_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"metalab/solvers/experiment"
	"metalab/solvers/experiment/sqlite"
	"metalab/solvers/experiment/stream"
	"metalab/solvers/experiment/stream/broker"
	"metalab/solvers/record"
)

// The environment of the processes of the chaos run.
const (
	envRole = "METALAB_STREAM_ROLE" // broker, worker or coordinator
	envPort = "METALAB_STREAM_PORT"
	envFile = "METALAB_STREAM_FILE" // of the coordinator: the store
	envName = "METALAB_STREAM_NAME"
)

func TestMain(m *testing.M) {
	if role := os.Getenv(envRole); role != "" {
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			os.Exit(1)
		}()
		if err := play(role); err != nil {
			fmt.Fprintln(os.Stderr, role, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	// The client of NATS v1.55.0 leaves this one for ever where an object is put before it has begun:
	// its channel is nil by then.
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction(
		"github.com/nats-io/nats.go/jetstream.(*jetStream).resetPendingAcksOnReconnect"))
}

// long is how many units the long run makes, of how many iterations; 0: it is the short one.
func long() (units int, iterations int64) {
	iterations = 4_000
	_, _ = fmt.Sscanf(os.Getenv("METALAB_CHAOS"), "%dx%d", &units, &iterations)
	return units, iterations
}

// timing are the times of the run. In the long one the processes share the cores with more others,
// and may not be heard for longer.
func timing() stream.Timing {
	if n, _ := long(); n == 0 {
		return quick
	}
	return stream.Timing{
		AckWait: 10 * time.Second, Renew: 2 * time.Second, Hello: 2 * time.Second, Check: time.Second,
	}
}

// play is the part of a process.
func play(role string) error {
	if strings.HasPrefix(role, "near-") || strings.HasPrefix(role, "far-") {
		return playFar(role)
	}
	port, err := strconv.Atoi(os.Getenv(envPort))
	if err != nil {
		return err
	}
	ctx := context.Background()
	a := stream.Address{URL: fmt.Sprintf("nats://127.0.0.1:%d", port), Token: secret}
	switch role {
	case "broker":
		for {
			_, err := broker.Start(broker.Options{
				Token: secret, Dir: filepath.Dir(os.Getenv(envFile)), Port: port,
			})
			if err == nil {
				select {}
			}
			time.Sleep(50 * time.Millisecond) // the port of the one before is not free yet
		}
	case "worker", "slow":
		if role == "slow" {
			slowDown()
		}
		w := &stream.Worker{
			Address: a, Name: os.Getenv(envName), Cores: 1, Timing: timing(), Keep: 20 * time.Millisecond,
		}
		return w.Run(ctx)
	}
	s, err := sqlite.Open(os.Getenv(envFile))
	if err != nil {
		return err
	}
	defer s.Close()
	for {
		f := &stream.Fabric{Address: a, Timing: timing(), Window: 20}
		info, err := experiment.Make(ctx, s, "e1", experiment.Options{Load: load, Over: f, Note: say})
		if err == nil && info.Left() == 0 {
			return nil
		}
		if err != nil && info.Left() == 0 {
			return err
		}
		time.Sleep(50 * time.Millisecond) // there is no broker yet
	}
}

// say prints how many results came twice.
func say(text string) {
	if strings.Contains(text, "came twice") {
		fmt.Fprintln(os.Stderr, text)
	}
}

// process is one that is killed and started again.
type process struct {
	role, name string
	cmd        *exec.Cmd
	life       io.Closer // its input, which ends with the test, however that ends
	ended      chan error
}

func (p *process) start(t testing.TB, port int, file string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p.cmd = exec.Command(self)
	p.cmd.Env = append(os.Environ(), envRole+"="+p.role, envPort+"="+strconv.Itoa(port),
		envFile+"="+file, envName+"="+p.name)
	p.cmd.Stderr = os.Stderr
	if p.life, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p.ended = make(chan error, 1)
	go func(c *exec.Cmd, ended chan error) { ended <- c.Wait() }(p.cmd, p.ended)
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.ended
	p.ended <- nil // it may be killed again
}

// memory is the most that a process had, in KB, where the system tells it.
func (p *process) memory() (kb int) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid)) // else it is not known
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	_, _ = fmt.Sscan(rest, &kb)
	return kb
}

// bytesIn are those of the files of a folder.
func bytesIn(t *testing.T, dir string) (n int64) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		st, err := d.Info()
		if err == nil {
			n += st.Size()
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return n
}

// Workers, the broker and who asks are killed again and again: the table is that of the
// undisturbed run in one process. One is killed after each 4 units, so that it does not depend on
// the speed of the machine; METALAB_CHAOS=2000 makes so many units with ten workers, and kills one
// every 10 s. A unit of that takes some 0.05 CPU seconds, and with METALAB_CHAOS=2000x40000 ten
// times as many.
func TestChaos(t *testing.T) {
	units, workers, iterations := 40, 3, int64(1_000)
	if n, each := long(); n > 0 {
		units, workers, iterations = n, 10, each
	} else if testing.Short() {
		t.Skip("processes are killed")
	}
	p := plan(units)
	p.Budget = record.Budget{Iterations: iterations}
	dir := t.TempDir()
	file := filepath.Join(dir, "experiments.sqlite")
	s, err := sqlite.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	list, err := p.Units(t.Context(), load)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Add(t.Context(), "e1", p, list); err != nil {
		t.Fatal(err)
	}
	port := freePort(t)
	coordinator := &process{role: "coordinator"}
	all := []*process{{role: "broker"}, coordinator}
	for i := range workers {
		all = append(all, &process{role: "worker", name: fmt.Sprintf("w%d", i)})
	}
	for _, p := range all {
		p.start(t, port, file)
		defer func() { p.kill() }()
	}
	began := time.Now()
	rng := rand.New(rand.NewPCG(1, 2))
	count, most := map[string]int{}, 0
	for k := 0; ; k++ {
		if err, ended := await(t, s, coordinator, 4*k+4, port); ended {
			coordinator.ended <- err
			if err != nil {
				t.Fatal(err)
			}
			break
		}
		v := all[(k+rng.IntN(2))%len(all)]
		count[v.role]++
		most = max(most, all[0].memory())
		v.kill()
		v.start(t, port, file)
	}
	most = max(most, all[0].memory())
	for _, p := range all {
		p.kill()
	}
	var cpu syscall.Rusage // of the processes that have ended
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &cpu); err != nil {
		t.Fatal(err)
	}
	t.Logf("killed: %v; %v, %.1f CPU s of all processes", count, time.Since(began).Round(time.Second),
		float64(cpu.Utime.Nano()+cpu.Stime.Nano())/1e9)
	t.Logf("the broker had %d MB of memory at most, and %d bytes on disk", most>>10,
		bytesIn(t, filepath.Join(dir, "jetstream")))
	if got, want := table(t, s), local(t, p); got != want {
		t.Errorf("killed:\n%s\nundisturbed:\n%s", got, want)
	}
}

// await waits until so many units are made, or for 10 s, or for the end of who asks.
func await(t *testing.T, s experiment.Store, coordinator *process, made, port int) (error, bool) {
	t.Helper()
	var next <-chan time.Time
	n, _ := long()
	if n > 0 {
		next = time.After(10 * time.Second)
	}
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	late := time.After(5 * time.Minute)
	for {
		select {
		case err := <-coordinator.ended:
			return err, true
		case <-late:
			t.Fatalf("%d units have not come in five minutes: %s", made, picture(t, s, port))
		case <-next:
			return nil, false
		case <-look.C:
			if i, err := s.Info(t.Context(), "e1"); err == nil && n == 0 && i.Left() > 0 &&
				i.Done+i.Failed >= made {
				return nil, false
			}
		}
	}
}

// picture is who has what.
func picture(t *testing.T, s experiment.Store, port int) string {
	t.Helper()
	info, err := s.Info(t.Context(), "e1")
	out := fmt.Sprintf("%d done, %d failed, %d left (%v)", info.Done, info.Failed, info.Left(), err)
	all, err := stream.Workers(t.Context(), stream.Address{
		URL: fmt.Sprintf("nats://127.0.0.1:%d", port), Token: secret,
	})
	for i := range all {
		w := &all[i]
		out += fmt.Sprintf("\n%s, heard %v ago, made %d, is making %q: %q", w.Name, w.Heard, w.Made,
			w.Making, w.Why)
	}
	if err != nil {
		out += "\nthe broker: " + err.Error()
	}
	return out
}

// freePort is one that nothing listens at, below those that the system gives to connections: none
// of these takes it while the broker is away.
func freePort(t testing.TB) int {
	t.Helper()
	for range 100 {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 12_000+rand.IntN(18_000)))
		if err != nil {
			continue
		}
		defer l.Close()
		return l.Addr().(*net.TCPAddr).Port
	}
	t.Fatal("no port is free")
	return 0
}

package stream_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"metalab/solvers/experiment"
	"metalab/solvers/experiment/sqlite"
	"metalab/solvers/experiment/stream"
	"metalab/solvers/experiment/stream/broker"
	"metalab/solvers/record"
)

// The environment of the processes of the chaos run.
const (
	envRole = "METALAB_STREAM_ROLE" // broker, worker or asker
	envPort = "METALAB_STREAM_PORT"
	envFile = "METALAB_STREAM_FILE" // of the asker: the store
	envName = "METALAB_STREAM_NAME"
)

func TestMain(m *testing.M) {
	if role := os.Getenv(envRole); role != "" {
		if err := play(role); err != nil {
			fmt.Fprintln(os.Stderr, role, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// play is the part of a process.
func play(role string) error {
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
	case "worker":
		w := &stream.Worker{Address: a, Name: os.Getenv(envName), Cores: 1, Timing: quick}
		return w.Run(ctx)
	}
	s, err := sqlite.Open(os.Getenv(envFile))
	if err != nil {
		return err
	}
	defer s.Close()
	for {
		f := &stream.Fabric{Address: a, Timing: quick, Window: 20}
		info, err := experiment.Make(ctx, s, "e1", experiment.Options{Load: load, Over: f})
		if err == nil && info.Left() == 0 {
			return nil
		}
		if err != nil && info.Left() == 0 {
			return err
		}
		time.Sleep(50 * time.Millisecond) // there is no broker yet
	}
}

// process is one that is killed and started again.
type process struct {
	role, name string
	cmd        *exec.Cmd
	ended      chan error
}

func (p *process) start(t *testing.T, port int, file string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p.cmd = exec.Command(self)
	p.cmd.Env = append(os.Environ(), envRole+"="+p.role, envPort+"="+strconv.Itoa(port),
		envFile+"="+file, envName+"="+p.name)
	p.cmd.Stderr = os.Stderr
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p.ended = make(chan error, 1)
	go func(c *exec.Cmd, ended chan error) { ended <- c.Wait() }(p.cmd, p.ended)
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.ended
}

// Workers, the broker and who asks are killed again and again: the table is that of the
// undisturbed run in one process. METALAB_CHAOS=2000 makes so many units, and kills for as long.
func TestChaos(t *testing.T) {
	units, kills, every := 40, 8, 400*time.Millisecond
	iterations := int64(6_000)
	if n, err := strconv.Atoi(os.Getenv("METALAB_CHAOS")); err == nil {
		units, kills, every = n, 1<<30, 10*time.Second
		iterations = 200_000
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
	list, err := p.Units(t.Context(), load)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Add(t.Context(), "e1", p, list); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	asker := &process{role: "asker"}
	all := []*process{{role: "broker"}, asker}
	for i := range 3 {
		all = append(all, &process{role: "worker", name: fmt.Sprintf("w%d", i)})
	}
	for _, p := range all {
		p.start(t, port, file)
		defer func() { p.kill() }()
	}
	rng := rand.New(rand.NewPCG(1, 2))
	count := map[string]int{}
	for k := 0; ; k++ {
		var next <-chan time.Time
		if k < kills {
			next = time.After(every)
		}
		select {
		case err := <-asker.ended:
			asker.ended <- err
			if err != nil {
				t.Fatal(err)
			}
			if k < 3 && kills < 1<<30 {
				t.Errorf("all was made before 3 were killed: the test tests nothing")
			}
			t.Logf("killed: %v", count)
			if got, want := table(t, s), local(t, p); got != want {
				t.Errorf("killed:\n%s\nundisturbed:\n%s", got, want)
			}
			return
		case <-next:
			v := all[(k+rng.IntN(2))%len(all)]
			count[v.role]++
			v.kill()
			v.start(t, port, file)
		}
	}
}

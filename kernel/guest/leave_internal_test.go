package guest

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"

	"metalab/kernel/wire"
)

// answering is a worker that has answered a request for iterations, though nobody has taken the
// answer.
func answering(t *testing.T, s wire.WorkerSteps) *process {
	t.Helper()
	out, says, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	hears, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{
		in: in, answers: make(chan answer, 1), said: &tail{}, ended: make(chan struct{}),
		cmd: exec.Command("cat"),
	}
	p.cmd.Stdin = hears
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	hears.Close()
	go func() {
		_ = p.cmd.Wait()
		close(p.ended)
	}()
	go p.read(out)
	t.Cleanup(func() {
		says.Close()
		p.kill()
	})
	if err := p.ask(wire.OpStep); err != nil {
		t.Fatal(err)
	}
	if err := wire.WriteFrame(says, wire.OpStep, s.Append(nil)); err != nil {
		t.Fatal(err)
	}
	for len(p.answers) == 0 {
		runtime.Gosched()
	}
	return p
}

// A worker that has answered after its run was paused is not ended: nothing is wrong with it.
func TestLeftWithAnAnswer(t *testing.T) {
	p := answering(t, wire.WorkerSteps{Points: make([]float64, 4)})
	p.left(func(string, int) { t.Error("a worker that had answered was ended") })
	if a, err := p.wait(t.Context(), 0); err != nil || a.op != wire.OpStep {
		t.Errorf("the answer: %q, %v", a.op, err)
	}
}

// One that has told of some iterations, and makes another without an end, is ended.
func TestLeftWithMoreToCome(t *testing.T) {
	p := answering(t, wire.WorkerSteps{Points: make([]float64, 4), More: true})
	ended := false
	p.left(func(string, int) { ended = true })
	if !ended {
		t.Error("a worker whose iteration goes on was left alone")
	}
}

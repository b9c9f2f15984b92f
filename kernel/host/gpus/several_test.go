//go:build cuda

package gpus_test

import (
	"fmt"
	"strings"
	"testing"

	"metalab/kernel/host/internal/hosttest"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// Runs that name no GPU go to the one with the most free memory; others to those that they name.
func TestRunsOnSeveralGPUs(t *testing.T) {
	fake(t, "devices=4")
	o := hosttest.Options(t)
	l, _ := process(t, o)
	where := func(name, want string) {
		t.Helper()
		if s := l.Show(name); s.GPUs != want || s.Backend != "cuda" {
			t.Errorf("%s is on %s:%s, want %s", name, s.Backend, s.GPUs, want)
		}
	}
	const line = "open walk rand-50-1 as %s seed=3 moves=2 on=%s"
	for i := range 4 {
		name := string(rune('a' + i))
		l.Do(fmt.Sprintf(line, name, "cuda"))
		where(name, fmt.Sprint(i))
	}
	l.Do(fmt.Sprintf(line, "e", "cuda:2"))
	where("e", "2")
	l.Do("close b")
	l.Do(fmt.Sprintf(line, "f", "cuda"))
	where("f", "1") // which is free again
	for i, g := range l.Do("devices").(*reply.DevicesReply).GPUs {
		if want := map[bool]int{true: 2, false: 1}[i == 2]; len(g.Holders) != want {
			t.Errorf("GPU %d is held by %+v, want %d", i, g.Holders, want)
		}
	}
	l.Do(fmt.Sprintf(line, "several", "cuda:1,3"))
	text := l.Do("devices").(*reply.DevicesReply).String()
	for _, want := range []string{
		"\nrun f on gpu 1: walk/", "\nrun several on gpu 1,3: walk/", "rand-50-1, paused",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("devices has no %q:\n%s", want, text)
		}
	}
	l.Do("close several")
	for _, c := range []struct {
		on   string
		want []string
	}{
		{"cuda:4", []string{"on is cuda:4", "no GPU 4", "0 to 3"}},
		{"cuda:0,9", []string{"no GPU 9", "there are 4"}},
		{"cuda:x", []string{"cuda:x", "cuda:0,1 or cuda:all"}},
		{"cuda:", []string{"cuda:", "cuda:0,1 or cuda:all"}},
		{"cpu:1", []string{"cpu:1", "only GPUs have numbers"}},
		{"cuda:1 device=2", []string{"device is 2", "once"}},
		{"cuda device=7", []string{"device is 7", "no GPU 7"}},
	} {
		l.Fails(fmt.Sprintf(line, "z", c.on), wire.CodeRequest, c.want...)
	}

	// A run moves, is the same, and the journal has it.
	l.Do("step e 10; set e devices=0; step e 10; set e devices=1,3; step e 10")
	where("e", "1,3")
	l.Do("open walk rand-50-1 as c0 seed=3 moves=2; step c0 30; save e " + o.StateDir + "/e.run")
	if e, c := l.Show("e"), l.Show("c0"); e.Digest != c.Digest {
		t.Errorf("moved it has digest %s, on the cpu %s", e.Digest, c.Digest)
	}
	l.Fails("set e devices=8", wire.CodeRequest, "devices is 8", "no GPU 8", "0 to 3")
	l.Fails("set c0 devices=1", wire.CodeRequest, "on cpu", "fork c0 as <name> on=cuda:1")
	where("e", "1,3")
	for _, on := range []string{"cuda", "cuda:2", "cpu"} {
		line := "replay " + o.StateDir + "/e.run on=" + on
		if r := l.Do(line).(*reply.ReplayReply); !r.Identical {
			t.Errorf("%s: %v", line, r)
		}
	}
	l.Do("fork e as g on=cuda:3; fork c0 as h on=cuda:all; load " + o.StateDir +
		"/e.run as i on=cuda:0")
	where("g", "3")
	where("h", "0,1,2,3")
	where("i", "0")
	l.Fails("load "+o.StateDir+"/e.run as j on=cpu", wire.CodeRequest, "on is cpu", "is on cuda")
	l.Do("close h; close i")
	if r := l.Do("repeat g 4 n=20 on=cuda:0,1").(*reply.RepeatReply); len(r.Results) != 4 {
		t.Errorf("repeat: %v", r)
	}
	l.Fails("repeat c0 4 n=20 on=gpu", wire.CodeRequest, "on is gpu", "cpu or cuda", "cuda:0,1")
	l.Fails("repeat c0 4 n=20 on=cuda:0", wire.CodeRequest, "c0 is on cpu", "on=cuda:0")
	l.Fails(fmt.Sprintf(line, "e", "cuda:0"), wire.CodeDiffers, "devices is 1,3, not 0",
		"set e devices=0")
}

// A GPU that fails leaves its runs to the others: the step that was under way ends well, and the
// host goes on.
func TestAGPUFailsBesideAnother(t *testing.T) {
	fake(t, "devices=2")
	t.Setenv("METALAB_FAILS", "1")
	o := hosttest.Options(t)
	l, p := process(t, o)
	l.Do("open walk rand-50-1 as m on=cuda:1 seed=3 moves=2; open walk rand-50-1 as n on=cuda:0; " +
		"open walk rand-50-1 as c seed=3 moves=2; step n 7; set m lose=41; step m 100; step c 100")
	if s := l.Show("m"); s.GPUs != "0" || s.Iteration != 100 || s.Digest != l.Show("c").Digest {
		t.Errorf("m is on GPU %s at %d with digest %s, on the cpu it is %s", s.GPUs, s.Iteration,
			s.Digest, l.Show("c").Digest)
	}
	if s := l.Show("n"); s.GPUs != "0" || s.Iteration != 7 {
		t.Errorf("n is on GPU %s at %d", s.GPUs, s.Iteration)
	}
	r := l.Do("devices").(*reply.DevicesReply)
	if r.GPUs[0].Problem != "" || r.GPUs[1].Problem == "" {
		t.Errorf("devices: %+v", r)
	}
	l.Do("open walk rand-50-1 as k on=cuda")
	if s := l.Show("k"); s.GPUs != "0" {
		t.Errorf("k is on GPU %s, which failed", s.GPUs)
	}
	select {
	case <-p.Ended():
		t.Error("the process ended")
	default:
	}
}

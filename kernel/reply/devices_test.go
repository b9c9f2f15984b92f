package reply_test

import (
	"strings"
	"testing"

	"metalab/kernel/reply"
)

// The devices are told with who holds them, and the runs with theirs, of whichever session.
func TestDevicesNameRuns(t *testing.T) {
	t.Parallel()
	r := &reply.DevicesReply{
		Cores: 2, GPUs: []reply.GPU{
			{Device: 0, Holders: []reply.GPUHolder{{Holder: "run a", Bytes: 1 << 20}}}, {Device: 1},
		},
		Runs: []reply.GPURun{
			{
				Run: "a", Solver: "tabu", Variant: "robust", Instance: "tai100a", State: "paused",
				GPUs: "0,1",
			},
			{
				Session: "lab", Run: "b", Solver: "ga", Variant: "tournament", Instance: "pr1002",
				State: "running", GPUs: "1",
			},
		},
	}
	for _, want := range []string{
		"; run a holds 1 MiB\n", "\nrun a on gpu 0,1: tabu/robust on tai100a, paused\n",
		"\nrun b of session lab on gpu 1: ga/tournament on pr1002, running",
	} {
		if s := r.String(); !strings.Contains(s, want) {
			t.Errorf("there is no %q in\n%s", want, s)
		}
	}
	for _, want := range []string{
		"run a 1 MiB", "gpu 0,1", "run b of session lab", "tabu/robust", "running",
	} {
		if s := r.HTML(); !strings.Contains(s, want) {
			t.Errorf("there is no %q in\n%s", want, s)
		}
	}
	if s := (&reply.DevicesReply{Cores: 2}).HTML(); strings.Contains(s, "held by") {
		t.Errorf("without GPUs there is a column of who holds them: %s", s)
	}
}

package lab

import (
	"testing"

	"metalab/kernel/wire"
)

func TestInGo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		code      wire.Code
		msg, want string
	}{
		{wire.CodeRun, `there is no run "a"; there are: none; open one: open acs pr1002 as a`, `there is no run "a"; there are: none; open one: lab.Open("a", "acs", lab.Load("pr1002"))`},
		{wire.CodeRun, `there is no run "a"; there are: b; saved: a, iteration 1577, 2 minutes ago: recover a`, `there is no run "a"; there are: b; saved: a, iteration 1577, 2 minutes ago: lab.Recover("a")`},
		{wire.CodeDiffers, "open: run a is open with other arguments: q0 0.5 against 0.9; fresh=true closes it and starts anew, or take another name", "open: run a is open with other arguments: q0 0.5 against 0.9; lab.Fresh() closes it and starts anew, or take another name"},
		{wire.CodeHost, "the host of session s has gone; its runs were autosaved: " + wire.RecoverHint, "the host of session s has gone; its runs were autosaved: " + recoverHere},
		{wire.CodeHost, "there is no session s", "there is no session s; its host has ended, its runs were autosaved: " + recoverHere},
		{wire.CodeRequest, "no instance a.run" + wire.RecordHint, "no instance a.run; the record of a run is opened by lab.LoadRun"},
		{wire.CodeRequest, "q0 is 7, want 0 to 1", "q0 is 7, want 0 to 1"},
	} {
		if got := inGo(&Error{c.code, c.msg}); got.Message != c.want || got.Code != c.code {
			t.Errorf("%q, want %q", got.Message, c.want)
		}
	}
}

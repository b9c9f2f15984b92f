package lab

import (
	"strings"
	"testing"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/record"
)

func TestInGo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		code      wire.Code
		msg, want string
	}{
		{
			wire.CodeRun, `there is no run "a"; there are: none; open one: open acs pr1002 as a`,
			`there is no run "a"; there are: none; open one: lab.Open("a", "acs", lab.Load("pr1002"))`,
		},
		{
			wire.CodeRun,
			`there is no run "a"; there are: b; saved: a, iteration 1577, 2 minutes ago: recover a`,
			`there is no run "a"; there are: b; saved: a, iteration 1577, 2 minutes ago: lab.Recover("a")`,
		},
		{
			wire.CodeRequest, "undo: nothing was set in a; fork a as a2 at=35 goes back to an iteration",
			`undo: nothing was set in a; lab.Get("a").Fork("a2", lab.At(35)) goes back to an iteration`,
		},
		{
			wire.CodeDiffers,
			"open: run a is open with other arguments: q0 0.5 against 0.9; fresh=true closes it and " +
				"starts anew, or take another name",
			"open: run a is open with other arguments: q0 0.5 against 0.9; lab.Fresh() closes it and " +
				"starts anew, or take another name",
		},
		{
			wire.CodeHost, "the host of session s has gone; its runs were autosaved: " + wire.RecoverHint,
			"the host of session s has gone; its runs were autosaved: " + recoverHere,
		},
		{
			wire.CodeHost, "there is no session s",
			"there is no session s; if its host has ended: " + recoverHere + " lists what was autosaved",
		},
		{
			wire.CodeHost, "the host of session s has gone (nobody answers); " + wire.NothingKept,
			"the host of session s has gone (nobody answers); " + wire.NothingKept,
		},
		{
			wire.CodeSource, "(…); source /a/w.run prints it; the same line with code=yes (load /a/w.run " +
				"code=yes) compiles and runs it",
			`(…); lab.Do("source /a/w.run") shows it; lab.Do("load /a/w.run code=yes") compiles and runs it`,
		},
		{
			wire.CodeSource, `(…); source "/a b/w.run" prints it; the same line with code=yes (load ` +
				`"/a b/w.run" code=yes) compiles and runs it`,
			`(…); lab.Do("source \"/a b/w.run\"") shows it; lab.Do("load \"/a b/w.run\" code=yes") ` +
				`compiles and runs it`,
		},
		{
			wire.CodeRequest, "no instance a.run" + wire.RecordHint,
			"no instance a.run; the record of a run is opened by lab.LoadRun",
		},
		{
			wire.CodeRequest,
			"sliders: candidates is fixed for a run: fork a as <name> candidates=… changes it",
			`sliders: candidates is fixed for a run: lab.Get("a").Fork("name", lab.With("candidates", ` +
				`…)) changes it`,
		},
		{
			wire.CodeRequest,
			"set: a: candidates is structural, fixed for a run (now 32): fork a as <name> candidates=8",
			`set: a: candidates is structural, fixed for a run (now 32): lab.Get("a").Fork("name", ` +
				`lab.With("candidates", 8))`,
		},
		{
			wire.CodeRequest,
			"set: a: storage is structural, fixed for a run (now candidates): fork a as <name> " +
				"storage=matrix",
			`set: a: storage is structural, fixed for a run (now candidates): lab.Get("a").Fork("name", ` +
				`lab.With("storage", "matrix"))`,
		},
		{
			wire.CodeRequest,
			"repeat: a has made no iteration; say how many each seed makes, as in: repeat a 10 n=1000",
			`repeat: a has made no iteration; say how many each seed makes, as in: ` +
				`lab.Repeat(lab.Get("a"), 10, 1000)`,
		},
		{
			wire.CodeRequest, "export: a was not repeated; repeat a 10 does it",
			`export: a was not repeated; lab.Get("a").Repeat(10) does it`,
		},
		{
			wire.CodeRequest, "repeat: a is being repeated: 2 of 10; pause a ends that",
			`repeat: a is being repeated: 2 of 10; lab.Get("a").Pause() ends that`,
		},
		{
			wire.CodeRequest, "set: nothing to set; as in: set a q0=0.98",
			`set: nothing to set; as in a.Set("q0", 0.98)`,
		},
		{
			wire.CodeRequest, "gpu: there is none; doctor says how to mend that",
			"gpu: there is none; lab.Show(lab.Doctor()) says how to mend that",
		},
		{
			wire.CodeRequest, "recover: there is no autosave \"zz\"; recover alone lists them",
			"recover: there is no autosave \"zz\"; lab.Show(lab.Do(\"recover\")) lists them",
		},
		{
			wire.CodeFile, `to drop it: lab.Do("recover <id> discard"); or recover s/a discard`,
			`to drop it: lab.Do("recover <id> discard"); or lab.Do("recover s/a discard")`,
		},
		{
			wire.CodeFile, "recover: nothing of s/a can be opened: x; recover s/a discard drops it",
			`recover: nothing of s/a can be opened: x; lab.Do("recover s/a discard") drops it`,
		},
		{wire.CodeRequest, "q0 is 7, want 0 to 1", "q0 is 7, want 0 to 1"},
	} {
		if got := inGo(&Error{c.code, c.msg}); got.Message != c.want || got.Code != c.code {
			t.Errorf("%q, want %q", got.Message, c.want)
		}
	}
}

// What results tell to type at the prompt is Go in a cell.
func TestFormsAreInGo(t *testing.T) {
	t.Parallel()
	r := &reply.SlidersReply{
		Status: reply.Status{Run: "a"},
		Params: []reply.Param{{Name: "q0", Value: record.Num(0.98)}},
	}
	for _, f := range textForms(r) {
		if strings.Contains(f.text, "set a") || strings.Contains(f.text, "dashboard") {
			t.Errorf("%s: %s", f.kind, f.text)
		}
	}
	if got := textForms(r)[1].text; !strings.Contains(got,
		`lab.Get("a").Set("q0", 0.98) changes one; lab.Sliders makes sliders of them`) {
		t.Error(got)
	}
}

package lab

import (
	"strconv"
	"strings"

	"metalab/kernel/wire"
)

// hints are what hosts tell people to type at the prompt, and what that is in a cell.
var hints = strings.NewReplacer(
	"open one: open acs pr1002 as a", `open one: lab.Open("a", "acs", lab.Load("pr1002"))`,
	"fresh=true closes it", "lab.Fresh() closes it",
	wire.RecordHint, "; the record of a run is opened by lab.LoadRun",
	"; doctor says more", "; lab.Show(lab.Doctor()) says more",
)

// recoverHere is what to do in a notebook whose host has gone.
const recoverHere = `restart the kernel, then lab.Show(lab.Do("recover"))`

// cutLast cuts s at the last sep.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// inGo is an error for the reader of a notebook: what it tells to type is Go, and one of the
// connection says how the session comes back.
func inGo(e *Error) *Error {
	msg := hints.Replace(e.Message)
	if rest, run, ok := cutLast(msg, ": recover "); ok && !strings.Contains(run, " ") {
		msg = rest + ": lab.Recover(" + strconv.Quote(run) + ")"
	}
	if e.Code == wire.CodeHost {
		if s := strings.Replace(msg, wire.RecoverHint, recoverHere, 1); s != msg {
			msg = s
		} else {
			msg += "; its host has ended, its runs were autosaved: " + recoverHere
		}
	}
	return &Error{e.Code, msg}
}

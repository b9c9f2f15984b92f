package lab

import (
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/kernel/words"
)

// Tune searches for good values of a run's parameters, over instances and seeds, on all cores, and
// returns the best choice as a line to open. A file stores it: the same cell resumes it after an
// interrupt. With the word background it returns at once, and the same cell without it shows the
// result later. what is the rest of the line, as at the prompt:
//
//	lab.Tune(a, "q0=0.5..0.99 ants=5..100:log n=200 units=500 instances=d198,pcb442 as t")
//	lab.Chart("t", "parallel")
func Tune(run *Run, what string) *reply.TuneReply {
	name := names("Tune", []*Run{run})[0]
	var q wire.TuneRequest
	call, err := words.Parse("tune "+name+" "+what, words.Scope{Runs: []string{name}, Dir: dir()})
	if err == nil {
		err = call.Bind(&q)
	}
	check(err)
	var rep reply.TuneReply
	study("tune", q, &rep)
	return &rep
}

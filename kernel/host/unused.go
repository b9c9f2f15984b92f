package host

import (
	"fmt"
	"strings"

	"metalab/kernel/reply"
	"metalab/solvers"
	"metalab/solvers/record"
)

// unused describes what a record lacks, and which parts of it and of its state were ignored at the
// opening of its run, because the repeated run has others. The run is right all the same, for it
// trusts nothing of the record. It does nothing if everything is in order. It sets False if the
// record itself states something wrong; a useless state may merely have been cut short.
func (h *Host) unused(c *Call, rec *record.Record, e *Run, rep *reply.OpenReply) {
	var notes []string
	inst := e.run.Instance()
	if n := rec.Header.Instance.Size; n != inst.Size() {
		notes = append(notes, fmt.Sprintf("the record says that %s has size %d, and it has %d",
			inst.Name(), n, inst.Size()))
		rep.False = true
	}
	if err := e.run.UnusedState(); err != nil {
		notes = append(notes, fmt.Sprintf("the state beside the record was not used, the iterations "+
			"were made again: %s", strings.TrimPrefix(FirstLine(err.Error()), "solvers: ")))
	}
	if s := h.falseBest(c, rec, e); s != "" {
		notes = append(notes, "the best solution in the record was not used: "+s)
		rep.False = true
	}
	if lacks := e.run.Lacks(rec); len(lacks) > 0 {
		notes = append(notes, "the record lacks "+strings.Join(lacks, ", and "))
	}
	rep.Unused = strings.Join(notes, "; ")
}

// falseBest says what is wrong with the best solution of a record, as its own cost function says.
func (h *Host) falseBest(c *Call, rec *record.Record, e *Run) string {
	if rec.Best.Iter == 0 {
		return ""
	}
	inst := e.run.Instance()
	own, err := e.run.Best(c.ctx)
	if err != nil {
		return "" // the run says what is wrong
	}
	if _, err := solvers.Cost(inst, own.Solution); err != nil {
		return "" // a problem whose cost is known to its own program alone
	}
	v, err := solvers.Cost(inst, rec.Best.Solution)
	switch {
	case err != nil:
		return FirstLine(err.Error())
	case v != rec.Best.Value:
		sense := solvers.SenseOf(inst)
		return fmt.Sprintf("its value is %s, and the record says %s", Number(sense.Value(v)),
			Number(sense.Value(rec.Best.Value)))
	}
	return ""
}

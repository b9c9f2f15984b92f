package host

import (
	"fmt"
	"strings"

	"metalab/kernel/reply"
	"metalab/solvers"
	"metalab/solvers/record"
)

// unused says what a record lacks, and what of it and of the state beside it was not used when its
// run was opened, because it is not what the run made again has: the run is right all the same, for
// nothing of it is taken on trust. Nothing where everything is as it should be. False is set where
// the record itself says what is not so; a state that is of no use may have been cut short.
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

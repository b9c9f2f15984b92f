// Package experiments is the room of the host with the experiments of the user: plans, their units,
// tables, charts and reports, sweeps and tunings; the verbs experiment, sweep, tune and chart.
// Packages solvers/experiment and solvers/tuning define experiments and run their units; this room
// requests them, runs them beside the runs of the host and reports on them.
//
// All experiments of the user are in one file of SQLite in the folder of state, which several hosts
// may use at a time; only one of them at a time runs an experiment. Units on the CPU use all cores,
// those on GPUs run in parallel, one at a time on each GPU; without a GPU these wait. A host that
// ends in any way leaves the finished units, and any other continues with the rest.
package experiments

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"metalab/kernel/host"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/experiment/sqlite"
)

// here is the room in each host.
var here = host.Furnish("experiments", func(h *host.Host) (*room, host.Hooks) {
	x := &room{Host: h}
	return x, host.Hooks{Close: x.close, Park: x.left, Resume: x.resume}
})

func init() {
	host.Explain(func(err error) (wire.Code, string) {
		damage, ok := errors.AsType[*sqlite.DamageError](err)
		if !ok {
			return "", ""
		}
		return wire.CodeFile, damage.Error() + "; it is left as it is: experiment recover saves what " +
			"can be read into a new one, and keeps this one beside it"
	})
	host.Finds(func(c *host.Call) []reply.Finding {
		if f, ok := here.In(c.Host()).storeFinding(c); ok {
			return []reply.Finding{f}
		}
		return nil
	})
}

// left are the experiments in the background that the next process goes on with.
func (h *room) left() any {
	if len(h.parked) == 0 {
		return nil
	}
	return h.parked
}

// resume goes on with what the process before made in the background.
func (h *room) resume(c *host.Call, saved json.RawMessage) (notes, bad []string) {
	var all []savedStudy
	if err := json.Unmarshal(saved, &all); err != nil {
		return nil, []string{"experiments do not go on: " + err.Error()}
	}
	for _, s := range all {
		if err := h.resumeStudy(c, s); err != nil {
			h.Logf("experiment %s does not go on: %v", s.Name, err)
			bad = append(bad, fmt.Sprintf("experiment %s does not go on: %s", s.Name,
				host.FirstLine(err.Error())))
			continue
		}
		notes = append(notes, "experiment "+s.Name+" goes on")
	}
	return notes, bad
}

var nan = reply.Num(math.NaN())

// wrong is an error about a request.
func wrong(msg string) error { return host.Wrong(msg) }

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func or(s, otherwise string) string { return cmp.Or(s, otherwise) }

// nums are figures of an answer.
func nums(v []float64) []reply.Num { return host.Nums(v) }

package experiments

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"metalab/kernel/host"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/experiment"
	"metalab/solvers/record"
)

// dropUnits takes rows out of an experiment, with their results.
func (h *room) dropUnits(
	c *host.Call, s experiment.Store, rep *reply.ExperimentReply, q *wire.ExperimentRequest,
) (*reply.ExperimentReply, error) {
	info, err := s.Info(c.Context(), q.Name)
	if errors.Is(err, experiment.ErrUnknown) {
		return nil, wrong("experiment: there is no experiment " + q.Name +
			nearExperiment(c.Context(), s, q.Name))
	}
	if err != nil {
		return nil, err
	}
	var what []string
	if q.Solver != "" {
		what = append(what, "solver="+q.Solver)
	}
	if q.Instance != "" {
		what = append(what, "instance="+q.Instance)
	}
	for _, n := range sortedKeys(q.Params) {
		what = append(what, n+"="+q.Params[n].String())
	}
	text := strings.Join(what, " ")
	if text == "" {
		return nil, wrong(fmt.Sprintf("experiment: drop what? as in: experiment %s drop solver=tabu, "+
			"instance=d198 or beta=3; remove deletes all", q.Name))
	}
	var numbers []int
	results := 0
	var labels, instances []string
	for r, err := range s.Rows(c.Context(), q.Name) {
		if err != nil {
			return nil, err
		}
		note(&labels, r.Unit.Label)
		note(&instances, r.Unit.Instance.Name)
		if !dropped(&r.Unit, q) {
			continue
		}
		numbers = append(numbers, r.Unit.Number)
		if r.State == experiment.Done || r.State == experiment.Failed {
			results++
		}
	}
	if len(numbers) == 0 {
		return nil, wrong(fmt.Sprintf("experiment: %s has no unit of %s; its rows are of %s on %s",
			q.Name, text, strings.Join(labels, ", "), strings.Join(instances, ", ")))
	}
	n, err := h.takeOut(c, s, q.Name, numbers)
	if errors.Is(err, experiment.ErrTaken) {
		return nil, wrong(fmt.Sprintf("experiment: %s is being made; experiment %s pause ends that",
			q.Name, q.Name))
	}
	if err != nil {
		return nil, err
	}
	if _, err := s.Add(c.Context(), q.Name, planWithout(info.Plan, q), nil); err != nil {
		return nil, err
	}
	said := fmt.Sprintf("dropped %s: %s, %s", text, counted(n, "unit"), counted(results, "result"))
	if err := s.Note(c.Context(), q.Name, said); err != nil {
		return nil, err
	}
	h.Publish(wire.Event{Kind: wire.EventProgress, Experiment: q.Name})
	rep.Note = said
	return h.tableOf(c.Context(), s, rep, q.Name)
}

// takeOut drops units of an experiment that nobody makes, also not soon.
func (h *room) takeOut(c *host.Call, s experiment.Store, name string, numbers []int) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.making[name] != nil {
		return 0, experiment.ErrTaken
	}
	return s.Drop(c.Context(), name, numbers)
}

// note adds a word to a list that lacks it.
func note(list *[]string, word string) {
	if !slices.Contains(*list, word) {
		*list = append(*list, word)
	}
}

// dropped reports whether a unit is one of those that a request drops.
func dropped(u *experiment.Unit, q *wire.ExperimentRequest) bool {
	of := func(solver, variant, label string) bool {
		return q.Solver == "" || q.Solver == solver || q.Solver == solver+"/"+variant ||
			q.Solver == label
	}
	if !of(u.Solver, u.Variant, u.Label) || q.Instance != "" && q.Instance != u.Instance.Name &&
		q.Instance != u.Instance.Path {
		return false
	}
	for n, v := range q.Params {
		if u.Params[n] != v {
			return false
		}
	}
	return true
}

// planWithout is a plan without what a request drops, as far as a plan can say it: more seeds do
// not bring it back.
func planWithout(p experiment.Plan, q *wire.ExperimentRequest) experiment.Plan {
	p.Settings, p.Grid = slices.Clone(p.Settings), slices.Clone(p.Grid)
	p.Instances = slices.Clone(p.Instances)
	switch {
	case q.Solver != "" && q.Instance == "" && len(q.Params) == 0:
		p.Settings = slices.DeleteFunc(p.Settings, func(s experiment.Setting) bool {
			return q.Solver == s.Solver || q.Solver == s.Solver+"/"+s.Variant || q.Solver == s.Name
		})
	case q.Solver == "" && q.Instance != "" && len(q.Params) == 0:
		p.Instances = slices.DeleteFunc(p.Instances, func(n string) bool { return n == q.Instance })
	case q.Solver == "" && q.Instance == "" && len(q.Params) == 1:
		for i, a := range p.Grid {
			if v, ok := q.Params[a.Name]; ok {
				a.Values = slices.Clone(a.Values)
				p.Grid[i].Values = slices.DeleteFunc(a.Values, func(w record.Value) bool { return w == v })
			}
		}
	}
	return p
}

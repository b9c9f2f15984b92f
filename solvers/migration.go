package solvers

import (
	"fmt"
	"math"
	"slices"

	"metalab/solvers/arith"
	"metalab/solvers/internal/topology"
	"metalab/solvers/record"
)

// Policies: which of the received solutions an island accepts.
const (
	policyBetter = "better"
	policyBest   = "best"
	policyAll    = "all"
)

// letter is the best solution of an island at the end of an epoch.
type letter struct {
	value    float64 // infinite: there was none
	solution record.Solution
}

// A Migrant is a solution that an island accepted from another.
type Migrant struct {
	Iter  int64   `json:"i"`     // of the run, after which it came
	Epoch int64   `json:"epoch"` // of the sender, at whose end it was sent; the first is 1
	From  int     `json:"from"`  // the island that sent it; the first is 0
	To    int     `json:"to"`
	Value float64 `json:"value"`
}

// migrate ends an epoch.
func (a *archipelago) migrate(it int64, p *record.Point) error {
	sent := make([]letter, len(a.islands))
	a.wait(func(i int) {
		sent[i] = letter{a.islands[i].Best(), a.islands[i].Solution()}
	})
	a.mail = append(a.mail, sent)
	if at := len(a.mail) - 1 - a.delay; at >= 0 {
		if err := a.deliver(it, a.epoch-int64(a.delay), a.mail[at], p); err != nil {
			return err
		}
	}
	a.mail = a.mail[max(0, len(a.mail)-a.delay):]
	return nil
}

// senders returns the islands whose solutions, with these values, an island receives according to
// topology and policy; with policyBetter only those that are better than its own.
func (a *archipelago) senders(to int, values []float64) []int {
	from := topology.Topology(a.topologyName).From(to, values)
	if a.policy != policyAll && len(from) > 1 {
		best := from[0]
		for _, i := range from {
			if values[i] < values[best] {
				best = i
			}
		}
		from = []int{best}
	}
	return slices.DeleteFunc(slices.Clone(from), func(i int) bool { return math.IsInf(values[i], 1) })
}

// offers returns the solutions of an epoch that an island receives.
func (a *archipelago) offers(to int, sent []letter) (out []Incoming) {
	values := make([]float64, len(sent))
	for i := range sent {
		values[i] = sent[i].value
	}
	for _, i := range a.senders(to, values) {
		out = append(out, Incoming{sent[i].solution, values[i], a.policy == policyBetter})
	}
	return out
}

// deliver passes the solutions of an epoch to the islands.
func (a *archipelago) deliver(it, epoch int64, sent []letter, p *record.Point) error {
	values := make([]float64, len(sent))
	for i := range sent {
		values[i] = sent[i].value
	}
	for to, x := range a.islands {
		for _, i := range a.senders(to, values) {
			if a.policy == policyBetter && values[i] >= x.Best() {
				continue
			}
			changed, err := x.alg.(Admitter).Admit(x.count, sent[i].solution.Clone(), values[i])
			if err != nil {
				return fmt.Errorf("island %d: a solution of island %d: %w", to, i, err)
			}
			if !changed {
				continue
			}
			x.migrants = append(x.migrants, Migrant{it, epoch, i, to, values[i]})
			for _, d := range []*uint64{&p.Digest, &x.digest} {
				*d = arith.Chain(*d, uint64(epoch)<<32|uint64(i)<<16|uint64(to))
			}
		}
	}
	return nil
}

// compareMigrants compares what a record says that its island took in with what it did.
func compareMigrants(journal, came []record.Change) *Difference {
	for _, c := range journal {
		if c.Kind != record.KindMigrant {
			continue
		}
		if len(came) == 0 {
			return aside(c.Iter, "migrant", migrantText(c), "none")
		}
		if a, b := migrantText(c), migrantText(came[0]); c.Iter != came[0].Iter || a != b {
			return aside(min(c.Iter, came[0].Iter), "migrant", a, b)
		}
		came = came[1:]
	}
	if len(came) > 0 {
		return aside(came[0].Iter, "migrant", "none", migrantText(came[0]))
	}
	return nil
}

func migrantText(c record.Change) string {
	out := c.Name
	for _, n := range sortedNames(c.With) {
		out += " " + n + "=" + c.With[n].String()
	}
	return out
}

package conform

import (
	"context"
	"maps"
	"slices"

	"metalab/solvers/record"
)

// mostTries is the number of smaller cases tried for a failing one.
const mostTries = 40

// shrink returns the smallest failing case that it finds in some tries, by removing a part, a
// change or a number of iterations. A case whose launches a tuner chooses by the clock may fail at
// other iterations when it runs again, or not at all.
func shrink(ctx context.Context, p *parting) *parting {
	tries := 0
	better := func(c *drawn) bool {
		if tries >= mostTries || ctx.Err() != nil {
			return false
		}
		tries++
		if q := c.run(ctx, &tally{}); q != nil && !q.opening {
			p = q
			p.cut()
			return true
		}
		return false
	}
	p.cut()
	better(p.of) // as it is: the runs are traced where they part if that is the last iteration
	for again := true; again; {
		again = false
		for i := len(p.of.parts) - 2; i >= 0; i-- { // the last one is needed
			again = i < len(p.of.parts)-1 && better(p.of.without(i)) || again
		}
		for i := 0; i < len(p.of.parts); i++ {
			for _, less := range p.of.parts[i].smaller() {
				if i < len(p.of.parts) && better(p.of.with(i, less)) {
					again = true
					break
				}
			}
		}
		for _, name := range slices.Sorted(maps.Keys(p.of.params)) {
			if x, ok := p.of.params[name].Float(); ok && x >= 2 && x == float64(int(x)) {
				again = better(p.of.param(name, float64(int(x)/2))) || again
			}
		}
	}
	p.tries = tries
	return p
}

// cut leaves out what comes after the iteration that differs.
func (p *parting) cut() {
	c := *p.of
	c.parts = slices.Clone(c.parts[:p.part+1])
	before := int64(0)
	for _, q := range c.parts[:p.part] {
		before += int64(q.n)
	}
	if last := &c.parts[p.part]; p.iter > before {
		last.n = min(last.n, int(p.iter-before))
	}
	p.of = &c
}

// without is the case less the part with number i; the next part keeps its changes, unless it has
// others of the same.
func (c *drawn) without(i int) *drawn {
	d := *c
	d.parts = slices.Delete(slices.Clone(c.parts), i, i+1)
	next := &d.parts[i]
	next.set = joined(c.parts[i].set, next.set)
	next.both = joined(c.parts[i].both, next.both)
	return &d
}

// joined are the values of both, those of b where they have the same.
func joined(a, b record.Values) record.Values {
	out := record.Values{}
	maps.Copy(out, a)
	maps.Copy(out, b)
	return out
}

// with is the case with another part in the place of that with number i.
func (c *drawn) with(i int, p part) *drawn {
	d := *c
	d.parts = slices.Clone(c.parts)
	d.parts[i] = p
	return &d
}

// param is the case with another value of a parameter.
func (c *drawn) param(name string, x float64) *drawn {
	d := *c
	d.params = maps.Clone(c.params)
	d.params[name] = record.Num(x)
	return &d
}

// smaller are parts with less than p.
func (p part) smaller() (list []part) {
	if p.before != nothing {
		q := p
		q.before = nothing
		list = append(list, q)
	}
	if p.n > 1 {
		q, r := p, p
		q.n, r.n = 1, p.n/2
		list = append(list, q, r)
	}
	for _, name := range slices.Sorted(maps.Keys(p.both)) {
		q := p
		q.both = maps.Clone(p.both)
		delete(q.both, name)
		list = append(list, q)
	}
	for _, name := range slices.Sorted(maps.Keys(p.set)) {
		q := p
		q.set = maps.Clone(p.set)
		delete(q.set, name)
		list = append(list, q)
	}
	return list
}

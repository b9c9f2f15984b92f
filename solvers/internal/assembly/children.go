package assembly

import (
	"cmp"
	"context"
	"slices"

	"metalab/solvers/arith"
)

// pick is a child that gains: its cycles are picked[from:to].
type pick struct {
	from, to int
	score    float64
}

// lookEvery is the number of children between two looks at the context.
const lookEvery = 1 << 6

// try makes children of the couple in k, each of another cycle in random order or, with blocks, of
// the block round one of the longest, and keeps the best in out. It returns the score of that.
func (p *Population) try(
	ctx context.Context, r *arith.Stream, k *assembler, out *offspring, surplus int64, set Settings,
) float64 {
	k.live = k.live[:0] // empty after split: now the cycles not tried yet
	for c := range out.cycles {
		k.live = append(k.live, int32(c))
	}
	if set.Blocks {
		k.owners()
		slices.SortStableFunc(k.live, func(a, b int32) int {
			return cmp.Compare(len(k.cycle(b)), len(k.cycle(a)))
		})
	}
	several := set.several(p.sp.N)
	k.picks, k.picked = k.picks[:0], k.picked[:0]
	best := 0.0
	for i := range min(set.Children*several, out.cycles) {
		if i%lookEvery == 0 && ctx.Err() != nil {
			break
		}
		c := k.live[i]
		if set.Blocks {
			k.block(c, r)
		} else {
			j := i + r.IntN(out.cycles-i)
			c = k.live[j]
			k.live[j] = k.live[i]
			k.set = append(k.set[:0], c)
		}
		out.children++
		k.apply(k.set)
		score := p.score(&k.child, set.Greedy)
		// A child that is as long as B is mostly B.
		if score > best && k.child.gain != surplus {
			best = score
			k.keep()
			out.change.copyFrom(&k.child)
		}
		if several > 1 && score > 0 {
			from := len(k.picked)
			k.picked = append(k.picked, k.set...)
			k.picks = append(k.picks, pick{from, len(k.picked), score})
		}
		k.undo()
	}
	if best > 0 && len(k.picks) > 1 {
		k.together(several, out, surplus)
	}
	k.live = k.live[:0]
	return best
}

// together makes the child of the best picks, those that have no cycle in common, and takes it in
// place of the one in out if it is shorter.
func (k *assembler) together(most int, out *offspring, surplus int64) {
	slices.SortStableFunc(k.picks, func(a, b pick) int { return cmp.Compare(b.score, a.score) })
	for len(k.taken) < out.cycles {
		k.taken = append(k.taken, false)
	}
	k.set = k.set[:0]
	for _, x := range k.picks {
		if most == 0 {
			break
		}
		set := k.picked[x.from:x.to]
		if slices.ContainsFunc(set, func(c int32) bool { return k.taken[c] }) {
			continue
		}
		for _, c := range set {
			k.taken[c] = true
		}
		k.set = append(k.set, set...)
		most--
	}
	for _, c := range k.set {
		k.taken[c] = false
	}
	k.apply(k.set)
	if k.child.gain > out.change.gain && k.child.gain != surplus {
		k.keep()
		out.change.copyFrom(&k.child)
	}
	k.undo()
}

// score is how good a child is; only above 0 it may replace its parent.
func (p *Population) score(c *change, greedy bool) float64 {
	if c.gain <= 0 {
		return 0
	}
	if greedy {
		return float64(c.gain)
	}
	const little = 1e-9
	loss := 0.0
	for _, e := range c.cut {
		f := p.count.Of(e[0], e[1])
		loss += p.entropy[f] - p.entropy[f-1]
	}
	for _, e := range c.new {
		f := p.count.Of(e[0], e[1])
		loss -= p.entropy[f+1] - p.entropy[f]
	}
	return float64(c.gain) / max(loss, little)
}

package trail

import "math"

// Here a table's trails become words that several goroutines may change: acs/gpu does so for the
// time of an iteration. There is no matrix then.

// SharedAt is the number of the word that has the trail at a slot, or from len(ID) on of the
// entries of unlisted edges. Both directions of an edge of a symmetric instance have one word.
func (t *Table) SharedAt(i int32) int32 {
	if slots := int32(len(t.ID)); i >= slots {
		if t.rest.two {
			i = slots + (i-slots)&^1
		}
		return i
	}
	if t.Mirror != nil {
		if m := t.Mirror[i]; m >= 0 {
			return min(i, m)
		}
	}
	return i
}

// Share copies the trails to words, and returns these: one for each slot and each entry of an
// unlisted edge, of which those of SharedAt count.
func (t *Table) Share(words []uint32) []uint32 {
	words = words[:0]
	for _, tau := range t.Tau {
		words = append(words, math.Float32bits(tau))
	}
	for _, e := range t.rest.list {
		words = append(words, math.Float32bits(e.tau))
	}
	return words
}

// Unshare takes the trails back from words. Weights are not made.
func (t *Table) Unshare(words []uint32) {
	for i := range t.Tau {
		t.Tau[i] = math.Float32frombits(words[t.SharedAt(int32(i))])
	}
	for e := range t.rest.list {
		t.rest.list[e].tau = math.Float32frombits(words[t.SharedAt(int32(len(t.Tau)+e))])
	}
}

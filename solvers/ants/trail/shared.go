package trail

import "math"

// During an iteration of acs/gpu the trails of a table are words that several goroutines may
// change. Such a table has no matrix.

// SharedAt returns the index of the word with the trail of slot i or, from len(ID) on, of an entry
// of an unlisted edge. Both directions of an edge of a symmetric instance have one word.
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
// unlisted edge. Only those that SharedAt returns are used.
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

// Unshare copies the trails back from words. The weights are to be computed afterwards.
func (t *Table) Unshare(words []uint32) {
	for i := range t.Tau {
		t.Tau[i] = math.Float32frombits(words[t.SharedAt(int32(i))])
	}
	for e := range t.rest.list {
		t.rest.list[e].tau = math.Float32frombits(words[t.SharedAt(int32(len(t.Tau)+e))])
	}
}

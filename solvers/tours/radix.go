package tours

import "slices"

// radixSort sorts keys in increasing order. The low 32 bits are the item that a key
// belongs to; keys must come in increasing order of them among equal high halves, as
// only the high halves are sorted by digits, stably.
func radixSort(keys []uint64) {
	if len(keys) < 2048 {
		slices.Sort(keys)
		return
	}
	var top uint64
	for _, k := range keys {
		top |= k
	}
	src, dst := keys, make([]uint64, len(keys))
	const digit = 11 // bits: 2048 counters stay in the first-level cache
	for shift := 32; shift < 64 && top>>shift != 0; shift += digit {
		var start [1<<digit + 1]int
		for _, k := range src {
			start[k>>shift&(1<<digit-1)+1]++
		}
		for i := 1; i < 1<<digit; i++ {
			start[i] += start[i-1]
		}
		for _, k := range src {
			p := &start[k>>shift&(1<<digit-1)]
			dst[*p] = k
			*p++
		}
		src, dst = dst, src
	}
	if &src[0] != &keys[0] {
		copy(keys, src)
	}
}

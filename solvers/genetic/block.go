package genetic

// owners notes for each city the cycles that pass through it: two at most, for a passage takes
// an edge of each parent.
func (k *assembler) owners() {
	if k.owner == nil {
		k.owner = make([][2]int32, k.n)
	}
	for _, x := range k.cycles {
		k.owner[x] = [2]int32{-1, -1}
	}
	for c := range int32(k.count()) {
		for _, x := range k.cycle(c) {
			switch o := &k.owner[x]; {
			case o[0] < 0:
				o[0] = c
			case o[0] != c:
				o[1] = c
			}
		}
	}
}

// block makes k.set the cycle c and those smaller ones that pass through a city of it: together
// they change a region and mostly leave fewer subtours than c alone. It needs owners.
func (k *assembler) block(c int32) {
	k.set = append(k.set[:0], c)
	own := len(k.cycle(c))
	for _, x := range k.cycle(c) {
		for _, o := range k.owner[x] {
			if o >= 0 && o != c && len(k.cycle(o)) <= own && !has(k.set, o) {
				k.set = append(k.set, o)
			}
		}
	}
}

func has(set []int32, c int32) bool {
	for _, x := range set {
		if x == c {
			return true
		}
	}
	return false
}

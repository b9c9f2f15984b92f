package cpu

// ring is a tour as the two neighbours of each city.
type ring struct{ after, before []int32 }

func (g *ring) follow(tour []int32) {
	if g.after == nil {
		g.after, g.before = make([]int32, len(tour)), make([]int32, len(tour))
	}
	last := tour[len(tour)-1]
	for _, c := range tour {
		g.after[last], g.before[c] = c, last
		last = c
	}
}

// times counts how often the tour has the edge from i to j, in either direction.
func (g *ring) times(i, j int32) int {
	k := 0
	if g.after[i] == j {
		k++
	}
	if g.before[i] == j {
		k++
	}
	return k
}

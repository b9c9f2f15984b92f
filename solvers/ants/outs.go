package ants

// Outs is how many of its edges beyond its candidate list a city of acs/lockstep has trails for. Slots
// Width - Outs to Width - 1 of a city are theirs; so lists have at most [MostListed] candidates.
const Outs = 4

// MostListed is the greatest length of acs/lockstep's candidate lists.
const MostListed = Width - Outs

// outs are the edges beyond the lists that have trails: Outs places a city.
type outs struct {
	city []int32   // by place: where the edge leads; the city itself: nowhere
	dist []int32   // by place: how far that is
	tau  []float32 // by place: the trail; 0 for none
	eta  []float32 // by place: the weight over the trail
}

func newOuts(n int) *outs {
	o := &outs{
		city: make([]int32, n*Outs), dist: make([]int32, n*Outs),
		tau: make([]float32, n*Outs), eta: make([]float32, n*Outs),
	}
	o.clear()
	return o
}

func (o *outs) clear() {
	for p := range o.city {
		o.city[p], o.tau[p] = int32(p/Outs), 0
	}
}

// find is the place of the edge from c to j, which is another city, or -1.
func (o *outs) find(c, j int32) int32 {
	at := c * Outs
	for i, to := range o.city[at : at+Outs] {
		if to == j {
			return at + int32(i)
		}
	}
	return -1
}

// vacate is the place of c whose edge is given up for a new one: of those that lead neither to a
// nor to b the one with the least trail, the first of equal ones.
func (o *outs) vacate(c, a, b int32) int32 {
	place := int32(-1)
	for p := c * Outs; p < (c+1)*Outs; p++ {
		if to := o.city[p]; to != a && to != b && (place < 0 || o.tau[p] < o.tau[place]) {
			place = p
		}
	}
	return place
}

package trail

// OutsPerCity is the number of edges beyond its candidate list for which a city of acs/lockstep has
// trails. With up to [MostListed] candidates they have the slots Width - OutsPerCity to Width - 1
// of a city.
const OutsPerCity = 4

// MostListed is the greatest length of acs/lockstep's candidate lists that leaves room for those
// edges in a row as wide as a warp. With longer lists they come behind Width slots.
const MostListed = Width - OutsPerCity

// Outs are the edges beyond the lists that have trails: OutsPerCity places a city.
type Outs struct {
	City []int32   // by place: where the edge leads; the city itself: nowhere
	Dist []int32   // by place: how far that is
	Tau  []float32 // by place: the trail; 0 for none
	Eta  []float32 // by place: the weight over the trail
}

// NewOuts makes room for the edges of n cities; all places are empty.
func NewOuts(n int) *Outs {
	o := &Outs{
		City: make([]int32, n*OutsPerCity), Dist: make([]int32, n*OutsPerCity),
		Tau: make([]float32, n*OutsPerCity), Eta: make([]float32, n*OutsPerCity),
	}
	o.Clear()
	return o
}

// Clear empties all places.
func (o *Outs) Clear() {
	for p := range o.City {
		o.City[p], o.Tau[p] = int32(p/OutsPerCity), 0
	}
}

// Find is the place of the edge from c to j, which is another city, or -1.
func (o *Outs) Find(c, j int32) int32 {
	at := c * OutsPerCity
	for i, to := range o.City[at : at+OutsPerCity] {
		if to == j {
			return at + int32(i)
		}
	}
	return -1
}

// Vacate returns the place of c whose edge is replaced by a new one: of those that lead neither to
// a nor to b the one with the least trail, the first of equal ones.
func (o *Outs) Vacate(c, a, b int32) int32 {
	place := int32(-1)
	for p := c * OutsPerCity; p < (c+1)*OutsPerCity; p++ {
		if to := o.City[p]; to != a && to != b && (place < 0 || o.Tau[p] < o.Tau[place]) {
			place = p
		}
	}
	return place
}

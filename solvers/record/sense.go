package record

// A Sense says which values of an objective are better. Searches, records and the file of
// experiments hold costs, where smaller is better. Code that shows a cost, or reads a value from a
// user, converts it here.
type Sense bool

// The senses of an objective.
const (
	Minimise Sense = false
	Maximise Sense = true
)

// Value converts a cost into a value of the objective. Under Maximise a cost of 0 becomes 0, not
// -0.
func (s Sense) Value(cost float64) float64 {
	if s == Maximise {
		return 0 - cost
	}
	return cost
}

// Cost converts a value of the objective into a cost.
func (s Sense) Cost(value float64) float64 { return s.Value(value) }

// Values converts each cost into a value.
func (s Sense) Values(costs []float64) []float64 {
	out := make([]float64, len(costs))
	for i, c := range costs {
		out[i] = s.Value(c)
	}
	return out
}

// Point returns a point of a history with values in place of costs.
func (s Sense) Point(p Point) Point {
	p.Best, p.IterBest, p.Mean = s.Value(p.Best), s.Value(p.IterBest), s.Value(p.Mean)
	return p
}

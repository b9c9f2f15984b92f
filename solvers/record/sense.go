package record

// A Sense says which values of an objective are better. Searches, records and the file of
// experiments hold costs, of which smaller ones are better. Whoever shows a cost, or reads a value
// that somebody typed, turns it here.
type Sense bool

// The senses of an objective.
const (
	Minimise Sense = false
	Maximise Sense = true
)

// Value is the value of the objective that a cost stands for. The other sign of 0 is 0.
func (s Sense) Value(cost float64) float64 {
	if s == Maximise {
		return 0 - cost
	}
	return cost
}

// Cost is the cost that stands for a value of the objective.
func (s Sense) Cost(value float64) float64 { return s.Value(value) }

// Values are Value of each cost.
func (s Sense) Values(costs []float64) []float64 {
	out := make([]float64, len(costs))
	for i, c := range costs {
		out[i] = s.Value(c)
	}
	return out
}

// Point is a point of a history with values in place of costs.
func (s Sense) Point(p Point) Point {
	p.Best, p.IterBest, p.Mean = s.Value(p.Best), s.Value(p.IterBest), s.Value(p.Mean)
	return p
}

// Package rows is one that inputs have no name for: they come by its values as results alone.
package rows

// Rows are bests of iterations.
type Rows struct{ Bests List }

// Len counts the rows.
func (r *Rows) Len() int { return len(r.Bests) }

// List is a list of numbers.
type List []float64

// Max is the largest.
func (l List) Max() float64 {
	var m float64
	for _, v := range l {
		m = max(m, v)
	}
	return m
}

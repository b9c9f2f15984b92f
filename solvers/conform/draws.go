package conform

import (
	"strconv"
	"strings"

	"metalab/solvers/arith"
	"metalab/solvers/record"
)

// Draws are what a case of CheckShapes is drawn with.
type Draws struct{ arith.Stream }

// newDraws returns the draws of the case with this number, of the table with this name.
func newDraws(seed uint64, name string, number int) *Draws {
	h := uint32(2166136261) // FNV-1a
	for i := range len(name) {
		h = (h ^ uint32(name[i])) * 16777619
	}
	return &Draws{arith.NewStream(seed, uint64(number), h, 0)}
}

// Int draws a number from lo to hi.
func (d *Draws) Int(lo, hi int) int { return lo + d.IntN(hi-lo+1) }

// OneIn is true once in n times.
func (d *Draws) OneIn(n int) bool { return d.IntN(n) == 0 }

// One draws one of some values.
func One[T any](d *Draws, of ...T) T { return of[d.IntN(len(of))] }

// Choices are a parameter's name and the values that are drawn for it, each as often as another.
type Choices struct {
	Name   string
	Values []record.Value
}

// Among makes choices of lines as "ants 1 7 33 64" or "storage candidates matrix".
func Among(lines ...string) (list []Choices) {
	for _, l := range lines {
		f := strings.Fields(l)
		c := Choices{Name: f[0]}
		for _, word := range f[1:] {
			v := record.Text(word)
			if x, err := strconv.ParseFloat(word, 64); err == nil {
				v = record.Num(x)
			} else if word == "true" || word == "false" {
				v = record.Bool(word == "true")
			}
			c.Values = append(c.Values, v)
		}
		list = append(list, c)
	}
	return list
}

// All draws a value for every parameter.
func (d *Draws) All(list []Choices) record.Values {
	out := record.Values{}
	for _, c := range list {
		out[c.Name] = One(d, c.Values...)
	}
	return out
}

// Some draws values for about half of the parameters, and for one at least.
func (d *Draws) Some(list []Choices) record.Values {
	out := record.Values{}
	if len(list) == 0 {
		return out
	}
	sure := d.IntN(len(list))
	for i, c := range list {
		if v := One(d, c.Values...); i == sure || d.OneIn(2) {
			out[c.Name] = v
		}
	}
	return out
}

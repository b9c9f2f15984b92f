package moves

import (
	"context"
	"math/bits"
)

// classes sort the rows of a perceptron by their products, so that a neighbour is evaluated
// by class instead of by row.
//
// A flip of column i moves every row up or down by 2. With the rows of a class (those with the same
// product) as a set of bits, and U(i) the set that goes up, a flip of i and j moves up by 4 as many
// rows of a class as U(i) and U(j) have in common there: one count of bits in a word for each 64
// rows. How many go down follows from the sizes. The energy then needs only the number of rows that
// each product has afterwards.
type classes struct {
	// number of classes: for the products first, first + 2, ..., with four empty ones before and
	// five after; flips lead to all but the first and the last two
	n     int
	first int32   // the product of class 0
	size  []int32 // rows of a class
	want  []int32 // rows that it should have; 0 for products below 1, and where no neighbour has any
	price []int64 // of a row whose product is negative
	below int     // classes with a negative product
	left  int64   // rows that are wanted outside all classes

	words []int32 // class c has the words from words[c] to words[c+1]
	order []int32 // rows by class
	bit   []int32 // its place among the bits, for each of order
	row   int     // words of a column
	up    []uint64
	count []int32 // of up by column and class
}

// sort sorts the rows of t.
func (c *classes) sort(t *pppWalk, w wave) {
	lo, hi := t.y[0], t.y[0]
	for _, y := range t.y {
		lo, hi = min(lo, y), max(hi, y)
	}
	c.first = lo - 8
	c.n = int(hi-lo)/2 + 10
	c.size, c.want, c.price = renew(c.size, c.n), renew(c.want, c.n), renew(c.price, c.n)
	c.words, c.order, c.bit = renew(c.words, c.n+1), renew(c.order, len(t.y)), renew(c.bit, len(t.y))
	for _, y := range t.y {
		c.size[(y-c.first)/2]++
	}
	c.below, c.left = 0, 0
	for _, h := range t.inst.H {
		c.left += int64(h)
	}
	next := make([]int32, c.n) // the next bit of a class
	start := make([]int32, c.n)
	for k := range c.n {
		switch y := c.first + 2*int32(k); {
		case y < 0:
			c.below = k + 1
			c.price[k] = 60 * int64(-y)
		case k > 0 && k < c.n-2 && int(y) < len(t.inst.H):
			c.want[k] = t.inst.H[y]
			c.left -= int64(c.want[k])
		}
		// An empty class has a word too, so that the loops need no test.
		c.words[k+1] = c.words[k] + max((c.size[k]+63)/64, 1)
		next[k] = 64 * c.words[k]
		if k > 0 {
			start[k] = start[k-1] + c.size[k-1]
		}
	}
	for j, y := range t.y {
		k := (y - c.first) / 2
		c.order[start[k]], c.bit[start[k]] = int32(j), next[k]
		start[k]++
		next[k]++
	}
	c.row = int(c.words[c.n])
	c.up, c.count = renew(c.up, c.row*t.inst.N), renew(c.count, c.n*t.inst.N)
	per := int64(t.inst.M) / 16 // a column takes about as long as this many neighbours
	_, _ = wave{
		ctx: context.Background(), pool: w.pool, block: w.block,
	}.run(int64(t.inst.N), per, int64(t.inst.M+c.row+c.n), func(lo, hi int64) choice {
		for i := lo; i < hi; i++ {
			c.column(t, int(i))
		}
		return noChoice
	})
}

// column computes the set of a column.
func (c *classes) column(t *pppWalk, i int) {
	m := t.inst.M
	col, v := t.cols[i*m:][:m], t.v[i]
	up, count := c.up[i*c.row:][:c.row], c.count[i*c.n:][:c.n]
	for x, j := range c.order {
		b := c.bit[x]
		// The flip subtracts 2 col v: a row goes up where col and v differ.
		up[b>>6] |= uint64(uint8(col[j]^v)>>7) << (b & 63)
	}
	for k := range count {
		var s int
		for _, x := range up[c.words[k]:c.words[k+1]] {
			s += bits.OnesCount64(x)
		}
		count[k] = int32(s)
	}
}

// renew returns n zeros, in the memory of s when it is enough.
func renew[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// one returns the energy after a flip of column i.
func (c *classes) one(i int) int64 {
	up := c.count[i*c.n:][:c.n]
	f := c.left
	for k := 1; k < c.n-1; k++ {
		// Rows come up from the class below and down from the class above.
		h := up[k-1] + c.size[k+1] - up[k+1]
		f += c.part(k, h)
	}
	return f
}

// part returns the cost of h rows in class k.
func (c *classes) part(k int, h int32) int64 {
	if k < c.below {
		return c.price[k] * int64(h)
	}
	d := c.want[k] - h
	return int64(max(d, -d))
}

// two returns the energy after flips of columns i and j. The even classes and the odd ones form a
// chain each, in which a row moves by one place.
func (c *classes) two(i, j int) int64 {
	n := c.n
	ui, uj := c.up[i*c.row:][:c.row], c.up[j*c.row:][:c.row]
	ci, cj := c.count[i*n:][:n], c.count[j*n:][:n]
	size, want := c.size[:n], c.want[:n]
	words := c.words[:n+1]
	f := c.left
	for odd := range 2 {
		var up, up2, stay int32 // of the class before, of that before it; those that stay
		for k := odd; k < n; k += 2 {
			lo, hi := int(words[k]), int(words[k+1])
			both := bits.OnesCount64(ui[lo] & uj[lo])
			for x := lo + 1; x < hi; x++ {
				both += bits.OnesCount64(ui[x] & uj[x])
			}
			b := int32(both)
			one := ci[k] + cj[k] - 2*b
			down := size[k] - b - one
			if k >= 2 {
				h := stay + up2 + down
				if k-2 < c.below {
					f += c.price[k-2] * int64(h)
				} else {
					d := want[k-2] - h
					f += int64(max(d, -d))
				}
			}
			up2, up, stay = up, b, one
		}
	}
	return f
}

// prefix holds what depends only on the first two of three flips.
type prefix struct {
	and, xor  []uint64
	one, both []int32 // counts by class: of the first plus the second, and in common
}

func (p *prefix) make(c *classes, i, j int) {
	p.and, p.xor = renew(p.and, c.row), renew(p.xor, c.row)
	p.one, p.both = renew(p.one, c.n), renew(p.both, c.n)
	ui, uj := c.up[i*c.row:][:c.row], c.up[j*c.row:][:c.row]
	for x := range ui {
		p.and[x], p.xor[x] = ui[x]&uj[x], ui[x]^uj[x]
	}
	for k := range c.n {
		p.one[k] = c.count[i*c.n+k] + c.count[j*c.n+k]
		var s int
		for _, x := range p.and[c.words[k]:c.words[k+1]] {
			s += bits.OnesCount64(x)
		}
		p.both[k] = int32(s)
	}
}

// three returns the energy after the two flips of p and one of column l; h is scratch for c.n + 6
// numbers.
func (c *classes) three(p *prefix, l int, h []int32) int64 {
	n := c.n
	h = h[:n+6]
	clear(h)
	ul, cl := c.up[l*c.row:][:c.row], c.count[l*n:][:n]
	for k := range n {
		var a, b int32
		for x := c.words[k]; x < c.words[k+1]; x++ {
			a += int32(bits.OnesCount64(p.and[x] & ul[x]))
			b += int32(bits.OnesCount64(p.xor[x] & ul[x]))
		}
		// Sums over the sets, over their pairs, and over all three.
		s1, s2, s3 := p.one[k]+cl[k], p.both[k]+2*a+b, a
		h[k+6] += s3
		h[k+4] += s2 - 3*s3
		h[k+2] += s1 - 2*s2 + 3*s3
		h[k] += c.size[k] - s1 + s2 - s3
	}
	f := c.left
	for k := range n {
		f += c.part(k, h[k+3])
	}
	return f
}

package moves

// packed keeps E, and for every pair i < j
//
//	W[i][j] = E[i][j] + E[j][i] + the last term of its move,
//
// with two numbers in a word. The word is lo + hi 2^32 as one integer, so that sums and multiples
// of words are those of both numbers at once, whatever their signs, as long as each fits in 32 bits
// when it is extracted (qapForm.small).
type packed struct {
	f        *qapForm
	n, words int // words of a row
	e, w     []int64
	diagonal []int64 // E[i][i]

	columns [2][]int64 // the new columns r and s of E
	line    []int64    // scratch: a row of W

	x             vectors
	u, v, s, z, d []int64 // x.u, x.v, x.w, x.z and diagonal, packed
	stale         bool    // the products are still to be added to w
}

// far fills the numbers of a word that are no move: it is above all deltas.
const far = 1 << 30

func newPacked(f *qapForm) *packed {
	k := &packed{f: f, n: f.n, words: (f.n + 1) / 2, x: newVectors(f.n)}
	k.e, k.w = make([]int64, k.n*k.words), make([]int64, k.n*k.words)
	k.diagonal, k.line = make([]int64, k.n), make([]int64, 2*k.words)
	k.columns = [2][]int64{make([]int64, k.n), make([]int64, k.n)}
	for _, p := range []*[]int64{&k.u, &k.v, &k.s, &k.z, &k.d} {
		*p = make([]int64, k.words)
	}
	if k.n%2 == 1 {
		k.line[k.n] = far
	}
	return k
}

// lane returns number j of a row.
func lane(row []int64, j int) int64 {
	w := row[j>>1]
	if j&1 == 0 {
		return int64(int32(w))
	}
	return (w + 1<<31) >> 32
}

// setLane puts a number in place j of a row.
func setLane(row []int64, j int, x int64) {
	d := x - lane(row, j)
	row[j>>1] += d << (32 * (j & 1))
}

func pack(to, from []int64) {
	for i := range to {
		to[i] = from[2*i]
		if 2*i+1 < len(from) {
			to[i] += from[2*i+1] << 32
		}
	}
}

func (k *packed) row(m []int64, i int) []int64 { return m[i*k.words:][:k.words] }

func (k *packed) at(i, j int) int64 { return lane(k.row(k.e, i), j) }

func (k *packed) load(p []int32, w wave) {
	k.f.entries(p, w, k.e, k.words, func(m []int64, x int, to []int64) {
		j := 2 * x
		one := m[int(p[j])*k.n:][:k.n]
		if j+1 == k.n {
			permuted(to, one, p)
			return
		}
		other := m[int(p[j+1])*k.n:][:k.n]
		for i, pi := range p {
			to[i] = one[pi] + other[pi]<<32
		}
	}, func(x int) int64 {
		d := k.f.db[p[2*x]]
		if 2*x+1 < k.n {
			d += k.f.db[p[2*x+1]] << 32
		}
		return d
	})
	for i := range k.n {
		k.diagonal[i] = k.at(i, i)
	}
	column := k.columns[0]
	for t := range k.n {
		for i := range k.n {
			column[i] = k.at(i, t)
		}
		k.mend(p, t, column)
	}
	for _, z := range [][]int64{k.u, k.v, k.s, k.z} {
		clear(z)
	}
	pack(k.d, k.diagonal)
	k.stale = false
}

// mend computes the entries of W for position t, from row t of E and its column.
func (k *packed) mend(p []int32, t int, column []int64) {
	n := k.n
	line := k.line[:len(p)]
	fa, fb := k.f.fa[t*n:][:len(p)], k.f.fb[int(p[t])*n:][:n]
	own := k.row(k.e, t)
	column = column[:len(p)]
	for i, pi := range p {
		line[i] = column[i] + lane(own, i) + fa[i]*fb[pi]
	}
	at, shift := t>>1, 32*(t&1)
	for i := range line[:t] {
		w := &k.w[i*k.words+at]
		old := int64(int32(*w))
		if shift > 0 {
			old = (*w + 1<<31) >> 32
		}
		*w += (line[i] - old) << shift
	}
	line[t] += far
	row := k.row(k.w, t)
	for x := (t + 1) / 2; x < len(row); x++ {
		row[x] = k.line[2*x] + k.line[2*x+1]<<32
	}
}

func (k *packed) begin(p []int32, r, s int) {
	k.x.fill(k.f, p, r, s)
	pack(k.v, k.x.v)
	if k.f.pairs == 2 {
		pack(k.z, k.x.z)
	}
}

func (k *packed) rows(lo, hi, r, s int) {
	for i := lo; i < hi; i++ {
		row := k.row(k.e, i)
		er, es := lane(row, r), lane(row, s)
		setLane(row, r, es)
		setLane(row, s, er)
		u := k.x.u[i]
		k.columns[0][i] = es + u*k.x.v[r]
		k.columns[1][i] = er + u*k.x.v[s]
		k.diagonal[i] += u * k.x.v[i]
		if k.f.pairs == 2 {
			w := k.x.w[i]
			k.columns[0][i] += w * k.x.z[r]
			k.columns[1][i] += w * k.x.z[s]
			k.diagonal[i] += w * k.x.z[i]
			v, z := k.v[:len(row)], k.z[:len(row)]
			for j := range row {
				row[j] += u*v[j] + w*z[j]
			}
		} else if u != 0 {
			v := k.v[:len(row)]
			j := 0
			for ; j+4 <= len(row); j += 4 { // by fours: a third faster
				x, y := (*[4]int64)(row[j:]), (*[4]int64)(v[j:])
				x[0] += u * y[0]
				x[1] += u * y[1]
				x[2] += u * y[2]
				x[3] += u * y[3]
			}
			for ; j < len(row); j++ {
				row[j] += u * v[j]
			}
		}
	}
}

func (k *packed) end(p []int32, r, s int) {
	k.diagonal[r], k.diagonal[s] = k.columns[0][r], k.columns[1][s]
	k.x.spare(r, s)
	pack(k.u, k.x.u)
	pack(k.v, k.x.v)
	pack(k.d, k.diagonal)
	if k.f.pairs == 2 {
		pack(k.s, k.x.w)
		pack(k.z, k.x.z)
	}
	k.mend(p, r, k.columns[0])
	k.mend(p, s, k.columns[1])
	k.stale = true
}

func (k *packed) fresh() { k.stale = false }

func (k *packed) delta(i, j int) int64 {
	return lane(k.row(k.w, i), j) - k.diagonal[i] - k.diagonal[j]
}

// signs are the sign bits of the two numbers of a word.
const signs = -1<<63 | 1<<31

func (k *packed) best(lo, hi int, admit func(i, j int, d int64) bool) (least int64, at [2]int) {
	least, at = far/2, [2]int{none, none}
	for i := lo; i < hi; i++ {
		from := (i + 1) / 2
		row := k.row(k.w, i)[from:]
		d := k.d[from:][:len(row)]
		own := k.diagonal[i]
		limit := least + own
		bound := limit + limit<<32
		// A number of w - d below the limit sets its sign bit. In the high half a borrow can set it
		// wrongly only if the low half's is set too.
		u, v := k.x.u[i], k.x.v[i]
		switch {
		case k.stale && k.f.pairs == 1 && u|v != 0:
			uu, vv := k.u[from:][:len(row)], k.v[from:][:len(row)]
			for x, w := range row {
				w += u*vv[x] + v*uu[x]
				row[x] = w
				if w -= d[x]; (w-bound)&signs != 0 {
					least = k.look(i, from+x, w, least, &at, admit)
					limit = least + own
					bound = limit + limit<<32
				}
			}
			continue
		case k.stale && k.f.pairs == 2:
			k.renew(i, from, row)
		}
		for x, w := range row {
			if w -= d[x]; (w-bound)&signs != 0 {
				least = k.look(i, from+x, w, least, &at, admit)
				limit = least + own
				bound = limit + limit<<32
			}
		}
	}
	return least, at
}

// look takes, of the moves of a word of row i, those below least.
func (k *packed) look(
	i, x int, w, least int64, at *[2]int, admit func(i, j int, d int64) bool,
) int64 {
	own := k.diagonal[i]
	if d := int64(int32(w)) - own; d < least && (admit == nil || admit(i, 2*x, d)) {
		least, *at = d, [2]int{i, 2 * x}
	}
	if d := (w+1<<31)>>32 - own; d < least && (admit == nil || admit(i, 2*x+1, d)) {
		least, *at = d, [2]int{i, 2*x + 1}
	}
	return least
}

// renew adds the two pairs of products to what is above the diagonal in row i of W.
func (k *packed) renew(i, from int, row []int64) {
	u, v, w, z := k.x.u[i], k.x.v[i], k.x.w[i], k.x.z[i]
	uu, vv := k.u[from:][:len(row)], k.v[from:][:len(row)]
	ww, zz := k.s[from:][:len(row)], k.z[from:][:len(row)]
	for x := range row {
		row[x] += u*vv[x] + v*uu[x] + w*zz[x] + z*ww[x]
	}
}

package moves

// packed keeps E, and for every pair i < j
//
//	W[i][j] = E[i][j] + E[j][i] + the last term of its move,
//
// two numbers to a word: the word is lo + hi 2^32 as one integer, so that sums and
// multiples of words are those of both numbers at once, whatever their signs, as long as
// each fits in 32 bits when it is taken out (qapForm.small).
type packed struct {
	f        *qapForm
	n, words int // words of a row
	e, w     []int64
	diagonal []int64 // E[i][i]

	x             vectors
	u, v, s, z, d []int64 // x.u, x.v, x.w, x.z and diagonal, packed
	stale         bool    // w waits for the products
}

// far stands where a word has no move: its delta is above all others.
const far = 1 << 30

func newPacked(f *qapForm) *packed {
	k := &packed{f: f, n: f.n, words: (f.n + 1) / 2, x: newVectors(f.n)}
	k.e, k.w = make([]int64, k.n*k.words), make([]int64, k.n*k.words)
	k.diagonal = make([]int64, k.n)
	for _, p := range []*[]int64{&k.u, &k.v, &k.s, &k.z, &k.d} {
		*p = make([]int64, k.words)
	}
	return k
}

// lane takes number j out of a row.
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

func (k *packed) load(p []int32) {
	for i := range k.n {
		row := k.row(k.e, i)
		clear(row)
		for j := range k.n {
			setLane(row, j, k.f.entry(p, i, j))
		}
		k.diagonal[i] = lane(row, i)
	}
	for i := range k.n {
		row := k.row(k.w, i)
		clear(row)
		if k.n%2 == 1 {
			setLane(row, k.n, far)
		}
	}
	for i := range k.n {
		k.mend(p, i)
	}
	for _, z := range [][]int64{k.u, k.v, k.s, k.z} {
		clear(z)
	}
	pack(k.d, k.diagonal)
	k.stale = false
}

// mend makes the entries of W that belong to position t, from E.
func (k *packed) mend(p []int32, t int) {
	n, own := k.n, k.row(k.e, t)
	fa, fb := k.f.fa[t*n:][:n], k.f.fb[int(p[t])*n:][:n]
	mine := k.row(k.w, t)
	for i := range n {
		x := k.at(i, t) + lane(own, i) + fa[i]*fb[p[i]]
		switch {
		case i < t:
			setLane(k.row(k.w, i), t, x)
		case i == t:
			setLane(mine, t, x+far)
		default:
			setLane(mine, i, x)
		}
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
		if k.f.pairs == 2 {
			w := k.x.w[i]
			v, z := k.v[:len(row)], k.z[:len(row)]
			for j := range row {
				row[j] += u*v[j] + w*z[j]
			}
		} else if u != 0 {
			v := k.v[:len(row)]
			for j := range row {
				row[j] += u * v[j]
			}
		}
		k.diagonal[i] = lane(row, i)
	}
}

func (k *packed) end(p []int32, r, s int) {
	k.x.spare(r, s)
	pack(k.u, k.x.u)
	pack(k.v, k.x.v)
	pack(k.d, k.diagonal)
	if k.f.pairs == 2 {
		pack(k.s, k.x.w)
		pack(k.z, k.x.z)
	}
	k.mend(p, r)
	k.mend(p, s)
	k.stale = true
}

func (k *packed) fresh() { k.stale = false }

func (k *packed) delta(i, j int) int64 {
	return lane(k.row(k.w, i), j) - k.diagonal[i] - k.diagonal[j]
}

func (k *packed) best(lo, hi int, admit func(i, j int, d int64) bool) (least int64, at [2]int) {
	least, at = far/2, [2]int{-1, -1}
	for i := lo; i < hi; i++ {
		from := (i + 1) / 2
		row := k.row(k.w, i)[from:]
		if k.stale {
			k.renew(i, from, row)
		}
		own := k.diagonal[i]
		limit := least + own
		d := k.d[from:][:len(row)]
		for x, w := range row {
			w -= d[x]
			lo := int64(int32(w))
			hi := (w + 1<<31) >> 32
			if lo < limit {
				if j := 2 * (from + x); admit == nil || admit(i, j, lo-own) {
					limit, least, at = lo, lo-own, [2]int{i, j}
				}
			}
			if hi < limit {
				if j := 2*(from+x) + 1; admit == nil || admit(i, j, hi-own) {
					limit, least, at = hi, hi-own, [2]int{i, j}
				}
			}
		}
	}
	return least, at
}

// renew adds the products to what is above the diagonal in row i of W.
func (k *packed) renew(i, from int, row []int64) {
	if k.f.pairs == 2 {
		u, v, w, z := k.x.u[i], k.x.v[i], k.x.w[i], k.x.z[i]
		uu, vv, ww, zz := k.u[from:][:len(row)], k.v[from:][:len(row)], k.s[from:][:len(row)], k.z[from:][:len(row)]
		for x := range row {
			row[x] += u*vv[x] + v*uu[x] + w*zz[x] + z*ww[x]
		}
		return
	}
	u, v := k.x.u[i], k.x.v[i]
	if u == 0 && v == 0 {
		return
	}
	uu, vv := k.u[from:][:len(row)], k.v[from:][:len(row)]
	for x := range row {
		row[x] += u*vv[x] + v*uu[x]
	}
}

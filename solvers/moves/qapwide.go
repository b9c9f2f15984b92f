package moves

// wide is like packed, but with one number in a word, for instances with large numbers.
type wide struct {
	f        *qapForm
	n        int
	e, w     []int64
	diagonal []int64
	x        vectors
	stale    bool
}

func newWide(f *qapForm) *wide {
	return &wide{
		f: f, n: f.n, e: make([]int64, f.n*f.n), w: make([]int64, f.n*f.n), diagonal: make([]int64, f.n),
		x: newVectors(f.n),
	}
}

func (k *wide) at(i, j int) int64 { return k.e[i*k.n+j] }

func (k *wide) load(p []int32, w wave) {
	k.f.entries(p, w, k.e, k.n, func(m []int64, j int, to []int64) {
		permuted(to, m[int(p[j])*k.n:], p)
	}, func(j int) int64 { return k.f.db[p[j]] })
	for i := range k.n {
		k.diagonal[i] = k.at(i, i)
	}
	for i := range k.n {
		k.mend(p, i)
	}
	k.stale = false
}

func (k *wide) mend(p []int32, t int) {
	n := k.n
	fa, fb := k.f.fa[t*n:][:n], k.f.fb[int(p[t])*n:][:n]
	for i := range n {
		k.w[min(i, t)*n+max(i, t)] = k.at(i, t) + k.at(t, i) + fa[i]*fb[p[i]]
	}
}

func (k *wide) begin(p []int32, r, s int) { k.x.fill(k.f, p, r, s) }

func (k *wide) rows(lo, hi, r, s int) {
	for i := lo; i < hi; i++ {
		row := k.e[i*k.n:][:k.n]
		row[r], row[s] = row[s], row[r]
		u, v := k.x.u[i], k.x.v[:len(row)]
		if k.f.pairs == 2 {
			w, z := k.x.w[i], k.x.z[:len(row)]
			for j := range row {
				row[j] += u*v[j] + w*z[j]
			}
		} else {
			for j := range row {
				row[j] += u * v[j]
			}
		}
		k.diagonal[i] = row[i]
	}
}

func (k *wide) end(p []int32, r, s int) {
	k.x.spare(r, s)
	k.mend(p, r)
	k.mend(p, s)
	k.stale = true
}

func (k *wide) fresh() { k.stale = false }

func (k *wide) delta(i, j int) int64 { return k.w[i*k.n+j] - k.diagonal[i] - k.diagonal[j] }

func (k *wide) best(lo, hi int, admit func(i, j int, d int64) bool) (least int64, at [2]int) {
	least, at = 1<<62, [2]int{-1, -1}
	for i := lo; i < hi; i++ {
		row := k.w[i*k.n:][i+1 : k.n]
		if k.stale {
			k.renew(i, row)
		}
		own := k.diagonal[i]
		diagonal := k.diagonal[i+1:][:len(row)]
		for x, w := range row {
			if d := w - own - diagonal[x]; d < least && (admit == nil || admit(i, i+1+x, d)) {
				least, at = d, [2]int{i, i + 1 + x}
			}
		}
	}
	return least, at
}

func (k *wide) renew(i int, row []int64) {
	u, v := k.x.u[i], k.x.v[i]
	uu, vv := k.x.u[i+1:][:len(row)], k.x.v[i+1:][:len(row)]
	for x := range row {
		row[x] += u*vv[x] + v*uu[x]
	}
	if k.f.pairs == 2 {
		w, z := k.x.w[i], k.x.z[i]
		ww, zz := k.x.w[i+1:][:len(row)], k.x.z[i+1:][:len(row)]
		for x := range row {
			row[x] += w*zz[x] + z*ww[x]
		}
	}
}

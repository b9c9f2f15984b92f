package trail

// A Place is where the trail of an edge is: a slot of the edge's first city; -1 - s
// where s is a slot of its second city or, from len(ID) on, len(ID) plus an entry of the
// unlisted ones; or None.
type Place = int32

// None is the place of an edge for which no trail is stored outside the matrix.
const None Place = -1 << 31

// Place finds the edge from i to j.
func (t *Table) Place(i, j int32) Place {
	if s := t.Find(i, j); s >= 0 {
		return s
	}
	return t.placeUnlisted(i, j)
}

// placeUnlisted finds the edge from i to j when j is not on i's list.
func (t *Table) placeUnlisted(i, j int32) Place {
	if t.Mirror != nil {
		if s := t.Find(j, i); s >= 0 {
			return -1 - s
		}
	}
	if t.rest != nil {
		if e := t.rest.find(i, j); e >= 0 {
			return -1 - int32(len(t.ID)) - e
		}
	}
	return None
}

// Read is the trail of the edge from i to j at its place.
func (t *Table) Read(i, j int32, at Place) float32 {
	switch {
	case at >= 0:
		return t.Tau[at]
	case t.Full != nil:
		return t.Full.Tau[int(i)*t.N+int(j)]
	case at == None:
		return t.Off
	}
	if s := -1 - at; int(s) < len(t.Tau) {
		return t.Tau[s]
	}
	return t.rest.list[int(-1-at)-len(t.Tau)].tau
}

// at is the trail of the edge from i to j.
func (t *Table) at(i, j int32) float32 { return t.Read(i, j, t.Place(i, j)) }

// write makes v the trail of the edge from i to j, in a symmetric instance also from j to i,
// without its weights. An edge for which no trail is stored gets one if v is not the common trail.
func (t *Table) write(i, j int32, at Place, v float32) {
	if t.Full != nil {
		t.Full.Tau[int(i)*t.N+int(j)] = v
		if t.Mirror != nil {
			t.Full.Tau[int(j)*t.N+int(i)] = v
		}
	}
	switch {
	case at >= 0:
		t.Tau[at] = v
		if t.Mirror != nil {
			if m := t.Mirror[at]; m >= 0 {
				t.Tau[m] = v
			}
		}
	case at == None:
		if t.rest != nil && v != t.Off {
			t.rest.put(i, j, v)
		}
	case int(-1-at) < len(t.Tau):
		t.Tau[-1-at] = v
	default:
		t.rest.set(-1-at-int32(len(t.Tau)), v)
	}
}

// add strengthens the edge from i to j by d; in a symmetric instance that is also the edge from j
// to i. The weights are to be computed afterwards.
func (t *Table) add(i, j int32, d float32) {
	at := t.Place(i, j)
	t.write(i, j, at, t.Read(i, j, at)+d)
}

// Set is write, and also updates the weights.
func (t *Table) Set(i, j int32, at Place, v float32) {
	if at < 0 || t.Full != nil {
		t.write(i, j, at, v)
		t.reweigh(i, j, at, v)
		return
	}
	t.Tau[at] = v
	x := t.level(v)
	t.Weight[at] = Clip(float32(x * t.Eta[at]))
	if t.Mirror != nil {
		if m := t.Mirror[at]; m >= 0 {
			t.Tau[m] = v
			t.Weight[m] = Clip(float32(x * t.Eta[m]))
		}
	}
}

// reweigh computes the weights of an edge with the trail v.
func (t *Table) reweigh(i, j int32, at Place, v float32) {
	slot := at
	if at < 0 && at != None {
		slot = -1 - at
	}
	if slot >= 0 && int(slot) < len(t.Tau) {
		t.Weight[slot] = t.Weigh(v, t.Eta[slot])
		if t.Mirror != nil {
			if m := t.Mirror[slot]; m >= 0 {
				t.Weight[m] = t.Weigh(v, t.Eta[m])
			}
		}
	}
	if f := t.Full; f != nil {
		a, b := int(i)*t.N+int(j), int(j)*t.N+int(i)
		f.Weight[a] = t.Weigh(v, f.Eta[a])
		if t.Mirror != nil {
			f.Weight[b] = t.Weigh(v, f.Eta[b])
		}
	}
}

// block is the number of cities that a worker takes at a time.
const block = 512

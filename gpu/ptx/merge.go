package ptx

// merge brings the checks of a block together, in their order, before the loads between them: so
// one branch serves several checks, and the loads, which no branch parts any more, overlap. A
// thread that fails a check does not load; it fails the first one that it would have failed.
func (g *graph) merge() {
	for _, b := range g.blocks {
		b.insts = g.early(b.insts)
	}
}

// early orders the instructions of a block anew.
func (g *graph) early(insts []*inst) []*inst {
	checks := 0
	for _, in := range insts {
		if in.eff == check {
			checks++
		}
	}
	if checks == 0 {
		return insts
	}
	def := map[reg]*inst{}
	for _, in := range insts {
		if in.dst != 0 {
			def[in.dst] = in
		}
	}
	done := map[*inst]bool{}
	out := make([]*inst, 0, len(insts))
	var waits []*inst // not yet in out
	// loads reports whether in needs a waiting load. An instruction that needs none never will.
	none := map[*inst]bool{}
	var loads func(in *inst) bool
	loads = func(in *inst) bool {
		if done[in] || none[in] {
			return false
		}
		if in.eff == load {
			return true
		}
		for _, a := range in.args {
			if d := def[a.reg]; d != nil && !a.constant() && loads(d) {
				return true
			}
		}
		none[in] = true
		return false
	}
	var place func(in *inst)
	place = func(in *inst) {
		if done[in] {
			return
		}
		done[in] = true
		for _, a := range in.args {
			if d := def[a.reg]; d != nil && !a.constant() {
				place(d)
			}
		}
		out = append(out, in)
	}
	flush := func(all bool) {
		rest := waits[:0]
		for _, in := range waits { // the loads first, with what their addresses need
			if in.eff == load {
				place(in)
			}
		}
		for _, in := range waits {
			switch {
			case done[in]:
			case all:
				place(in)
			default:
				rest = append(rest, in)
			}
		}
		waits = rest
	}
	for _, in := range insts {
		switch in.eff {
		case pure, load:
			waits = append(waits, in)
		case check:
			if loads(in) {
				flush(false)
			}
			place(in)
		default:
			flush(true)
			place(in)
		}
	}
	flush(true)
	return together(out)
}

// together moves checks down to the next one, past what only computes.
func together(insts []*inst) []*inst {
	out := make([]*inst, 0, len(insts))
	var checks []*inst
	for _, in := range insts {
		switch in.eff {
		case check:
			checks = append(checks, in)
			continue
		case pure:
		default:
			out = append(out, checks...)
			checks = checks[:0]
		}
		out = append(out, in)
	}
	return append(out, checks...)
}

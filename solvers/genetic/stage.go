package genetic

import (
	"fmt"

	"metalab/solvers"
)

// stage is the progress of the search: in stage 1 children receive single cycles, in stage 2
// blocks, and in stage 3 it is over. A stage ends when for some generations in turn no better tour
// was found: as many as a tenth of the generations that the stage had taken when for the first time
// 1500 children of a tour brought none.
type stage struct {
	number int64
	made   int64 // generations in this stage
	idle   int64 // in turn without a better tour
	limit  int64 // of idle; 0: not known yet
}

// barren is the number of consecutive children of a tour without a new best that sets the limit.
const barren = 1500

// next counts a generation.
func (g *stage) next(better bool, children int) {
	if g.number == 0 { // the first population is complete
		g.number = 1
		return
	}
	if g.number > 2 {
		return
	}
	g.made++
	g.idle++
	if better {
		g.idle = 0
	}
	switch {
	case g.limit == 0:
		if g.idle >= int64(max(barren/children, 1)) {
			g.limit = max(g.made/10, 1)
		}
	case g.idle >= g.limit:
		if g.number++; g.number == 2 {
			g.made, g.idle, g.limit = 0, 0, 0
		}
	}
}

// ended tells why the search is over.
func (g *stage) ended() string {
	if g.number < 3 {
		return ""
	}
	return fmt.Sprintf("no better tour in %d generations with blocks", g.idle)
}

// ended tells why a search is over.
func ended(members []individual, g *stage) string {
	for i := range members {
		if members[i].length != members[0].length {
			return g.ended()
		}
	}
	if len(members) == 0 {
		return ""
	}
	return "all tours are equally long"
}

func (g *stage) snapshot(w *solvers.Writer) {
	w.Int64s("stage", g.number, g.made, g.idle, g.limit)
}

// restore reads the stage. If the size of the population changed, the stage begins anew.
func (g *stage) restore(r *solvers.Reader, population int) error {
	v := r.Int64s("stage", 4)
	if err := r.Err(); err != nil {
		return err
	}
	*g = stage{v[0], v[1], v[2], v[3]}
	if was, ok := r.Params["population"].Float(); ok && int(was) != population {
		*g = stage{number: min(g.number, 2)}
	}
	return nil
}

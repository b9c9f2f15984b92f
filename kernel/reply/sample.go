package reply

import "strings"

// Values returns one value per seed: "gap", "best", "iterations", "wall" or "cpu" seconds. Another
// word gives none.
func (s *Series) Values(what string) []float64 {
	var out []float64
	for i := range s.Results {
		r := &s.Results[i]
		switch what {
		case "gap":
			out = append(out, float64(r.Gap))
		case "best":
			out = append(out, float64(r.Best))
		case "iterations":
			out = append(out, float64(r.Iteration))
		case "wall":
			out = append(out, float64(r.WallS))
		case "cpu":
			out = append(out, float64(r.CPUS))
		}
	}
	return out
}

// Values returns the values of the finished units whose label has all the words and whose instance
// is instance, all for "": "gap", "best", "iterations", "wall" or "cpu". Their order is by instance
// and seed. The reply must be that of "units", which lists them.
func (r *ExperimentReply) Values(what, instance string, words ...string) []float64 {
	var s Series
	for i := range r.Of {
		u := &r.Of[i]
		has := (instance == "" || u.Instance == instance) && u.Best.Known()
		for _, w := range words {
			has = has && strings.Contains(" "+u.Label+" ", " "+w+" ")
		}
		if has {
			s.Results = append(s.Results, Seeded{
				Seed: u.Seed, Iteration: u.Iteration, Best: u.Best, Gap: u.Gap, WallS: u.WallS, CPUS: u.CPUS,
			})
		}
	}
	return s.Values(what)
}

package trail

// Width is the number of slots in a row that a warp reads, one a lane.
const Width = 32

// A Local holds the constants of the local update of Ant Colony System, Eq. 5 of M. Dorigo, L. M.
// Gambardella, 1997.
type Local struct {
	Tau0, Keep, Gain float32 // tau <- (1 - rho) tau + rho tau0: Keep tau + Gain
	TauMin           float32 // the trail of edges that are not stored
	Stored           float32 // the trail of an edge that a local update stores
}

// NewLocal is the update with local evaporation rho.
func NewLocal(rho float64, tau0, tauMin float32) Local {
	r := Local{
		Tau0: tau0, Keep: float32(1 - rho), Gain: float32(float32(rho) * tau0), TauMin: tauMin,
		Stored: tau0,
	}
	if tauMin != tau0 {
		r.Stored = max(tauMin, float32(r.Keep*tauMin)+r.Gain)
	}
	return r
}

// Worn returns a trail after a local update. A trail of tau0 is not computed, so that it stays
// exactly tau0.
func (r *Local) Worn(tau float32) float32 {
	if tau == r.Tau0 {
		return tau
	}
	return max(min(tau, r.Tau0), float32(r.Keep*tau)+r.Gain)
}

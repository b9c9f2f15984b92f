package host

import (
	"metalab/datasets"
	"metalab/kernel/view"
)

// mostEntries is the size limit of matrices for a small picture.
const mostEntries = 16 << 20

// instancePicture is a small PNG of an instance: its cities, its matrices, or its function
// along one axis. It is nil where
// there is nothing to draw.
func instancePicture(inst datasets.Instance) []byte {
	switch t := inst.(type) {
	case *datasets.TSP:
		if t.ShowX != nil {
			return view.ThumbnailCities(t.ShowX, t.ShowY)
		}
		if t.Matrix != nil && len(t.Matrix) <= mostEntries {
			return view.ThumbnailMatrices(t.N, t.N,
				func(i, j int) float64 { return float64(t.Matrix[i*t.N+j]) })
		}
	case *datasets.QAP:
		if len(t.A) <= mostEntries {
			return view.ThumbnailMatrices(t.N, t.N,
				func(i, j int) float64 {
					return float64(t.A[i*t.N+j])
				}, func(i, j int) float64 { return float64(t.B[i*t.N+j]) })
		}
	case *datasets.PPP:
		if len(t.A) <= mostEntries {
			return view.ThumbnailMatrices(t.M, t.N, func(i, j int) float64 { return float64(t.A[i*t.N+j]) })
		}
	case *datasets.Colouring:
		if t.N*t.N <= mostEntries {
			return view.ThumbnailMatrices(t.N, t.N, func(i, j int) float64 {
				if t.Adjacent(i, j) {
					return 1
				}
				return 0
			})
		}
	case *datasets.Weierstrass:
		lo, hi := t.Bounds()
		return view.ThumbnailFunction(t.At, lo, hi)
	}
	return nil
}

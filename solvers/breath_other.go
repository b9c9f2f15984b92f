//go:build !js

package solvers

// A breath is what a run in a page takes; see breath_js.go.
type breath struct{}

func (*breath) take() {}

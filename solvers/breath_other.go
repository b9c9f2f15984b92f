//go:build !js

package solvers

// A breath is the pause of a run in a page; see breath_js.go.
type breath struct{}

func (*breath) take() {}

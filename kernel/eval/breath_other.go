//go:build !js

package eval

// breathe is for a page; see breath_js.go.
func breathe() {}

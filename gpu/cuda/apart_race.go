//go:build race

package cuda

const apart = true

// Package fault finds where a panic of somebody's code began. It imports nothing of metalab.
package fault

import (
	"runtime"
	"slices"
	"strings"
)

// Place is where the panic that is being recovered began: the first function on the stack that
// is neither of Go's runtime nor of the packages that call somebody's code, which are given by
// their paths, and its line. The function is without its package's folders, and without main; it is
// empty where there is none. Call it in the deferred function that recovers.
func Place(callers ...string) (function string, line int) {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	panicked := false
	for {
		f, more := frames.Next()
		called := slices.ContainsFunc(callers, func(path string) bool {
			return strings.HasPrefix(f.Function, path+".")
		})
		switch {
		case f.Function == "runtime.gopanic":
			panicked = true
		case !panicked, called, strings.HasPrefix(f.Function, "runtime."):
		default:
			name := f.Function[strings.LastIndexByte(f.Function, '/')+1:]
			return strings.TrimPrefix(name, "main."), f.Line
		}
		if !more {
			return "", 0
		}
	}
}

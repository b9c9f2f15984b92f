package wire

import (
	"runtime"
	"runtime/debug"
	"sync"
)

// Build is the version of this program: the revision of its source where that is known,
// and the version of Go.
var Build = sync.OnceValue(func() string {
	b := runtime.Version()
	if bi, ok := debug.ReadBuildInfo(); ok {
		for _, s := range bi.Settings {
			if s.Key == "vcs.revision" {
				b = s.Value[:min(12, len(s.Value))] + " " + b
			}
		}
	}
	return b
})

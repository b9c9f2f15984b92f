package record

import (
	"runtime"
	"runtime/debug"
	"sync"
)

// Release is the version of metalab, as in CHANGELOG.md and CITATION.cff.
const Release = "v0.1.0"

// Build says what program this is: the version of metalab, the revision of its source where that
// is known, and the version of Go. A record's header keeps it; nothing compares it.
var Build = sync.OnceValue(func() string {
	b := runtime.Version()
	if bi, ok := debug.ReadBuildInfo(); ok {
		for _, s := range bi.Settings {
			if s.Key == "vcs.revision" {
				b = s.Value[:min(12, len(s.Value))] + " " + b
			}
		}
	}
	return "metalab " + Release + " " + b
})

package serve

import (
	"os"
	"runtime/debug"
)

// debugSetCrashOutput has the runtime write the traces of a crash to f too.
func debugSetCrashOutput(f *os.File) error { return debug.SetCrashOutput(f, debug.CrashOptions{}) }

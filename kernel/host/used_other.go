//go:build !linux && !darwin

package host

import "time"

// usedCPU is not known here.
func usedCPU() time.Duration { return 0 }

//go:build !linux

package interpret

import "os"

// inputs makes an empty file the standard input: who waits for it is not known here, so that no
// box can be shown, and reading ends at once.
func inputs() (*os.File, error) {
	f, err := os.Open(os.DevNull)
	if err == nil {
		os.Stdin = f
	}
	return f, err
}

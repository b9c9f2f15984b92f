package conform

import (
	"os"
	"testing"
)

// Brief skips a test under -short, which leaves out what takes seconds of a core; why says what
// does, and the test's name what is not looked at then.
func Brief(t testing.TB, why string) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: " + why)
	}
}

// LongVar is set where tests may take many minutes, as in CI.
const LongVar = "METALAB_LONG"

// IsLong tells whether LongVar is set.
func IsLong() bool { return os.Getenv(LongVar) != "" }

// Long skips a test unless LongVar is set; why says what takes minutes.
func Long(t testing.TB, why string) {
	t.Helper()
	if !IsLong() {
		t.Skip(why + "; " + LongVar + "=1 has it")
	}
}

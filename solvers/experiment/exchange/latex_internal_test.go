package exchange

import "testing"

// Medians are written without exponents.
func TestShort(t *testing.T) {
	t.Parallel()
	for v, want := range map[float64]string{
		9036397.5: "9036397.5", 27926: "27926", 0.123456789: "0.123457", 50930.5: "50930.5",
	} {
		if got := short(v, false); got != want {
			t.Errorf("%v is written %s, want %s", v, got, want)
		}
	}
}

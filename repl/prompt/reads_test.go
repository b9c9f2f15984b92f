package prompt

import "testing"

// Only Go that reads what is typed has no line about how far it is, which would stand in its way.
func TestReads(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		`var w string; fmt.Scanln(&w); w`:          true,
		`bufio.NewReader(os.Stdin).ReadString(10)`: true,
		`step a 100`:                  false,
		`a.Step(100)`:                 false,
		`open acs rand-200-5 as Scan`: false,
	} {
		if got := reads(line); got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}

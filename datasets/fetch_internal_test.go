package datasets

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"
)

// Homes that are not reached are told in a line, each with its host and reason, and the reasons are
// there for who asks.
func TestUnreached(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("datasets: fetch a: %w", unreached{
		fmt.Errorf("https://one.example/a.tsp: %w", fmt.Errorf("Get \"x\": %w",
			errors.New("lookup x on 1.2.3.4:53: no such host"))),
		fmt.Errorf("http://one.example/a.tsp: %w", errors.New("no such host")),
		fmt.Errorf("https://two.example/a.tsp: %w", fs.ErrPermission),
	})
	const want = "datasets: fetch a: one.example: no such host; two.example: permission denied"
	if err.Error() != want || !errors.Is(err, fs.ErrPermission) {
		t.Errorf("%q, want %q", err, want)
	}
}

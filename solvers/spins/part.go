package spins

import (
	"fmt"

	"metalab/solvers"
	"metalab/solvers/record"
)

var _ solvers.Divisible = (*search)(nil)

// span is the first and the last of walks that follow each other.
type span struct{ first, last int }

// BestAgent is the walk that found the best solution, -1 where none did.
func (s *search) BestAgent() int { return s.by }

// Only restricts the run to the island of a walk, or, where walks are not resampled, to the group
// of 32 that it is in, which takes no longer than the walk.
func (s *search) Only(walk int) (solvers.Part, error) {
	if walk < 0 || walk >= s.walks {
		return solvers.Part{}, fmt.Errorf("anneal/spins: walk %d of %d, want 0 to %d: %w", walk, s.walks,
			s.walks-1, record.ErrFormat)
	}
	size, name := 32, "group"
	if s.resampling != nil && s.resampling.island > 1 {
		size, name = s.resampling.island, "island"
	}
	number := walk / size
	s.only = &span{first: number * size, last: min((number+1)*size, s.walks) - 1}
	return solvers.Part{
		Name: fmt.Sprintf("%s %d", name, number), First: s.only.first, Last: s.only.last, Of: s.walks,
		Agents: "walks",
	}, nil
}

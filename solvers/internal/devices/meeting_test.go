package devices

import (
	"errors"
	"slices"
	"testing"
)

// Parts get what all have told, in order, in each round.
func TestMeeting(t *testing.T) {
	const parts, rounds = 5, 300
	m := NewMeeting[int](parts)
	for k, err := range m.Each(func(k int) error {
		for round := range rounds {
			told, err := m.Meet(k, 10*round+k)
			if err != nil {
				return err
			}
			want := []int{10 * round, 10*round + 1, 10*round + 2, 10*round + 3, 10*round + 4}
			if !slices.Equal(told, want) {
				t.Errorf("part %d, round %d: %v", k, round, told)
			}
		}
		return nil
	}) {
		if err != nil {
			t.Errorf("part %d: %v", k, err)
		}
	}
}

// Once a part has failed, or panicked, nobody waits for it.
func TestMeetingEnds(t *testing.T) {
	full := errors.New("full")
	for _, fail := range []func() error{
		func() error { return full },
		func() error { panic(full) },
	} {
		m := NewMeeting[int](4)
		for k, err := range m.Each(func(k int) error {
			for round := range 10 {
				if k == 2 && round == 6 {
					return fail()
				}
				if _, err := m.Meet(k, k); err != nil {
					return err
				}
			}
			return nil
		}) {
			if err == nil || errors.Is(err, errMeeting) != (k != 2) {
				t.Errorf("part %d: %v", k, err)
			}
		}
	}
}

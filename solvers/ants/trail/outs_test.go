package trail

import "testing"

// TestVacate: the edges of the best tour stay, empty places and the least trails go first.
func TestVacate(t *testing.T) {
	t.Parallel()
	o := NewOuts(2)
	put := func(place int32, city int32, tau float32) {
		o.City[OutsPerCity+place], o.Tau[OutsPerCity+place] = city, tau
	}
	if p := o.Vacate(1, 0, 5); p != OutsPerCity {
		t.Errorf("of empty places %d, want %d", p, OutsPerCity)
	}
	put(0, 5, 1)
	put(1, 6, 3)
	put(2, 7, 2)
	if p := o.Vacate(1, 0, 8); p != OutsPerCity+3 {
		t.Errorf("place %d, want the empty one %d", p, OutsPerCity+3)
	}
	put(3, 8, 2)
	if p := o.Vacate(1, 5, 7); p != OutsPerCity+3 {
		t.Errorf("place %d, want %d: the tour has the two with the least trail but one", p, OutsPerCity+3)
	}
	if p := o.Vacate(1, 5, 9); p != OutsPerCity+2 {
		t.Errorf("place %d, want the first of equal ones %d", p, OutsPerCity+2)
	}
}

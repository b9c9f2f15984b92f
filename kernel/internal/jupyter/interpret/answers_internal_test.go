package interpret

import "testing"

// An answer that comes before the cell waits for it is there when it does; one to a box that is
// closed is not.
func TestAnswers(t *testing.T) {
	read := func(a answers) string {
		select {
		case line := <-a:
			return line
		default:
			return "nothing"
		}
	}
	a := newAnswers()
	a.put("6")
	a.put("7") // by a front end that answers twice
	if got := read(a); got != "6" {
		t.Errorf("the cell reads %s, want 6", got)
	}
	a.put("8")
	a.clear()
	if got := read(a); got != "nothing" {
		t.Errorf("the next box has %s, which was typed into the one before", got)
	}
}

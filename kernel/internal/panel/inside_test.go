package panel

import (
	"fmt"
	"testing"
	"time"

	"metalab/kernel/internal/widgets"
	"metalab/kernel/reply"
	"metalab/solvers/record"
)

// For the tests outside.

// Again does what a panel does when it has missed what happened.
func (p *Panel) Again() { p.again() }

// The answer to a change may come after what others have changed since was heard: the control then
// shows theirs.
func TestAnswerThatComesLate(t *testing.T) {
	n := 0
	p := &Panel{m: widgets.New(func() string {
		n++
		return fmt.Sprint("m", n)
	})}
	r := p.newRow(reply.Param{
		Name: "q0", Type: "float", Max: 1, Step: 0.01, Value: record.Num(0.9),
	}, p.looks(), p.m.New)
	own := reply.Change{Change: record.Change{
		Name: "q0", Who: who, Old: record.Num(0.9), New: record.Num(0.5),
	}}
	other := reply.Change{Change: record.Change{
		Name: "q0", Who: "prompt", Old: record.Num(0.5), New: record.Num(0.7),
	}}
	for _, c := range []struct {
		name  string
		heard []reply.Change // before the answer to own
		want  float64
	}{
		{"the answer comes first", nil, 0.5},
		{"heard of, and answered", []reply.Change{own}, 0.5},
		{"another before it", []reply.Change{other}, 0.5},
		{"another after it", []reply.Change{own, other}, 0.7},
	} {
		r.value, r.sending, r.own = record.Num(0.9), true, false
		for _, h := range c.heard {
			r.heard(h)
		}
		r.answered([]reply.Change{own})
		r.sending = false
		r.follow()
		if got := r.main.Get("value"); got != c.want {
			t.Errorf("%s: the slider is at %v, want %v", c.name, got, c.want)
		}
	}
}

// A value is shown while the run has not taken it yet, which is after the iteration that it makes.
func TestValueThatIsUnderWay(t *testing.T) {
	n := 0
	p := &Panel{m: widgets.New(func() string {
		n++
		return fmt.Sprint("m", n)
	})}
	r := p.newRow(reply.Param{
		Name: "q0", Type: "float", Max: 1, Step: 0.01, Value: record.Num(0.9),
	}, p.looks(), p.m.New)
	r.sending = true
	r.moved(widgets.State{"value": 0.3})
	for _, w := range []*widgets.Model{r.main, r.field} {
		if got := w.Get("value"); got != 0.3 {
			t.Errorf("%v shows %v, want 0.3", w.Get("_model_name"), got)
		}
	}
	if r.next == nil || *r.next != record.Num(0.3) {
		t.Errorf("what is to be sent is %v", r.next)
	}
}

// What was changed is told in the words of its kind.
func TestWordsOfChanges(t *testing.T) {
	for want, c := range map[string]record.Change{
		"iteration 3: q0 0.9 → 0.5 by prompt": {
			Iter: 3, Kind: record.KindSet, Name: "q0", Old: record.Num(0.9), New: record.Num(0.5),
			Who: "prompt",
		},
		"iteration 4: stopped: paused (sliders)": {
			Iter: 4, Kind: record.KindStop, Name: "paused", Who: who,
		},
		"iteration 5: forked as b": {Iter: 5, Kind: record.KindFork, Name: "b"},
	} {
		if got := change(reply.Change{Change: c}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A picture that took too long is drawn again with more time, up to a limit.
func TestPictureThatTakesLong(t *testing.T) {
	p := &Panel{figured: newFigured()}
	for _, want := range []time.Duration{10, 20, 40, 80, 120, 120} {
		p.tooLong()
		if p.limit != want*time.Second {
			t.Errorf("the next one may take %v, want %v s", p.limit, int(want))
		}
	}
	select {
	case <-p.old:
	default:
		t.Error("it is not drawn again")
	}
}

// DrawIn draws a quick picture that may take so long, and returns how long the next one may.
func (p *Panel) DrawIn(limit time.Duration) (next time.Duration, ok bool) {
	p.drawing.Lock()
	defer p.drawing.Unlock()
	p.limit = limit
	ok = p.draw(true)["value"] != nil
	return p.limit, ok
}

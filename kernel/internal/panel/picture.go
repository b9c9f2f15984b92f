package panel

import (
	"context"
	"fmt"
	"time"

	"metalab/kernel/internal/widgets"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// figured is the picture that is drawn.
type figured struct {
	figure string
	old    chan struct{} // something is to be drawn
	now    chan struct{} // somebody waits for it
	stale  bool          // under drawing
	coarse bool          // what is shown was drawn quickly, under drawing
	limit  time.Duration // of the next picture, under drawing; drawLimit if less
}

func newFigured() figured {
	return figured{old: make(chan struct{}, 1), now: make(chan struct{}, 1)}
}

// frameTime is the shortest time between two pictures of a run that goes on; restTime is how long
// nothing must have happened until a sharp one takes the place of one that was drawn quickly.
const (
	frameTime = 250 * time.Millisecond
	restTime  = 600 * time.Millisecond
)

// keepUp draws again and shows the table again, once something has happened: quickly first, and
// sharply when nothing more happens.
func (p *Panel) keepUp() {
	for {
		select {
		case <-p.old:
			p.next()
		case <-p.rest():
			if !p.goes() {
				p.refresh(false)
			}
		case <-p.ctx.Done():
			return
		}
	}
}

// next draws the next picture and waits until another may be drawn.
func (p *Panel) next() {
	p.drawing.Lock()
	p.stale = true
	p.drawing.Unlock()
	select {
	case <-p.now: // that is this one
	default:
	}
	t0 := time.Now()
	p.refresh(true)
	// After each picture the run has the processor for at least half the time that it took.
	select {
	case <-time.After(max(frameTime-time.Since(t0), time.Since(t0)/2)):
	case <-p.now:
	case <-p.ctx.Done():
	}
}

// rest ends when the picture that is shown is to be drawn sharply; never if it was.
func (p *Panel) rest() <-chan time.Time {
	p.drawing.Lock()
	defer p.drawing.Unlock()
	if !p.coarse {
		return nil
	}
	return time.After(restTime)
}

// goes reports whether the run goes on.
func (p *Panel) goes() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.status.State == "running" || p.status.State == "stepping"
}

// refresh draws and shows the table, if something has happened since; and draws if the picture was
// drawn quickly and is not to be.
func (p *Panel) refresh(quick bool) {
	p.drawing.Lock()
	defer p.drawing.Unlock()
	select {
	case <-p.old:
	default:
		if !p.stale && (quick || !p.coarse) {
			return
		}
	}
	p.stale = false
	p.picture.Set(p.draw(quick))
	p.mu.Lock()
	table := p.tables
	p.tables = false
	p.mu.Unlock()
	if !table {
		return
	}
	if r, err := p.read(p.ctx); err == nil {
		p.show(r)
	}
}

// due makes keepUp look.
func (p *Panel) due() {
	select {
	case p.old <- struct{}{}:
	default:
	}
}

// hurry makes keepUp look at once, where it waits until the next picture may be drawn.
func (p *Panel) hurry() {
	select {
	case p.now <- struct{}{}:
	default:
	}
}

// drawLimit is the time limit for a picture, after which the panel continues without it. It draws a
// slower one again, with twice the time, at most drawMost.
const (
	drawLimit = 5 * time.Second
	drawMost  = 2 * time.Minute
)

// tooLong gives the next picture twice the time, and has it drawn. Those behind it keep that time:
// a quick picture that comes in time says nothing of the sharp one that follows.
func (p *Panel) tooLong() {
	p.limit = min(2*max(p.limit, drawLimit), drawMost)
	p.due()
}

// draw draws the picture; nothing if the run was closed: the last one stays then.
func (p *Panel) draw(quick bool) widgets.State {
	ctx, cancel := context.WithTimeout(p.ctx, max(p.limit, drawLimit))
	defer cancel()
	var r reply.PlotReply
	if p.c.Do(ctx, "plot", wire.PlotRequest{
		Runs: []string{p.run}, Figure: p.figure,
		Sink: &wire.Sink{Graphics: "png", Kept: true, Quick: quick},
	}, &r) != nil {
		if ctx.Err() != nil {
			p.tooLong()
		}
		return nil
	}
	p.coarse = quick
	// No tooltip: ipywidgets 8.1.5 cannot show a picture that has one.
	return widgets.State{"value": r.Data, "width": fmt.Sprint(r.Wide)}
}

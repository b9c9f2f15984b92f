package panel

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"metalab/kernel/internal/widgets"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// who is the name under which what is done in a panel stands in journals.
const who = "sliders"

// maxPanels is the number of panels that live at a time; cells that are executed again leave old
// ones.
const maxPanels = 16

// Desk holds the panels of a kernel. Its methods may be called from any goroutine.
type Desk struct {
	m    *widgets.Manager
	mu   sync.Mutex
	live []*Panel
}

// New returns a desk without panels.
func New(m *widgets.Manager) *Desk {
	d := &Desk{m: m}
	m.BeforeStates(d.refresh)
	return d
}

// refresh brings all pictures up to date.
func (d *Desk) refresh() {
	d.mu.Lock()
	live := append([]*Panel(nil), d.live...)
	d.mu.Unlock()
	for _, p := range live {
		p.refresh(p.goes())
	}
}

// A Panel is the panel of a run.
type Panel struct {
	m    *widgets.Manager
	c    *wire.Client
	run  string
	q    wire.FormRequest
	show func(table *reply.SlidersReply) // shows the table anew

	ctx  context.Context
	stop context.CancelFunc

	shown

	mu      sync.Mutex
	status  reply.Status
	changes []reply.Change
	tables  bool      // the table is old
	toldAt  time.Time // when tell was called last
	telling bool      // it is going to be called

	drawing sync.Mutex
	figured
}

// shown holds the models of a panel's widgets.
type shown struct {
	rows    []*row
	all     []*widgets.Model
	root    *widgets.Model
	card    *widgets.Model
	journal *widgets.Model
	told    *widgets.Model
	picture *widgets.Model
}

// Open makes the panel of a run, with controls for the parameters that are named or for all that
// may change while it runs. session is the path of the host's socket. show is called with the
// values when they have changed or the run has paused.
func (d *Desk) Open(ctx context.Context, session string, q wire.FormRequest,
	show func(*reply.SlidersReply),
) (*Panel, error) {
	c, err := wire.Dial(ctx, session, who)
	if err != nil {
		return nil, err
	}
	p := &Panel{m: d.m, c: c, run: q.Run, q: q, show: show}
	p.figured = newFigured()
	p.ctx, p.stop = context.WithCancel(context.WithoutCancel(ctx))
	events := c.Events(p.ctx, 0) // before the run is looked at, so that no change is missed
	r, err := p.read(ctx)
	if err == nil {
		err = p.look(ctx)
	}
	if err != nil {
		p.stop()
		c.Close()
		return nil, err
	}
	p.status = r.Status
	picture := p.draw(true)
	p.make(r, picture)
	p.root.OnClose(p.end)
	go p.follow(events)
	go p.keepUp()
	d.mu.Lock()
	d.live = append(d.live, p)
	var gone *Panel
	if len(d.live) > maxPanels {
		gone, d.live = d.live[0], d.live[1:]
	}
	d.mu.Unlock()
	if gone != nil {
		gone.Close()
	}
	return p, nil
}

// View is what a cell shows to have the panel, of media type [widgets.ViewType].
func (p *Panel) View() map[string]any { return p.root.View() }

// Close takes the panel out of all pages.
func (p *Panel) Close() {
	p.end()
	for _, w := range p.all {
		w.Close()
	}
}

// end ends what keeps the panel up to date.
func (p *Panel) end() {
	p.stop()
	p.c.Close()
}

// read asks for the parameters.
func (p *Panel) read(ctx context.Context) (*reply.SlidersReply, error) {
	var r reply.SlidersReply
	err := p.c.Do(ctx, "sliders", wire.SlidersRequest{
		Run: p.run, Names: strings.Join(p.q.Names, ","),
	}, &r)
	return &r, err
}

// look learns what there is to be drawn.
func (p *Panel) look(ctx context.Context) error {
	var s reply.ShowReply
	err := p.c.Do(ctx, "show", wire.RunRequest{Run: p.run}, &s)
	if p.figure = "best"; s.Kind == "tsp" || s.Kind == "atsp" {
		p.figure = "best,tour"
	}
	return err
}

// wide is how wide what goes with the sliders is.
const wide = "60em"

// make makes the widgets.
func (p *Panel) make(r *reply.SlidersReply, picture widgets.State) {
	add := func(kind string, l widgets.Look, s widgets.State) *widgets.Model {
		w := p.m.New(kind, l, s)
		p.all = append(p.all, w)
		return w
	}
	l := p.looks()
	text := widgets.Look{Layout: l.text, Style: l.html}
	p.card = add("HTML", text, p.stands())
	p.told = add("HTML", text, nil)
	p.journal = add("HTML", text, nil)
	p.picture = add("Image", widgets.Look{Layout: l.picture}, picture)
	button := func(name, tip string, f func()) *widgets.Model {
		w := add("Button", widgets.Look{Layout: l.button, Style: l.press}, widgets.State{
			"description": name, "tooltip": tip,
		})
		w.OnClick(func() { go f() })
		return w
	}
	press := add("HBox", widgets.Look{Layout: l.box}, widgets.State{"children": widgets.Refs(
		button("step", "one iteration", func() { p.do("step", wire.StepRequest{Run: p.run, N: 1}) }),
		button("go", "until it is paused", func() { p.do("go", wire.GoRequest{Run: p.run}) }),
		button("pause", "after the iteration that is being made", func() {
			p.do("pause", wire.RunRequest{Run: p.run})
		}),
		button("fork", "a run that goes on from the same state", p.fork),
		p.told,
	)})
	children := []*widgets.Model{p.card, press}
	for _, param := range r.Params {
		row := p.newRow(param, l, add)
		p.rows = append(p.rows, row)
		children = append(children, row.box)
	}
	children = append(children, p.journal, p.picture)
	p.root = add("VBox", widgets.Look{Layout: l.box}, widgets.State{
		"children": widgets.Refs(children...),
	})
}

// looks are the layouts and styles that the widgets of a panel share.
type looks struct {
	box, text, slider, field, check, beside, button, picture *widgets.Model // layouts
	track, words, tick, html, press                          *widgets.Model // styles
}

func (p *Panel) looks() looks {
	layout := func(s widgets.State) *widgets.Model {
		w := p.m.Layout(s)
		p.all = append(p.all, w)
		return w
	}
	style := func(kind string, s widgets.State) *widgets.Model {
		w := p.m.Style(kind, s)
		p.all = append(p.all, w)
		return w
	}
	names := widgets.State{"description_width": "9em"}
	return looks{
		box:     layout(nil),
		text:    layout(widgets.State{"max_width": wide}),
		slider:  layout(widgets.State{"width": "24em"}),
		field:   layout(widgets.State{"width": "7em"}),
		check:   layout(widgets.State{"width": "31em"}),
		beside:  layout(widgets.State{"max_width": "28em"}),
		button:  layout(widgets.State{"width": "5em"}),
		picture: layout(widgets.State{"max_width": "100%", "height": "auto"}),
		track:   style("SliderStyle", names), words: style("DescriptionStyle", names),
		tick: style("CheckboxStyle", names), html: style("HTMLStyle", nil),
		press: style("ButtonStyle", nil),
	}
}

// do carries out what a button says.
func (p *Panel) do(verb string, request any) {
	if p.ctx.Err() != nil {
		return
	}
	p.told.Set(widgets.State{"value": ""})
	var r json.RawMessage
	if err := p.c.Do(p.ctx, verb, request, &r); err != nil && p.ctx.Err() == nil {
		p.told.Set(widgets.State{"value": wrong(verb, err)})
	}
}

// fork makes a fork of the run, and says what it is called.
func (p *Panel) fork() {
	if p.ctx.Err() != nil {
		return
	}
	p.told.Set(widgets.State{"value": ""})
	var r reply.OpenReply
	if err := p.c.Do(p.ctx, "fork", wire.ForkRequest{Run: p.run}, &r); err != nil {
		if p.ctx.Err() == nil {
			p.told.Set(widgets.State{"value": wrong("fork", err)})
		}
		return
	}
	p.told.Set(widgets.State{"value": "forked as " + reply.Escape(r.Run) + `: lab.Get("` +
		reply.Escape(r.Run) + `")`})
}

// wrong says what is wrong, as HTML.
func wrong(verb string, err error) string {
	return `<span style="color:#c22" role="alert">` +
		reply.Escape(strings.TrimPrefix(err.Error(), verb+": ")) + "</span>"
}

// follow follows what happens until the panel or the host ends.
func (p *Panel) follow(events func(func(wire.Event, error) bool)) {
	for e, err := range events {
		if err != nil {
			break
		}
		switch {
		case e.Kind == wire.EventLost:
			p.again()
		case e.Status == nil || e.Status.Run != p.run:
			continue
		}
		p.happened(e)
		if e.Kind == wire.EventClosed {
			p.finish()
			return
		}
	}
	if p.ctx.Err() == nil {
		p.told.Set(widgets.State{"value": "the session has ended; in a new one lab.Recover(" +
			strconv.Quote(p.run) + ") goes on with the run, then run this cell again"})
	}
}

// happened takes in what happened to the run.
func (p *Panel) happened(e wire.Event) {
	p.mu.Lock()
	if e.Status != nil {
		p.status = *e.Status
	}
	if e.Change != nil {
		p.changes = append(p.changes, *e.Change)
		if n := len(p.changes); n > maxChanges {
			p.changes = p.changes[n-maxChanges:]
		}
	}
	p.tables = p.tables || e.Kind == wire.EventChange || e.Kind == wire.EventState
	p.mu.Unlock()
	if e.Change != nil && e.Kind == wire.EventChange {
		for _, r := range p.rows {
			if r.param.Name == e.Change.Name {
				r.heard(*e.Change)
			}
		}
	}
	if e.Kind == wire.EventPoint {
		p.tellSoon()
		p.due()
		return
	}
	p.tell()
	p.due()
	if e.Kind != wire.EventChange || e.Change == nil || e.Change.Who == who {
		p.hurry()
	}
}

// pointTime is the shortest time in which the panel tells twice how far a run that goes on is: each
// time costs the front end and its server about as much as it costs to draw a line of text, and
// what a hand has changed waits behind it.
const pointTime = 200 * time.Millisecond

// tellSoon calls tell, now or once pointTime has passed since the last time.
func (p *Panel) tellSoon() {
	p.mu.Lock()
	left := pointTime - time.Since(p.toldAt)
	wait := p.telling
	p.telling = wait || left > 0
	p.mu.Unlock()
	switch {
	case wait:
	case left > 0:
		time.AfterFunc(left, p.tell)
	default:
		p.tell()
	}
}

// finish ends a panel whose run was closed: it shows the last of it, and acts no more, for a panel
// belongs to its run and not to the name, which another run may have.
func (p *Panel) finish() {
	p.end()
	p.told.Set(widgets.State{"value": "the run was closed"})
	for _, w := range p.all {
		if w.Get("disabled") != nil {
			w.Set(widgets.State{"disabled": true})
		}
	}
}

// again reads all values after events were lost.
func (p *Panel) again() {
	r, err := p.read(p.ctx)
	if wire.CodeOf(err) == wire.CodeRun {
		p.finish() // that was among what was lost
	}
	if err != nil {
		return
	}
	p.mu.Lock()
	p.status, p.tables = r.Status, true
	p.mu.Unlock()
	for _, row := range p.rows {
		for _, param := range r.Params { // by name: of lost events one may have been the end of the run
			if param.Name == row.param.Name {
				row.has(param.Value)
			}
		}
	}
}

// maxChanges is how many changes the panel tells of.
const maxChanges = 5

// tell shows how far the run is, and the last changes.
func (p *Panel) tell() {
	p.card.Set(p.stands())
	p.mu.Lock()
	p.toldAt, p.telling = time.Now(), false
	lines := ""
	for i := len(p.changes) - 1; i >= 0; i-- {
		lines += reply.Escape(change(p.changes[i])) + "<br>"
	}
	p.mu.Unlock()
	p.journal.Set(widgets.State{"value": lines})
}

// stands is how far the run is.
func (p *Panel) stands() widgets.State {
	p.mu.Lock()
	defer p.mu.Unlock()
	return widgets.State{"value": "<p><b>" + reply.Escape(p.status.Line()) + "</b> " +
		reply.Escape(p.status.State) + "</p>"}
}

// change is a change in words.
func change(c reply.Change) string {
	if c.Kind != record.KindSet { // as a stop, whose name is why
		return "iteration " + c.String()
	}
	s := fmt.Sprintf("iteration %d: %s %s → %s", c.Iter, c.Name, c.Old, c.New)
	if c.Who != "" {
		s += " by " + c.Who
	}
	return s
}

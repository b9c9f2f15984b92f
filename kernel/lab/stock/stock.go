// Package stock makes sliders in a notebook of a GoNB that is not metalab's kernel:
//
//	import _ "metalab/kernel/lab/stock"
//
//	%%
//	a := lab.Get("a")
//	lab.Sliders(a, "q0", "ants")
//	a.Step(1000)
//
// They are GoNB's own widgets, which its comms join to the program of the cell. So they act until
// the cell ends, where those of metalab's kernel and of the dashboard act afterwards, too.
package stock

import (
	"fmt"
	"html"
	"math"
	"slices"
	"time"

	"metalab/kernel/lab/front"
	"metalab/kernel/reply"
	"metalab/solvers/record"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/widgets"
)

func init() {
	f := front.Get()
	f.Sliders = show
	front.Set(f)
}

// places is how many steps a slider has for a parameter of real numbers.
const places = 1000

// A control turns the positions of a widget into values of a parameter.
type control struct {
	words []record.Value // of a select; nil for a slider
	names []string       // of the words
	min   float64        // of a slider
	scale float64        // of a step of it
	most  int            // its last position
	whole bool
	at    int // where it stands
}

// controlOf is the control of a parameter; ok is false where there is none.
func controlOf(p reply.Param) (c control, ok bool) {
	switch p.Type {
	case "truth":
		c.words = []record.Value{record.Bool(false), record.Bool(true)}
		c.names = []string{"false", "true"}
	case "enum":
		for _, o := range p.Options {
			c.words, c.names = append(c.words, record.Text(o)), append(c.names, o)
		}
	}
	if c.words != nil {
		c.at = max(slices.Index(c.words, p.Value), 0)
		return c, true
	}
	low, high := float64(p.Min), float64(p.Max)
	v, num := p.Value.Float()
	if !num || !p.Min.Known() || !p.Max.Known() || high <= low {
		return c, false
	}
	c.min, c.whole, c.most = low, p.Type == "int", places
	switch step := float64(p.Step); {
	case step > 0 && (high-low)/step <= 100*places:
		c.most = int(math.Round((high - low) / step))
	case c.whole && high-low <= 100*places:
		c.most = int(high - low)
	}
	c.scale = (high - low) / float64(c.most)
	c.at = int(math.Round((v - low) / c.scale))
	return c, true
}

// value is the parameter's value at a position.
func (c control) value(at int) record.Value {
	if c.words != nil {
		return c.words[min(max(at, 0), len(c.words)-1)]
	}
	v := c.min + c.scale*float64(min(max(at, 0), c.most))
	if c.whole {
		v = math.Round(v)
	}
	return record.Num(math.Round(v*1e9) / 1e9)
}

// show shows a widget for each parameter, which sets it whenever it is moved. It returns at once:
// where there is no browser a widget waits for ever.
func show(params []reply.Param, set func(name string, v record.Value) error) {
	go func() {
		for _, p := range params {
			if c, ok := controlOf(p); ok {
				c.show(p, set)
			}
		}
	}()
}

// show shows the widget of a parameter below its name and value.
func (c control) show(p reply.Param, set func(name string, v record.Value) error) {
	label := "metalab-" + gonbui.UniqueId()
	say := func(text string) {
		gonbui.UpdateHTML(label, "<code>"+html.EscapeString(p.Name+" = "+text)+"</code>")
	}
	say(p.Value.String())
	moved, last := c.listen(), c.at
	go func() {
		for at := range moved {
			at = settled(at, moved)
			if at == last { // as where it stands at first
				continue
			}
			last = at
			v := c.value(at)
			if err := set(p.Name, v); err != nil {
				say(fmt.Sprintf("%s: %v", v, err))
				continue
			}
			say(v.String())
		}
	}()
}

// settle is how long a widget stands still until what it was moved to is set: a drag is one change.
const settle = 200 * time.Millisecond

// settled is where a widget stands that was moved, once it is not moved further.
func settled(at int, moved <-chan int) int {
	for {
		select {
		case next, ok := <-moved:
			if !ok {
				return at
			}
			at = next
		case <-time.After(settle):
			return at
		}
	}
}

// listen shows the widget and returns where it is moved to.
func (c control) listen() <-chan int {
	if c.words != nil {
		return widgets.Select(c.names).SetDefault(c.at).Done().Listen().LatestOnly().C
	}
	return widgets.Slider(0, c.most, c.at).Done().Listen().LatestOnly().C
}

package pages_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/notebooks/internal/browser"
)

// held is longer than sliders wait for a further key: somebody stops for a moment, with the button
// or the key still down.
const held = "new Promise(done => setTimeout(done, 700))"

// A slider that is dragged with stops on the way, or moved by a key that is held, writes one change
// into the journal, when it is let go; one that comes back to where it was writes none.
func TestADragIsOneChange(t *testing.T) {
	t.Parallel()
	b := browser.Start(t)
	s := start(t)
	s.do("open acs E1k.0 as a seed=3 ants=10; step a 5")
	p := b.Open(notebook(t, s, same, wire.PageRequest{
		Kind: wire.PageSliders, Run: "a",
		Names: []string{"q0", "ants"},
	}))
	const track, number = `.control[data-name="q0"] .slider`, `.control[data-name="q0"] .number`
	p.Wait(in(0, fmt.Sprintf("r.querySelector(%q)", track)))
	var r struct{ X, Y, Width, Height float64 }
	p.Eval(in(0, fmt.Sprintf("(b => ({X: b.x, Y: b.y, Width: b.width, Height: b.height}))"+
		"(r.querySelector(%q).getBoundingClientRect())", track)), &r)
	// Middle of the thumb, 16 pixels wide, where the slider shows a value of 0 to 1.
	mouse := func(kind input.MouseType, value float64) {
		p.Do(input.DispatchMouseEvent(kind, r.X+8+value*(r.Width-16), r.Y+r.Height/2).
			WithButton(input.Left).WithButtons(1).WithClickCount(1))
	}
	shown := in(0, fmt.Sprintf("Number(r.querySelector(%q).value)", number))
	journal := func() []reply.Change { return s.do("journal a").(*reply.JournalReply).Changes }
	said := func() string {
		var text string
		for _, c := range journal() {
			text += fmt.Sprintf("%s %v → %v, ", c.Name, c.Old, c.New)
		}
		return text
	}

	mouse(input.MousePressed, 0.98)
	for _, v := range []float64{0.92, 0.8, 0.65} {
		mouse(input.MouseMoved, v)
		p.Wait(fmt.Sprintf("Math.abs(%s - %g) < 0.02", shown, v))
		p.Eval(held, nil)
	}
	mouse(input.MouseMoved, 0.5)
	mouse(input.MouseReleased, 0.5)
	for s.param("a", "q0") == "0.98" {
	}
	p.Wait(fmt.Sprintf("Math.abs(%s - 0.5) < 0.02", shown))
	if len(journal()) != 1 {
		t.Fatalf("a drag wrote %s", said())
	}

	// There and back, and a change of somebody else meanwhile: what is held stays where it is held.
	at := p.Text(shown)
	mouse(input.MousePressed, 0.5)
	mouse(input.MouseMoved, 0.7)
	p.Wait(fmt.Sprintf("Math.abs(%s - 0.7) < 0.02", shown))
	s.do("set a ants=12")
	p.Wait(in(0, `r.querySelector('.control[data-name="ants"] .number').value === "12"`))
	mouse(input.MouseMoved, 0.5)
	p.Wait(fmt.Sprintf("String(%s) === %q", shown, at))
	mouse(input.MouseReleased, 0.5)
	s.do("set a q0=0.6")
	p.Wait(shown + " === 0.6")
	if len(journal()) != 3 {
		t.Fatalf("a drag there and back is among %s", said())
	}

	// A key that is held repeats.
	p.Eval(in(0, fmt.Sprintf("{ r.querySelector(%q).focus() }", track)), nil)
	down := chromedp.ActionFunc(func(ctx context.Context) error {
		return input.DispatchKeyEvent(input.KeyRawDown).WithKey("ArrowRight").WithCode("ArrowRight").
			WithWindowsVirtualKeyCode(39).Do(ctx)
	})
	p.Do(down)
	p.Wait(shown + " === 0.61")
	p.Eval(held, nil)
	p.Do(down, down)
	p.Wait(shown + " === 0.63")
	p.Do(input.DispatchKeyEvent(input.KeyUp).WithKey("ArrowRight").WithCode("ArrowRight").
		WithWindowsVirtualKeyCode(39))
	for s.param("a", "q0") == "0.6" {
	}
	if s.param("a", "q0") != "0.63" || len(journal()) != 4 {
		t.Errorf("a key that is held wrote %s", said())
	}
}

// What is typed and cannot be is refused in words directly under the field, above the slider; they
// stay when the field has gone back, whatever else is told, until the control is used again.
func TestAReasonStaysBesideItsField(t *testing.T) {
	t.Parallel()
	b := browser.Start(t)
	s := start(t)
	s.do("open acs E1k.0 as a seed=3 ants=20; step a 5")
	p := b.Open(notebook(t, s, same, wire.PageRequest{
		Kind: wire.PageSliders, Run: "a", Names: []string{"ants"},
	}))
	const field = `.control[data-name="ants"] .number`
	value := in(0, fmt.Sprintf("r.querySelector(%q).value", field))
	told := in(0, `r.querySelector('.control[data-name="ants"] .told').textContent`)
	typed := func(text string) {
		p.Eval(in(0, fmt.Sprintf("{ r.querySelector(%q).focus(); r.querySelector(%q).select() }",
			field, field)), nil)
		keys(p, text)
	}
	p.Wait(value + ` === "20"`)
	typed("25" + kb.Enter)
	typed("0" + kb.Enter) // before anybody has told of the change before
	p.Wait(value + ` === "25"`)
	const reason = "ants = 0, want a whole number, 1 to 65\u202f536 ants"
	for _, then := range []func(){
		func() {},
		func() { keys(p, kb.Tab) },
		func() { s.do("set a ants=30"); p.Wait(value + ` === "30"`) },
	} {
		then()
		if got := p.Text(told); got != reason {
			t.Fatalf("beside the field stands %q, want %q", got, reason)
		}
	}
	if !p.True(in(0, fmt.Sprintf(`(() => {
		const box = s => r.querySelector('.control[data-name="ants"] ' + s).getBoundingClientRect()
		return box(".told").top >= box(".number").bottom - 1 && box(".told").bottom <= `+
		`box(".slider").top + 1 && r.querySelector(%q).getAttribute("aria-invalid") === "true"
	})()`, field))) {
		t.Error("the reason does not stand between its field and the slider")
	}
	p.Shot("refused", true)
	typed("28" + kb.Enter)
	for s.param("a", "ants") != "28" {
	}
	p.Wait(told + ` === "" && ` + in(0, `!r.querySelector(".control.failed")`))
}

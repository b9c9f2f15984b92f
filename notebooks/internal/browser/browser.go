package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"

	"metalab/kernel/view/pngtext"
)

// A Browser is a Chromium, or a profile of one, of the test's own.
type Browser struct {
	t       testing.TB
	ctx     context.Context
	profile cdp.BrowserContextID // "" is that of the Chromium
}

// A Page is a window with one tab.
type Page struct {
	t     testing.TB
	ctx   context.Context
	close context.CancelFunc

	mu     sync.Mutex
	errs   []string
	expect []string
}

// Limit is how long an action or Wait may take before it fails the test.
const Limit = 5 * time.Minute

// Open opens a page in a new window of 1280 by 900 pixels, so that those before stay visible,
// and waits until it was loaded. Errors of its scripts that Expect does not name fail the
// test at its end.
func (b *Browser) Open(url string) *Page {
	b.t.Helper()
	id, err := target.CreateTarget("about:blank").WithNewWindow(true).
		WithBrowserContextID(b.profile).Do(b.itself(b.ctx))
	if err != nil {
		b.t.Fatalf("browser: a window: %v", err)
	}
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithTargetID(id))
	p := &Page{t: b.t, ctx: ctx, close: cancel}
	chromedp.ListenTarget(ctx, func(ev any) {
		switch ev := ev.(type) {
		case *runtime.EventExceptionThrown:
			p.note(ev.ExceptionDetails.Error())
		case *runtime.EventConsoleAPICalled:
			if ev.Type == runtime.APITypeError {
				var words []string
				for _, a := range ev.Args {
					words = append(words, string(a.Value)+a.Description)
				}
				p.note("console.error: " + strings.Join(words, " "))
			}
		case *page.EventJavascriptDialogOpening:
			// A page that asks whether its reader means to leave would wait for ever; any other
			// question is one that the test should have known of.
			leave := ev.Type == page.DialogTypeBeforeunload
			if !leave {
				p.note(fmt.Sprintf("a dialog (%s): %s", ev.Type, ev.Message))
			}
			go func() { // the listener must not wait for the browser
				_ = chromedp.Run(ctx, page.HandleJavaScriptDialog(leave))
			}()
		}
	})
	b.t.Cleanup(func() {
		cancel()
		for _, e := range p.Errors() {
			b.t.Errorf("the page says: %s", e)
		}
	})
	// The window lives as long as the context of its first action.
	if err := chromedp.Run(ctx); err != nil {
		b.t.Fatalf("browser: %v", err)
	}
	// A page has the focus whatever window other tests have opened since.
	p.Do(emulation.SetFocusEmulationEnabled(true), chromedp.EmulateViewport(1280, 900),
		chromedp.Navigate(url))
	return p
}

func (p *Page) note(s string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.errs = append(p.errs, s)
}

// Errors are the errors of the page's scripts until now, but for those that were expected.
func (p *Page) Errors() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []string
next:
	for _, e := range p.errs {
		for _, x := range p.expect {
			if strings.Contains(e, x) {
				continue next
			}
		}
		out = append(out, e)
	}
	return out
}

// Expect makes errors of scripts that hold one of the texts none: "" stands for all, as of
// pages that are not ours.
func (p *Page) Expect(texts ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.expect = append(p.expect, texts...)
}

// Do carries out actions of chromedp.
func (p *Page) Do(actions ...chromedp.Action) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, Limit)
	defer cancel()
	if err := chromedp.Run(ctx, actions...); err != nil {
		p.fail("%v", err)
	}
}

// Close closes the window.
func (p *Page) Close() { p.close() }

// Eval evaluates an expression of JavaScript, or what the promise that it is brings, into a
// pointer; nil drops the value.
func (p *Page) Eval(expr string, into any) {
	p.t.Helper()
	if into == nil {
		into = &[]byte{}
	}
	p.Do(chromedp.Evaluate(expr, into, func(e *runtime.EvaluateParams) *runtime.EvaluateParams {
		return e.WithAwaitPromise(true)
	}))
}

// Text is an expression's value as text.
func (p *Page) Text(expr string) string {
	p.t.Helper()
	var s string
	p.Eval("String("+expr+")", &s)
	return s
}

// True reports whether an expression holds; one that throws, as of an element that is not
// there yet, does not.
func (p *Page) True(expr string) bool {
	p.t.Helper()
	var ok bool
	p.Eval("(() => { try { return !!("+expr+") } catch { return false } })()", &ok)
	return ok
}

// Wait waits until an expression holds, and fails the test after Limit. The page itself looks, so
// that nothing is sent to and fro meanwhile, and again where it is loaded anew.
func (p *Page) Wait(expr string) {
	p.t.Helper()
	look := `new Promise(done => {
		const later = globalThis.setTimeout
		const look = () => {
			let holds = false
			try { holds = !!(` + expr + `) } catch {}
			if (holds) done(true)
			else later(look, 20)
		}
		look()
	})`
	ctx, cancel := context.WithTimeout(p.ctx, Limit)
	defer cancel()
	for holds := false; !holds; {
		err := chromedp.Run(ctx, chromedp.Evaluate(look, &holds,
			func(e *runtime.EvaluateParams) *runtime.EvaluateParams { return e.WithAwaitPromise(true) }))
		switch {
		case ctx.Err() != nil:
			p.fail("after %v still not: %s", Limit, expr)
		case err != nil && !gone(err):
			p.fail("%v: %s", err, expr)
		}
	}
}

// gone reports whether an error says that a page was left while it evaluated something.
func gone(err error) bool {
	var e *cdproto.Error
	return errors.As(err, &e) && (strings.Contains(e.Message, "context was destroyed") ||
		strings.Contains(e.Message, "navigated or closed") ||
		strings.Contains(e.Message, "Promise was collected") ||
		strings.Contains(e.Message, "Cannot find context"))
}

// Click clicks the first element of a CSS selector, as a mouse does, when it is visible.
func (p *Page) Click(selector string) {
	p.t.Helper()
	p.Do(chromedp.Click(selector, chromedp.ByQuery, chromedp.NodeVisible))
}

// Type types text into the first element of a CSS selector.
func (p *Page) Type(selector, text string) {
	p.t.Helper()
	p.Do(chromedp.SendKeys(selector, text, chromedp.ByQuery, chromedp.NodeVisible))
}

// Slide gives an input or a select a value as its user would: with the events input and
// change.
func (p *Page) Slide(selector string, value any) {
	p.t.Helper()
	p.Do(chromedp.WaitVisible(selector, chromedp.ByQuery))
	where, _ := json.Marshal(selector)      // a string: it cannot fail
	v, _ := json.Marshal(fmt.Sprint(value)) // so does this
	p.Eval(fmt.Sprintf(`(() => {
		const e = document.querySelector(%s)
		if (e.type === "checkbox") e.checked = %s === "true"
		else e.value = %s
		for (const kind of ["input", "change"]) e.dispatchEvent(new Event(kind, {bubbles: true}))
	})()`, where, v, v), nil)
}

// Size makes the page so wide and high, in pixels, as of a phone that shows two of its own
// for each when scale is 2, and tells it the colours that its reader prefers.
func (p *Page) Size(width, height int64, scale float64, dark bool) {
	p.t.Helper()
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	p.Do(chromedp.EmulateViewport(width, height, chromedp.EmulateScale(scale)),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{
			Name:  "prefers-color-scheme",
			Value: scheme,
		}}))
}

// PNG is what the page looks like: the window, or all of the page.
func (p *Page) PNG(all bool) []byte {
	p.t.Helper()
	var b []byte
	if all {
		p.Do(chromedp.FullScreenshot(&b, 100))
	} else {
		p.Do(chromedp.CaptureScreenshot(&b))
	}
	return b
}

// Shot writes what the page looks like into the folder METALAB_SHOTS, as name.png; without
// that it does nothing.
func (p *Page) Shot(name string, all bool) {
	p.t.Helper()
	dir := os.Getenv("METALAB_SHOTS")
	if dir == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), p.PNG(all), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// words are the words of an element and what is within it, without pictures; a number is #.
const words = `((top) => {
	const out = []
	const walk = e => {
		if (e.shadowRoot) walk(e.shadowRoot)
		if (e.matches?.("svg, script, style, [hidden]") || e.checkVisibility?.() === false) return
		const text = [...e.childNodes].filter(n => n.nodeType === 3).map(n => n.data).join(" ")
		const line = text.replace(/[\d.,\u2009\u202f\u00a0 ]*\d/g, "#").replace(/\s+/g, " ").trim()
		const machine = / cores?\b|^# (ms|min)$/.test(line) // on which it was made, and how slow it is
		if (/\p{L}{2}/u.test(line) && !machine && !out.includes(line)) out.push(line)
		for (const c of e.children) walk(c)
	}
	walk(top)
	return out.join("\n")
})`

// Picture compares what the window shows with a picture of the documentation: whether it shows the
// same words within an element, which is an expression of JavaScript. METALAB_PICTURES makes the
// picture anew.
func (p *Page) Picture(path, element string) {
	p.t.Helper()
	got := p.Text(words + "(" + element + ")")
	if len(got) < 50 {
		p.fail("a picture of hardly any words: %q", got)
	}
	if os.Getenv("METALAB_PICTURES") != "" {
		if err := os.WriteFile(path, pngtext.With(p.PNG(false), got), 0o644); err != nil {
			p.t.Fatal(err)
		}
	}
	b, err := os.ReadFile(path)
	if err != nil {
		p.t.Fatal(err)
	}
	if d := cmp.Diff(pngtext.In(b), got); d != "" {
		p.t.Errorf("%s shows what the page does not show any more; METALAB_PICTURES=1 makes it anew: %s",
			path, d)
	}
}

// fail ends the test with what the page has said.
func (p *Page) fail(format string, args ...any) {
	p.t.Helper()
	for _, e := range p.Errors() {
		p.t.Errorf("the page says: %s", e)
	}
	p.t.Fatalf("browser: "+format, args...)
}

package browser

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// Tests are the tests of a package that share one Chromium: a start takes five seconds of a core.
// It starts with the first test that calls [Start] and ends with the last test.
//
//	func TestMain(m *testing.M) { os.Exit(browser.Tests{M: m}.Run()) }
type Tests struct{ M *testing.M }

// Run runs the tests and ends their Chromium.
func (t Tests) Run() int {
	shared.on = true
	defer func() {
		if shared.end != nil {
			shared.end()
		}
	}()
	return t.M.Run()
}

// shared is the Chromium of [Tests].
var shared struct {
	on bool // the package has one
	sync.Once
	ctx context.Context
	end func()
	err error
}

// Start returns a Chromium with an empty profile of the test's own, which ends with the test, or
// skips the test where there is none. The tests of a package with [Tests] share its process.
func Start(t testing.TB) *Browser {
	t.Helper()
	path := Find()
	if path == "" {
		t.Skip("no Chromium on PATH")
	}
	if !shared.on {
		return Alone(t)
	}
	shared.Do(func() { shared.ctx, shared.end, shared.err = start(path, few...) })
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	b := &Browser{t: t, ctx: shared.ctx}
	var err error
	b.profile, err = target.CreateBrowserContext().WithDisposeOnDetach(true).Do(b.itself(b.ctx))
	if err != nil {
		t.Fatalf("browser: a profile: %v", err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(b.ctx, Limit)
		defer cancel()
		if err := target.DisposeBrowserContext(b.profile).Do(b.itself(ctx)); err != nil {
			t.Errorf("browser: the end of a profile: %v", err)
		}
	})
	return b
}

// Alone starts a Chromium that no other test shares and that ends with the test, as for what is
// measured of its processes; it skips the test where there is none.
func Alone(t testing.TB) *Browser {
	t.Helper()
	path := Find()
	if path == "" {
		t.Skip("no Chromium on PATH")
	}
	ctx, end, err := start(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(end)
	return &Browser{t: t, ctx: ctx}
}

// start starts a Chromium with more flags and connects to it.
func start(path string, flags ...string) (ctx context.Context, end func(), err error) {
	ws, stop, err := launch(path, flags...)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	ctx, release := chromedp.NewRemoteAllocator(context.Background(), ws, chromedp.NoModifyURL)
	ctx, disconnect := chromedp.NewContext(ctx)
	end = func() {
		disconnect()
		release()
		stop()
	}
	if err := chromedp.Run(ctx); err != nil { // connects
		end()
		return nil, nil, fmt.Errorf("browser: %w", err)
	}
	return ctx, end, nil
}

// itself returns a context whose actions are of the browser, not of a tab.
func (b *Browser) itself(ctx context.Context) context.Context {
	return cdp.WithExecutor(ctx, chromedp.FromContext(b.ctx).Browser)
}

package browser

import (
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/systeminfo"
	"github.com/chromedp/chromedp"
)

// Renderers are the processes that show pages, by their numbers. A page's workers are in that of
// the page.
func (p *Page) Renderers() (pids []int64) {
	p.t.Helper()
	all, err := systeminfo.GetProcessInfo().Do(cdp.WithExecutor(p.ctx,
		chromedp.FromContext(p.ctx).Browser))
	if err != nil {
		p.t.Fatalf("browser: its processes: %v", err)
	}
	for _, i := range all {
		if i.Type == "renderer" {
			pids = append(pids, i.ID)
		}
	}
	return pids
}

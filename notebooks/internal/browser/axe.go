package browser

import (
	"fmt"
	"os"
)

// axeRun returns the violations; label-content-name-mismatch is a rule that is off by default.
const axeRun = `axe.run(document, {
	rules: {"label-content-name-mismatch": {enabled: true}},
	resultTypes: ["violations"],
}).then(r => r.violations.map(v => v.id + " (" + v.help + "): " + v.nodes.slice(0, 6).map(n =>
	n.target.join(" ") + " " + (n.any[0] || n.all[0] || n.none[0] || {message: ""}).message)
	.join("; ")).join("\n"))`

// Axe looks with axe-core for what of the page cannot be used by those who hear it, do not see its
// colours or have no mouse, light and dark, 1200 and 400 pixels wide; each violation fails the
// test.
// METALAB_AXE names the file axe.min.js, which .ci/axe fetches; without it nothing is looked at.
func (p *Page) Axe(name string) {
	p.t.Helper()
	path := os.Getenv("METALAB_AXE")
	if path == "" {
		return
	}
	script, err := os.ReadFile(path)
	if err != nil {
		p.t.Fatal(err)
	}
	p.Eval(string(script)+"\n;0", nil)
	for _, width := range []int64{1200, 400} {
		for _, dark := range []bool{false, true} {
			theme := "light"
			if dark {
				theme = "dark"
			}
			p.Size(width, 900, 1, dark)
			p.Wait(`innerWidth === ` + fmt.Sprint(width))
			// Scripts hear of the size when the next frame is drawn.
			p.Eval(`window.axeFrames = 0, (function f() {
				if (++axeFrames < 3) requestAnimationFrame(f)
			})()`, nil)
			p.Wait(`axeFrames === 3`)
			p.Shot(fmt.Sprintf("axe-%s-%d-%s", name, width, theme), true)
			var found string
			p.Eval(axeRun, &found)
			if found != "" {
				p.t.Errorf("%s, %d pixels, %s: %s", name, width, theme, found)
			}
		}
	}
}

// Package browser runs pages in a real Chromium, for tests: of the dashboard, of controls in
// cells, of notebooks in Jupyter.
//
//	b := browser.Start(t)            // skips the test where there is no Chromium
//	p := b.Open("http://127.0.0.1:8888/")
//	p.Wait(`document.querySelector("h1")`)
//	p.Slide("#q0", 0.5)
//	p.Shot("dashboard")              // a PNG in METALAB_SHOTS, if that is set
//
// [StartFirefox] starts a Firefox, with less of this.
//
// A package whose TestMain runs [Tests] starts one Chromium, in which each test has a profile of
// its own. Elsewhere a browser is a process of the test's own, with a profile in a temporary
// folder. Both end with the test, the profile or the process that was started and its children, no
// other Chromium. Whatever goes wrong ends the test; errors in the pages' scripts fail it.
package browser

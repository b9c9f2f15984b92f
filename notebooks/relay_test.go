package notebooks_test

import (
	"fmt"
	"strings"
	"testing"

	"metalab/notebooks/internal/browser"
)

// Where the page cannot reach the session by itself, the sliders say so; while a cell relays
// they work, through Jupyter's own connection.
func TestRelayInJupyter(t *testing.T) {
	s := jupyter(t)
	n := s.open(browser.Start(t), "02_tuning_while_it_runs.ipynb")
	n.Eval(`{
		const old = window.fetch
		window.fetch = (url, ...rest) =>
			String(url).includes("127.0.0.1") && !String(url).includes(location.host) ?
				Promise.reject(new TypeError("another machine")) : old(url, ...rest)
	}`, nil)
	knobs, relay := n.code("lab.Sliders("), n.code(".Journal()")
	n.run(knobs)
	n.Wait(sliders(knobs) + ".querySelector('.metalab.lost " +
		".note').textContent.includes('lab.Relay(a)')")

	write := func(code string) {
		n.Eval(fmt.Sprintf("Jupyter.notebook.get_cell(%d).set_text(%q)", relay, "%%\n"+code), nil)
	}
	write(`lab.Relay(lab.Get("a"))`)
	n.start(relay)
	n.patiently(sliders(knobs) + ".querySelector('.control .slider') && !" + sliders(knobs) +
		".querySelector('.metalab.lost')")
	n.Wait(sliders(knobs) + ".querySelectorAll('.picture svg').length === 2")
	n.drag(knobs, "q0", 0.5)
	n.Wait("Math.abs(Number(" + sliders(knobs) +
		".querySelector('[data-name=\"q0\"] input[type=number]').value) - 0.5) < 0.06")
	n.Eval("{ "+sliders(knobs)+".querySelector('.go').click() }", nil)
	n.Wait(sliders(knobs) + ".querySelector('.badge').textContent === 'running'")
	n.Wait("Number(" + sliders(knobs) + ".querySelector('.picture').dataset.frames) > 3")
	n.Wait(sliders(knobs) + ".querySelector('.picture svg').textContent.includes('q0')")
	n.Eval("{ "+sliders(knobs)+".querySelector('.pause').click() }", nil)
	n.Wait(sliders(knobs) + ".querySelector('.badge').textContent === 'paused'")
	n.Shot("relay", false)

	n.Click(`button[data-jupyter-action="jupyter-notebook:interrupt-kernel"]`)
	n.finish(relay)
	n.Wait(sliders(knobs) + ".querySelector('.metalab.lost .note').textContent.includes('has ended')")
	write(`lab.Show(lab.Get("a").Journal())`)
	n.run(relay)
	if got := n.look(relay); !strings.Contains(got, "q0 0.98") || !strings.Contains(got, "relay") {
		t.Errorf("the journal: %s", got)
	}
}

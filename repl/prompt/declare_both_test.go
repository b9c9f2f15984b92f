package prompt

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// climb declares a solver of one's own that knows a problem by its neighbours alone.
const climb = `
type Climb struct {
	T float64 ` + "`param:\"temperature,0..50\" doc:\"of the acceptance\"`" + `
	w *lab.Walk
	best []int
	cost float64
}
func (c *Climb) Init(p *lab.Problem, r *lab.Rand) (err error) {
	if c.w, err = p.Walk("hamming1"); err != nil {
		return err
	}
	c.best = make([]int, p.N)
	c.w.Load(c.best)
	c.cost = c.w.Cost()
	return nil
}
func (c *Climb) Step(_ int64, r *lab.Rand) (float64, error) {
	if k := r.IntN(c.w.Moves()); r.Accept(c.w.Delta(k), c.T) {
		c.w.Apply(k)
	}
	if v := c.w.Cost(); v < c.cost {
		c.cost, c.best = v, c.w.Solution()
	}
	return c.w.Cost(), nil
}
func (c *Climb) Best() (float64, []int) { return c.cost, c.best }
lab.Declare("climb", func() lab.Solver { return &Climb{T: 1} })
`

// A solver of one's own searches a problem of one's own: it is set, forked and saved, and another
// session that knows neither makes it again from the record.
func TestDeclareBoth(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("go"); err != nil || testing.Short() {
		t.Skip("compiles programs")
	}
	dir := shortDir(t)
	out, errs, code := repl(t, dir, sack+climb+`
open climb sack as a
step a 300
set a temperature=0.5
fork a as b temperature=2
step a 100; step b 100
plot a best
save b b.run; replay b.run
`, nil)
	for _, want := range []string{
		"climb: declared, code ", "a: temperature 1 → 0.5 from iteration 301",
		"b: iteration 400, best 7", "b.run: replayed 400 iterations: identical",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
	if code != 0 {
		t.Fatalf("code %d: %s", code, errs)
	}
	path := filepath.Join(dir, "b.run")
	_, errs, code = repl(t, dir, "", nil, "-c", "replay "+path)
	if code == 0 || !strings.Contains(errs, "b.run is of sack, a problem of somebody's own, and "+
		"climb, a solver of somebody's own, whose source it holds (2 codes, ") {
		t.Errorf("another session: code %d, %s", code, errs)
	}
	out, errs, code = repl(t, dir, "", nil, "-c", "load "+path+" as c code=yes; replay "+path+
		"; step c 5")
	for _, want := range []string{
		"sack and climb, declared from the source in b.run", "replayed 400 iterations: identical",
		"c: iteration 405",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("another session: %q is missing in\n%s\n%s", want, out, errs)
		}
	}
	if code != 0 {
		t.Errorf("another session: code %d: %s", code, errs)
	}
}

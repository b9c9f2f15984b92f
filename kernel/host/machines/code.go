package machines

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"

	"metalab/datasets"
	"metalab/kernel/guest"
	"metalab/kernel/wire"
	"metalab/solvers/experiment"
	"metalab/solvers/record"
)

// coder has a worker compile and run the code of others.
type coder struct {
	guests *guest.Session

	mu     sync.Mutex // held while something is compiled
	failed map[string]failure
}

// failure is why a source could not be had, by the source.
type failure struct {
	why error
	at  time.Time
}

// again is after how long a source that could not be had is tried again.
const again = time.Minute

// newCoder is a coder that keeps programs in a folder of its own until close; or why there is none.
func newCoder(say func(string)) (c *coder, end func(), err error) {
	if _, err := exec.LookPath("go"); err != nil {
		return nil, nil, guest.ErrNoGo
	}
	if _, err := guest.SourceRoot(); err != nil {
		return nil, nil, fmt.Errorf("code is compiled with %w", err)
	}
	dir, err := os.MkdirTemp("", "metalab-code-") // of mode 0700
	if err != nil {
		return nil, nil, err
	}
	c = &coder{guests: guest.NewSession(dir, say), failed: map[string]failure{}}
	return c, c.guests.Close, nil
}

// Revision implements stream.Coder.
func (c *coder) Revision() int { return guest.Revision }

// Know implements stream.Coder. Sources are compiled one after another.
func (c *coder) Know(
	ctx context.Context, u *experiment.Unit, source string,
) (datasets.Instance, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := u.Solver + " " + source
	if u.Instance.Kind == string(datasets.KindOwn) {
		key = u.Instance.Name + " " + source
	}
	if f := c.failed[key]; f.why != nil && time.Since(f.at) < again {
		return nil, f.why
	}
	inst, err := c.know(ctx, u, source)
	if err != nil && ctx.Err() == nil {
		if len(c.failed) > 100 {
			clear(c.failed)
		}
		c.failed[key] = failure{err, time.Now()}
	}
	return inst, err
}

func (c *coder) know(
	ctx context.Context, u *experiment.Unit, source string,
) (datasets.Instance, error) {
	if u.Instance.Kind == string(datasets.KindOwn) {
		in, _, err := c.guests.DeclareProblem(ctx, wire.DeclareRequest{
			Solver: u.Instance.Name, Source: []byte(source), Exact: true, Problem: true,
		})
		if err != nil {
			return nil, err
		}
		return in, nil
	}
	if u.Variant != guest.VariantName {
		return nil, errors.New("no solver of somebody's own is of variant " + u.Variant)
	}
	as, params, err := c.guests.Adopt(ctx, u.Solver, source)
	if err != nil {
		return nil, err
	}
	// Who asks may have parameters of other codes of the solver, which this one does not look at.
	values := record.Values{}
	for name, v := range u.Params {
		known := slices.ContainsFunc(params, func(p record.Param) bool { return p.Name == name })
		if known || name == "code" {
			values[name] = v
		}
	}
	u.Solver, u.Params = as, values
	return nil, nil
}

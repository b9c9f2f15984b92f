package stream

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"unicode/utf8"

	"metalab/datasets"
	"metalab/solvers"
	"metalab/solvers/experiment"
)

// A Coder registers a user's code that units need: it compiles the source of a solver or a problem,
// and so runs it with all rights of the user who started the worker.
type Coder interface {
	// Revision returns the common revision of all users' solvers.
	Revision() int
	// Know makes the source of a unit known. It gives the unit the name and the parameters that the
	// solver has in this process, or returns the instance that the problem is.
	Know(ctx context.Context, u *experiment.Unit, source string) (datasets.Instance, error)
}

// codeParam is the parameter of users' solvers.
const codeParam = "code"

// maxSource is the most bytes of a source, and maxSources how many of them a worker keeps.
const (
	maxSource  = 1 << 20
	maxSources = 64
)

// isOwn reports whether the solver or the problem of a unit belongs to a user.
func isOwn(u *experiment.Unit) bool {
	_, solver := u.Params[codeParam]
	return solver || u.Instance.Kind == string(datasets.KindOwn)
}

// kindOfUnit names what a worker must have for a unit.
func kindOfUnit(u *experiment.Unit) string {
	switch {
	case u.Instance.Kind == string(datasets.KindOwn):
		return ofProblems(u.Solver, u.Variant, u.Backend, u.Revision)
	case isOwn(u):
		return ofSolvers(u.Revision)
	}
	return kindOf(u.Solver, u.Variant, u.Backend, u.Revision)
}

// ofSolvers and ofProblems name what workers have that take code: who asks compiles it for its own
// architecture, and another one may round sums otherwise.
func ofSolvers(revision int) string {
	return fmt.Sprintf("solvers of one's own (%s) on cpu, revision %d", runtime.GOARCH, revision)
}

func ofProblems(solver, variant, backend string, revision int) string {
	return kindOf(solver, variant+" for problems of one's own ("+runtime.GOARCH+")", backend, revision)
}

// kinds returns the kinds of a worker, with the backend of each.
func (w *Worker) kinds() map[string]string {
	out := map[string]string{}
	for _, v := range solvers.Variants() {
		if v.Backend != "cpu" && len(w.GPUs) == 0 {
			continue
		}
		out[kindOf(v.Solver, v.Name, v.Backend, v.Revision)] = v.Backend
		if w.Code != nil && slices.Contains(v.Kinds, datasets.KindOwn) {
			out[ofProblems(v.Solver, v.Name, v.Backend, v.Revision)] = v.Backend
		}
	}
	if w.Code != nil {
		out[ofSolvers(w.Code.Revision())] = "cpu"
	}
	return out
}

// codeKey is the name of the object of a source.
func codeKey(sha string) string { return "code-" + sha }

// shaOf is the hash of a source.
func shaOf(source []byte) string {
	s := sha256.Sum256(source)
	return hex.EncodeToString(s[:])
}

// isSource returns why text is not the source that a unit says.
func isSource(u *experiment.Unit, code string, source []byte) error {
	switch have := shaOf(source); {
	case len(source) > maxSource || !utf8.Valid(source):
		return fmt.Errorf("stream: a source has %d bytes, want UTF-8 of at most %d", len(source),
			maxSource)
	case have != code:
		return fmt.Errorf("stream: the source of %s on %s is another one than the unit's (SHA-256 "+
			"%.12s…, not %.12s…)", u.Solver, u.Instance.Name, have, code)
	}
	return isCode(u, code)
}

// isCode returns why a hash is not that of the source which a unit must have: it is the instance's,
// or the parameter code begins it.
func isCode(u *experiment.Unit, code string) error {
	switch {
	case !isOwn(u) && code == "":
		return nil
	case !isOwn(u):
		return errors.New("stream: a unit has a source, and nothing in it is somebody's own")
	case !hash.MatchString(code):
		return fmt.Errorf("stream: the hash of a source is %.80q, want 64 hexadecimal digits", code)
	case u.Instance.Kind == string(datasets.KindOwn) && code != u.Instance.SHA256:
		return fmt.Errorf("stream: a problem is of source %.12s…, and its unit's is %.12s…",
			u.Instance.SHA256, code)
	}
	if v, ok := u.Params[codeParam]; ok {
		if id, _ := v.Word(); len(id) < 10 || len(id) > len(code) || code[:len(id)] != id {
			return fmt.Errorf("stream: a solver is of code %.80q, and its unit's source is %.12s…", id, code)
		}
	}
	return nil
}

// source is the source of a unit that needs one, and its hash.
func (a *coordinator) source(u *experiment.Unit) (sha string, err error) {
	if !isOwn(u) {
		return "", nil
	}
	if a.o.Source == nil {
		return "", fmt.Errorf("unit %d (%s on %s) is of code of somebody's own, whose source is not "+
			"known: make its units with over=local", u.Number, u.Label, u.Instance.Name)
	}
	text, err := a.o.Source(u)
	if err != nil {
		return "", err
	}
	sha = shaOf([]byte(text))
	if err := isSource(u, sha, []byte(text)); err != nil {
		return "", err
	}
	if a.codes[sha] == nil {
		a.codes[sha] = &instance{packed: []byte(text)}
	}
	return sha, nil
}

// ready makes known what a unit needs, and returns what loads its instance.
func (x *activeWorker) ready(
	ctx context.Context, u *experiment.Unit, code string,
) (experiment.Loader, error) {
	if code != "" {
		inst, err := x.know(ctx, u, code)
		if err != nil {
			return nil, err
		}
		if inst != nil {
			own := &cached{inst: inst}
			return own.loader, nil
		}
	}
	inst, err := x.insts.get(ctx, x.place(), u)
	if err != nil {
		return nil, err
	}
	return inst.loader, nil
}

// know makes the code of a unit known.
func (x *activeWorker) know(ctx context.Context, u *experiment.Unit, code string) (
	datasets.Instance, error,
) {
	if x.w.Code == nil {
		return nil, errors.New("stream: this worker takes no code")
	}
	x.mu.Lock()
	source, ok := x.sources[code]
	x.mu.Unlock()
	if !ok {
		b, err := x.place().fetch(ctx, codeKey(code), maxSource)
		if err != nil {
			return nil, fmt.Errorf("stream: code %.12s…: %w", code, err)
		}
		source = string(b)
	}
	if err := isSource(u, code, []byte(source)); err != nil {
		return nil, codeError{err}
	}
	x.mu.Lock()
	if len(x.sources) >= maxSources {
		clear(x.sources) // they come again
	}
	x.sources[code] = source
	x.mu.Unlock()
	inst, err := x.w.Code.Know(ctx, u, source)
	if err == nil && inst != nil && inst.SHA256() != u.Instance.SHA256 {
		err = fmt.Errorf("it is compiled to another problem (SHA-256 %.12s…)", inst.SHA256())
	}
	if err != nil {
		return nil, codeError{fmt.Errorf("code %.12s…: %w", code, err)}
	}
	return inst, nil
}

// A codeError is that a unit's code cannot be had here, which may be another worker's.
type codeError struct{ error }

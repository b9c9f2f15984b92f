package guest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"metalab/datasets"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

// VariantName is the variant of all declared solvers.
const VariantName = "declared"

// Revision is raised when the same source would draw other numbers, or use them otherwise.
const Revision = 1

// codeParam is the parameter that says which code a run has.
const codeParam = "code"

// A Session holds the solvers that were declared to one host.
type Session struct {
	dir    string
	notice func(string)

	mu       sync.Mutex
	solvers  map[string]*solver
	problems map[string]*problem
	adopted  map[string]*solver // by the names that they have in this process; see Adopt
}

// solver is a name and all that was declared under it.
type solver struct {
	name     string
	session  *Session
	codes    []*Code        // the oldest first; a code that came again is the last
	params   []record.Param // of all codes, by name; those of the latest as it says
	measures []string       // of all codes

	printed []string // the latest lines that its workers printed
	lines   int      // how many there were
}

// NewSession returns a session that stores its programs in a folder, which it creates for the first
// one. notice receives sentences for everybody, such as the output of solvers.
func NewSession(dir string, notice func(string)) *Session {
	return &Session{
		dir: dir, notice: notice, solvers: map[string]*solver{}, problems: map[string]*problem{},
		adopted: map[string]*solver{},
	}
}

// Close forgets all solvers and removes their programs. Runs that are open must be closed
// before.
func (s *Session) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for n := range s.solvers {
		solvers.Remove(n, VariantName, "cpu")
	}
	for n := range s.adopted {
		solvers.Remove(n, VariantName, "cpu")
	}
	clear(s.solvers)
	clear(s.adopted)
	clear(s.problems)
	os.RemoveAll(s.dir)
}

// ErrTaken is wrapped by the error of a declaration under the name of a built-in solver.
var ErrTaken = errors.New("a solver of metalab's own has that name")

// Declare makes a code known, after its program has been tried, and returns it with the one
// that the solver had before, nil for a new name.
func (s *Session) Declare(ctx context.Context,
	q wire.DeclareRequest,
) (now, before *Code, err error) {
	return s.declare(ctx, q, false)
}

// declare is Declare, or with old of a code that is older than all that are known.
func (s *Session) declare(ctx context.Context, q wire.DeclareRequest, old bool) (
	now, before *Code, err error,
) {
	if err := wire.CheckSession(q.Solver); err != nil || strings.Contains(q.Solver, "/") {
		return nil, nil, fmt.Errorf("%q is no name of a solver: letters, digits, - and _", q.Solver)
	}
	if s.Problem(q.Solver) != nil {
		return nil, nil, fmt.Errorf("%s is the name of a problem that was declared; take another",
			q.Solver)
	}
	for _, v := range solvers.Variants() {
		if v.Solver == q.Solver && v.Name != VariantName {
			return nil, nil, fmt.Errorf("%s: %w; take another", q.Solver, ErrTaken)
		}
	}
	c, err := s.tried(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.solvers[q.Solver]
	if v == nil {
		v = &solver{name: q.Solver, session: s}
	}
	if n := len(v.codes); n > 0 {
		before = v.codes[n-1]
	}
	if err := v.add(c); err != nil {
		return nil, nil, err
	}
	if n := len(v.codes) - 1; old && n > 0 {
		v.codes = append([]*Code{c}, v.codes[:n]...)
		for _, p := range v.codes[n].Hello.Params { // as the newest says
			i := slices.IndexFunc(v.params, func(o record.Param) bool { return o.Name == p.Name })
			v.params[i] = p
		}
	}
	s.solvers[q.Solver] = v
	solvers.Put(v.variant(v.codes[len(v.codes)-1]))
	return c, before, nil
}

// tried is the code of a request, after its program has been tried.
func (s *Session) tried(ctx context.Context, q wire.DeclareRequest) (c *Code, err error) {
	c = &Code{}
	if c.Program, c.SHA256, err = s.keep(q.Program); err != nil {
		return nil, err
	}
	p, err := start(ctx, c.Program, q.Solver, s.prints(q.Solver))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", q.Solver, err)
	}
	c.Hello, c.asked = p.Hello, q
	c.asked.Program = c.Program
	p.kill()
	c.ID = c.SHA256[:10]
	if src, ok := sourceIn(&q); ok {
		c.Source, c.lines, c.ID = src.Text, src.lines, hash(src.Text)
		refused, notes := chance(src.Text)
		if refused != "" {
			return nil, fmt.Errorf("%s: %s", q.Solver, refused)
		}
		c.Notes = notes
	}
	return c, nil
}

// sourceIn is the part of a request's source that makes the solver.
func sourceIn(q *wire.DeclareRequest) (Source, bool) {
	if !q.Exact {
		return Cut(q.Source, q.Type, q.Line, q.Solver)
	}
	src := string(q.Source)
	return Source{Text: src, lines: linesOf(src)}, true
}

// add makes c the solver's code; the session is locked.
func (v *solver) add(c *Code) error {
	params := slices.Clone(v.params)
	for _, p := range c.Hello.Params {
		i := slices.IndexFunc(params, func(o record.Param) bool { return o.Name == p.Name })
		switch {
		case i < 0:
			params = append(params, p)
		case params[i].Type != p.Type || params[i].Class != p.Class:
			return fmt.Errorf("%s: parameter %s was %s %s and is %s %s now: give it another name", v.name,
				p.Name, params[i].Class, params[i].Type, p.Class, p.Type)
		default:
			params[i] = p
		}
	}
	v.params = params
	for _, m := range c.Hello.Measures {
		if !slices.Contains(v.measures, m) {
			v.measures = append(v.measures, m)
		}
	}
	v.codes = slices.DeleteFunc(v.codes, func(o *Code) bool { return o.ID == c.ID })
	v.codes = append(v.codes, c)
	return nil
}

// view returns the data of a solver for a run.
func (v *solver) view() (codes []*Code, params []record.Param, measures []string) {
	v.session.mu.Lock()
	defer v.session.mu.Unlock()
	return slices.Clone(v.codes), slices.Clone(v.params), slices.Clone(v.measures)
}

// code returns the code with a name, nil when there is none.
func (v *solver) code(id string) *Code {
	codes, _, _ := v.view()
	if i := slices.IndexFunc(codes, func(c *Code) bool { return c.ID == id }); i >= 0 {
		return codes[i]
	}
	return nil
}

// variant returns the solver as a variant for the registry.
func (v *solver) variant(c *Code) solvers.Variant {
	title := c.Hello.Title
	if title == "" {
		title = "a solver of your own (" + c.Hello.Type + ")"
	}
	return solvers.Variant{
		Solver: v.name, Name: VariantName, Backend: "cpu", Revision: Revision, Default: true,
		Kinds: []datasets.Kind{
			datasets.KindTSP, datasets.KindATSP, datasets.KindQAP,
			datasets.KindPPP, datasets.KindCut, datasets.KindOwn,
		},
		Deterministic: true,
		Title:         title, Source: "declared in this session",
		Layout: "Philox4x32-10; key: the seed; counter: iteration low, iteration high ^ 0x47 << " +
			"24, 0, draw / 4",
		New: func(inst datasets.Instance) (solvers.Algorithm, error) {
			return newAlgorithm(v, inst), nil
		},
	}
}

// Known reports whether a solver was declared, and under which codes.
func (s *Session) Known(name string) (codes []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v := s.solvers[name]; v != nil {
		for _, c := range v.codes {
			codes = append(codes, c.ID)
		}
	}
	return codes
}

// Requests are the declarations that make another session know the same codes, in order.
func (s *Session) Requests() []wire.DeclareRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []wire.DeclareRequest
	for _, n := range slices.Sorted(maps.Keys(s.solvers)) {
		for _, c := range s.solvers[n].codes {
			out = append(out, c.asked)
		}
	}
	for _, n := range slices.Sorted(maps.Keys(s.problems)) {
		for _, in := range s.problems[n].codes {
			out = append(out, in.code.asked)
		}
	}
	return out
}

func (s *Session) makeDir() error { return os.MkdirAll(s.dir, 0o700) }

// keep copies a program into the session's folder. It is copied and not linked: who made it
// may write the next one into the same file.
func (s *Session) keep(program string) (path, sum string, err error) {
	if err := s.makeDir(); err != nil {
		return "", "", err
	}
	from, err := os.Open(program)
	if err != nil {
		return "", "", err
	}
	defer from.Close()
	to, err := os.CreateTemp(s.dir, "new*")
	if err != nil {
		return "", "", err
	}
	defer os.Remove(to.Name())
	h := sha256.New()
	_, err = io.Copy(io.MultiWriter(to, h), from)
	if err = errors.Join(err, to.Chmod(0o700), to.Close()); err != nil {
		return "", "", err
	}
	sum = hex.EncodeToString(h.Sum(nil))
	path = filepath.Join(s.dir, sum[:16])
	return path, sum, os.Rename(to.Name(), path)
}

// Printed returns the latest output of a solver's workers after the line with a number, and the
// number of the last line.
func (s *Session) Printed(solver string, after int) (lines []string, last int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.solvers[solver]
	if v == nil {
		return nil, 0
	}
	n := min(v.lines-after, len(v.printed))
	return slices.Clone(v.printed[len(v.printed)-max(n, 0):]), v.lines
}

// maxPrinted is the number of stored output lines of a solver.
const maxPrinted = 50

// prints passes on what a solver prints, a little of it.
func (s *Session) prints(name string) func(string) {
	n := 0
	return func(line string) {
		s.mu.Lock()
		if v := s.solvers[name]; v != nil {
			v.lines++
			v.printed = append(v.printed[max(0, len(v.printed)+1-maxPrinted):], line)
		}
		s.mu.Unlock()
		if n++; n <= 100 {
			s.notice(name + " prints: " + short(line))
		}
		if n == 100 {
			s.notice(name + " prints more; the rest is not shown")
		}
	}
}

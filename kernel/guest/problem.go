package guest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"metalab/datasets"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/own"
	"metalab/solvers/record"
)

// problem is a name and all that was declared under it.
type problem struct {
	name  string
	codes []*Instance // the oldest first; one that came again is the last
}

// An Instance is a declared problem: the searches on it run in processes with its code. Its hash is
// that of the source.
type Instance struct {
	session *Session
	name    string
	code    *Code
	form    record.Form
	sum     string

	mu     sync.Mutex
	pairs  map[string]*solver // by solver, variant and backend
	paired map[string]*Code   // of declared solvers, by solver and code, compiled with the problem
	gpu    *Code              // with a program that makes kernels; nil: not compiled yet
}

// link is the file that is compiled with the source of a problem: the searches.
const link = "package main\n\nimport _ \"metalab/kernel/lab/problem\"\n"

// linkKernels is the source of a program that also compiles kernels, for GPUs if these are usable.
const linkKernels = "package main\n\nimport (\n\t_ \"metalab/kernel/lab/problem\"\n" +
	"\t_ \"metalab/kernels/own/searches\"\n)\n"

// DeclareProblem makes a code of a problem known, after its program was compiled and tried, and
// returns it with the one that the problem had before, nil for a new name.
func (s *Session) DeclareProblem(ctx context.Context, q wire.DeclareRequest) (
	now, before *Instance, err error,
) {
	name := q.Solver
	if err := wire.CheckSession(name); err != nil || strings.Contains(name, "/") {
		return nil, nil, fmt.Errorf("%q is no name of a problem: letters, digits, - and _", name)
	}
	for _, v := range solvers.Variants() {
		if v.Solver == name {
			return nil, nil, fmt.Errorf("%s is the name of a solver; take another", name)
		}
	}
	if slices.Contains(datasets.Names(), name) {
		return nil, nil, fmt.Errorf("%s is the name of an instance that is published; take another", name)
	}
	src := Source{Text: string(q.Source)}
	if !q.Exact {
		var ok bool
		if src, ok = CutProblem(q.Source, q.Line, name); !ok {
			return nil, nil, fmt.Errorf("%s: its source does not call lab.DeclareProblem(%q, …) itself: "+
				"the name stands there as a string, and the constructor beside it", name, name)
		}
	}
	if refused, _ := chance(src.Text); refused != "" {
		refused, _, _ = strings.Cut(refused, "; draw from")
		return nil, nil, fmt.Errorf("%s: %s; take rand.New(rand.NewPCG(1, 2)) of math/rand/v2 for data",
			name, refused)
	}
	in := &Instance{session: s, name: name, pairs: map[string]*solver{}, paired: map[string]*Code{}}
	h := sha256.Sum256([]byte(src.Text))
	in.sum = hex.EncodeToString(h[:])
	before = s.Problem(name)
	if old := s.coded(name, in.sum); old != nil {
		s.shelve(old, q.Exact && before != nil)
		return old, before, nil
	}
	if in.code, err = s.compiled(ctx, name, src.Text, false); err != nil {
		return nil, nil, err
	}
	if in.code.Hello.Form == nil {
		return nil, nil, fmt.Errorf("%s: its program is of no problem", name)
	}
	in.form = *in.code.Hello.Form
	in.code.asked = wire.DeclareRequest{
		Solver: name, Program: in.code.Program, Source: []byte(src.Text), Exact: true, Problem: true,
	}
	_, in.code.Notes = chance(src.Text)
	s.shelve(in, q.Exact && before != nil)
	return in, before, nil
}

// shelve makes a code the latest one of its problem, or with old the oldest.
func (s *Session) shelve(in *Instance, old bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.problems[in.name]
	if p == nil {
		p = &problem{name: in.name}
		s.problems[in.name] = p
	}
	known := slices.Contains(p.codes, in)
	switch {
	case old && known:
	case old:
		p.codes = slices.Insert(p.codes, 0, in)
	default:
		p.codes = append(slices.DeleteFunc(p.codes, func(o *Instance) bool { return o == in }), in)
	}
}

// compiled makes a code of the source of a problem, and tries it.
func (s *Session) compiled(
	ctx context.Context, name, source string, kernels bool,
) (*Code, error) {
	c := &Code{ID: hash(source), Source: source, lines: linesOf(source)}
	more := link
	if kernels {
		more = linkKernels
	}
	_, none := solvers.Find("tabu", "robust", "cuda")
	gpu := kernels && none == nil
	var err error
	if c.Program, c.SHA256, err = s.program(ctx, source, gpu, more); err != nil {
		return nil, fmt.Errorf("%s: %w", name, plainer(err))
	}
	w, err := start(ctx, c.Program, name, s.prints(name))
	if err != nil {
		return nil, fmt.Errorf("%s: %s", name, c.explain(err))
	}
	c.Hello = w.Hello
	w.kill()
	return c, nil
}

// program compiles a source with another file, and keeps what comes of it.
func (s *Session) program(
	ctx context.Context, source string, gpu bool, more string,
) (path, sum string, err error) {
	if err := s.makeDir(); err != nil {
		return "", "", err
	}
	dir, err := os.MkdirTemp(s.dir, "build*")
	if err != nil {
		return "", "", err
	}
	defer os.RemoveAll(dir)
	program, err := compile(ctx, filepath.Join(dir, hash(source)), gpu, source, more)
	if err != nil {
		return "", "", err
	}
	return s.keep(program)
}

// linesOf are the lines of a source by their numbers.
func linesOf(source string) map[int]string {
	lines := map[int]string{}
	for i, line := range strings.Split(source, "\n") {
		lines[i+1] = line
	}
	return lines
}

// plainer says what an undefined name of a source is.
func plainer(err error) error {
	if strings.Contains(err.Error(), "undefined: ") {
		return fmt.Errorf("%w: the process of a problem has the declarations that stand outside of "+
			"functions, and no variable of a cell's own lines; of the prompt's variables it has those of "+
			"numbers and strings, and slices, arrays and maps of these, to 64 KiB: make it a constant, a "+
			"parameter or a field", err)
	}
	return err
}

// Problem is the latest code of a problem, nil where none has the name.
func (s *Session) Problem(name string) *Instance {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.problems[name]; p != nil {
		return p.codes[len(p.codes)-1]
	}
	return nil
}

// coded is the code of a problem with a hash, nil where the session has none.
func (s *Session) coded(name, sum string) *Instance {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.problems[name]; p != nil {
		for _, c := range p.codes {
			if c.sum == sum {
				return c
			}
		}
	}
	return nil
}

// ProblemOf is the problem of a record; the error says that this session does not know it.
func (s *Session) ProblemOf(ref record.InstanceRef) (*Instance, error) {
	if in := s.coded(ref.Name, ref.SHA256); in != nil {
		return in, nil
	}
	return nil, fmt.Errorf("the record is on %s, a problem that somebody declared (code %.10s), and "+
		"this session has none of that code: run the cell that declares it", ref.Name, ref.SHA256)
}

// Problems are the latest codes of all problems, by name.
func (s *Session) Problems() []*Instance {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []*Instance
	for _, p := range s.problems {
		out = append(out, p.codes[len(p.codes)-1])
	}
	slices.SortFunc(out, func(a, b *Instance) int { return cmp.Compare(a.name, b.name) })
	return out
}

// Name is the name under which the problem was declared.
func (in *Instance) Name() string { return in.name }

// Kind is datasets.KindOwn.
func (in *Instance) Kind() datasets.Kind { return datasets.KindOwn }

// Objectives are the parameters that are the problem's own, not nil where it has none: each value
// of one is another objective.
func (in *Instance) Objectives() []string { return append([]string{}, in.code.Hello.Own...) }

// Size is the number of entries of a solution.
func (in *Instance) Size() int { return in.form.N }

// Form returns the form of the solutions.
func (in *Instance) Form() record.Form { return in.form }

// BestKnown is the cost of the best solution that the declaration knows of.
func (in *Instance) BestKnown() (datasets.BestKnown, bool) { return own.BestOf(in.form) }

// SHA256 is the hash of the source.
func (in *Instance) SHA256() string { return in.sum }

// Code is the code.
func (in *Instance) Code() *Code { return in.code }

// SourceText returns the source in the form for records, and its name there.
func (in *Instance) SourceText() (id, text string) { return in.code.ID, in.code.text(in.name) }

// once starts a worker for one request.
func (in *Instance) once(ctx context.Context, op byte, q, answer any) error {
	return in.onceBy(ctx, in.code, evaluationLimit, op, q, answer)
}

// onceBy is once by a program of the problem, with a limit of the time.
func (in *Instance) onceBy(
	ctx context.Context, code *Code, limit time.Duration, op byte, q, answer any,
) error {
	b, err := json.Marshal(q)
	if err != nil {
		return err
	}
	w, err := start(ctx, code.Program, in.name, in.session.prints(in.name))
	if err != nil {
		return errors.New(in.code.explain(err))
	}
	defer w.kill()
	if err := w.ask(op, b); err != nil {
		return errors.New(in.code.explain(err))
	}
	ans, err := w.wait(ctx, limit)
	if err == nil && ans.op != op {
		err = w.failure(ans)
	}
	if err != nil {
		return errors.New(in.code.explain(err))
	}
	return json.Unmarshal(ans.body, answer)
}

// CostOf is the cost of a solution, with the values that the parameters have by default.
func (in *Instance) CostOf(s record.Solution) (float64, error) { return in.CostWith(s, nil) }

// CostWith is the cost of a solution, with the problem's own among the values.
func (in *Instance) CostWith(s record.Solution, values record.Values) (cost float64, err error) {
	if err := in.form.Take(s); err != nil {
		return 0, fmt.Errorf("%s: %w", in.name, err)
	}
	q := wire.WorkerCost{Solution: s, Params: record.Values{}}
	for _, name := range in.code.Hello.Own {
		if v, ok := values[name]; ok {
			q.Params[name] = v
		}
	}
	if err := in.once(context.Background(), wire.OpCost, q, &cost); err != nil {
		return 0, fmt.Errorf("%s: %w", in.name, err)
	}
	return cost, nil
}

// Check compares the deltas of the problem with its costs, and the kernels compiled from its
// methods with both. The error is the first difference, or a fault of the code.
func (in *Instance) Check(ctx context.Context, q wire.WorkerCheck) (wire.WorkerChecked, error) {
	var c wire.WorkerChecked
	code, err := in.kernels(ctx)
	if err != nil {
		return c, err
	}
	q.Source, q.Budget = in.code.Source, int64(checkBudget)
	limit := 2*checkBudget + evaluationLimit // each half has its budget, and ends a move after it
	if err := in.onceBy(ctx, code, limit, wire.OpCheck, q, &c); err != nil {
		return c, fmt.Errorf("%s: %w", in.name, err)
	}
	if c.Wrong == "" {
		return c, nil
	}
	e := &solverError{WorkerError: wire.WorkerError{Text: c.Wrong, Where: c.Where, Line: c.Line}}
	return c, fmt.Errorf("%s: %s", in.name, in.code.explain(e))
}

// Draw is the picture of a solution, with the values that parameters have.
func (in *Instance) Draw(
	ctx context.Context, s record.Solution, params []record.Param,
) (*record.Drawing, error) {
	q := wire.WorkerDraw{Solution: s, Params: record.Values{}}
	for _, p := range params {
		if slices.Contains(in.code.Hello.Own, p.Name) {
			q.Params[p.Name] = p.Value
		}
	}
	var d record.Drawing
	if err := in.once(ctx, wire.OpDraw, q, &d); err != nil {
		return nil, err
	}
	return &d, nil
}

// Algorithm is a search on the problem, which its worker makes, or a solver that somebody declared,
// in a worker with the problem.
func (in *Instance) Algorithm(v solvers.Variant) (solvers.Algorithm, error) {
	if v.Name == VariantName {
		return in.solvedBy(v.Solver)
	}
	of, err := in.pair(v)
	if err != nil {
		return nil, err
	}
	a := newAlgorithm(of, in)
	a.problem = in
	a.variant = wire.WorkerVariant{Solver: v.Solver, Variant: v.Name, Backend: v.Backend}
	if of.codes[0].Hello.Starts {
		return starting{searching{a}}, nil
	}
	return searching{a}, nil
}

// kernels is the code with a program that makes kernels, compiled when it is first asked for.
func (in *Instance) kernels(ctx context.Context) (*Code, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.kernelsLocked(ctx)
}

func (in *Instance) kernelsLocked(ctx context.Context) (code *Code, err error) {
	if in.gpu == nil {
		in.gpu, err = in.session.compiled(ctx, in.name, in.code.Source, true)
	}
	return in.gpu, err
}

// pair is a search on the problem, as if somebody had declared it.
func (in *Instance) pair(v solvers.Variant) (*solver, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	key := v.Solver + "/" + v.Name + "/" + v.Backend
	if of := in.pairs[key]; of != nil {
		return of, nil
	}
	code := in.code
	if v.Backend != "cpu" {
		var err error
		if code, err = in.kernelsLocked(context.Background()); err != nil {
			return nil, err
		}
	}
	c := *code
	c.Hello = wire.WorkerHello{}
	q := wire.WorkerVariant{Solver: v.Solver, Variant: v.Name, Backend: v.Backend}
	err := in.onceBy(context.Background(), code, evaluationLimit, wire.OpVariant, q, &c.Hello)
	if err != nil {
		return nil, err
	}
	of := &solver{
		name: in.name, session: in.session, codes: []*Code{&c}, params: c.Hello.Params,
		measures: c.Hello.Measures,
	}
	in.pairs[key] = of
	return of, nil
}

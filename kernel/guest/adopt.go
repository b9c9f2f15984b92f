package guest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"metalab/datasets"
	"metalab/kernel/wire"
	"metalab/solvers"
	"metalab/solvers/record"
)

// SourceOf returns the user's source that a search needs: that of the problem, or else of a code of
// the solver. The error says why it is unavailable.
func (s *Session) SourceOf(
	solver string, params record.Values, ref record.InstanceRef,
) (string, error) {
	if ref.Kind == string(datasets.KindOwn) {
		in, err := s.ProblemOf(ref)
		if err != nil {
			return "", err
		}
		return in.code.Source, nil
	}
	id, _ := params[codeParam].Word()
	s.mu.Lock()
	v := s.solvers[solver]
	s.mu.Unlock()
	if v == nil {
		return "", fmt.Errorf("%s was declared by somebody, and this session has none of that name: "+
			"run the cell that declares it", solver)
	}
	c := v.code(id)
	if c == nil {
		return "", fmt.Errorf("this session has no code %s of %s: run the cell that declares it", id,
			solver)
	}
	if c.Source == "" {
		return "", fmt.Errorf("the source of %s, code %s, is not known: only that of a solver that is "+
			"declared in a cell or at the prompt is", solver, id)
	}
	return c.Source, nil
}

// Adopt compiles the source of a solver and makes it known in this process under a name of its own,
// which it returns with the parameters that it has: two sources of one name do not meet. It is for
// who makes what others ask for.
func (s *Session) Adopt(
	ctx context.Context, name, source string,
) (as string, params []record.Param, err error) {
	if err := wire.CheckSession(name); err != nil || strings.Contains(name, "/") {
		return "", nil, fmt.Errorf("%q is no name of a solver: letters, digits, - and _", name)
	}
	sum := sha256.Sum256([]byte(source))
	as = name + "-" + hex.EncodeToString(sum[:])
	s.mu.Lock()
	v := s.adopted[as]
	s.mu.Unlock()
	if v != nil {
		_, params, _ = v.view()
		return as, params, nil
	}
	if err := s.makeDir(); err != nil {
		return "", nil, err
	}
	dir, err := os.MkdirTemp(s.dir, "build*")
	if err != nil {
		return "", nil, err
	}
	defer os.RemoveAll(dir)
	program, err := compile(ctx, filepath.Join(dir, "adopted"), false, source)
	if err != nil {
		return "", nil, fmt.Errorf("code %s of %s: %w", hash(source), name, err)
	}
	c, err := s.tried(ctx, wire.DeclareRequest{
		Solver: name, Program: program, Source: []byte(source), Exact: true,
	})
	if err != nil {
		return "", nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	v = &solver{name: name, session: s}
	if err := v.add(c); err != nil {
		return "", nil, err
	}
	x := v.variant(c)
	x.Solver = as
	solvers.Put(x)
	s.adopted[as] = v
	return as, v.params, nil
}

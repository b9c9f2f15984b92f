package hosttest

import (
	"errors"
	"os"
	"slices"

	front "metalab/kernel/lab"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// Own is a solver of a researcher's: it exchanges two cities.
type Own struct {
	Hang bool `param:"hang" doc:"whether an iteration ends"`
	K    int  `param:"k,1..9" doc:"exchanges"`
	Lie  int  `param:"lie,0..1000" doc:"by how much the best is made better than it is"`
	Fail int  `param:"fail,0..3" doc:"how the fifth step fails: by error, panic or its process's end"`

	p          *front.Problem
	now, best  []int
	len, least float64
}

func (s *Own) Init(p *front.Problem, r *front.Rand) error {
	s.p, s.now = p, r.Perm(p.N)
	s.len = p.Cost(s.now)
	s.best, s.least = slices.Clone(s.now), s.len
	return nil
}

func (s *Own) Step(it int64, r *front.Rand) (float64, error) {
	if it == 5 {
		switch s.Fail {
		case 1:
			return 0, errors.New("told to fail")
		case 2:
			panic("told to panic")
		case 3:
			os.Exit(3)
		}
	}
	for i := 0; s.Hang; i++ {
	}
	for range s.K {
		i, j := r.IntN(s.p.N), r.IntN(s.p.N)
		s.now[i], s.now[j] = s.now[j], s.now[i]
	}
	if s.len = s.p.Cost(s.now); s.len < s.least {
		s.least = s.len
		copy(s.best, s.now)
	}
	return s.len, nil
}

func (s *Own) Best() (float64, []int) { return s.least - float64(s.Lie), s.best }

// ActAsWorker makes this program the worker of own when a host started it as that.
func ActAsWorker() {
	if os.Getenv(wire.EnvWorker) != "" {
		front.Declare("own", func() front.Solver { return &Own{K: 1} })
	}
}

// Declare declares own; note makes its source another one.
func (l *Lab) Declare(note string) *reply.DeclareReply {
	l.Helper()
	self, err := os.Executable()
	if err != nil {
		l.Fatal(err)
	}
	src := "package main\nimport \"metalab/kernel/lab\"\ntype own struct { x" + note +
		" int }\nfunc main() { lab.Declare(\"own\", func() lab.Solver { return &own{} }) }\n"
	var r reply.DeclareReply
	if err := l.C.Do(l.Context(), "declare", wire.DeclareRequest{
		Solver: "own", Program: self,
		Source: []byte(src), Type: "own",
	}, &r); err != nil {
		l.Fatal(err)
	}
	return &r
}

package machines_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"metalab/kernel/guest"
	"metalab/kernel/host/machines"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/experiment/stream"
)

// stroll is a solver of somebody's own; NAME is its parameter, which differs from code to code.
const stroll = `package main

import "metalab/kernel/lab"

type Stroll struct {
	N int ` + "`param:\"NAME,1..9\" doc:\"exchanges\"`" + `

	p           *lab.Problem
	now, best   []int
	value, least float64
}

func (s *Stroll) Init(p *lab.Problem, r *lab.Rand) error {
	s.p, s.now = p, r.Perm(p.N)
	s.value = p.Cost(s.now)
	s.best, s.least = append([]int(nil), s.now...), s.value
	return nil
}

func (s *Stroll) Step(it int64, r *lab.Rand) (float64, error) {
	for range s.N {
		i, j := r.IntN(s.p.N), r.IntN(s.p.N)
		s.now[i], s.now[j] = s.now[j], s.now[i]
	}
	if s.value = s.p.Cost(s.now); s.value < s.least {
		s.least = s.value
		copy(s.best, s.now)
	}
	return s.value, nil
}

func (s *Stroll) Best() (float64, []int) { return s.least, s.best }

func main() {
	lab.Declare("stroll", func() lab.Solver { return &Stroll{N: 2} })
}
`

// sack is a problem of somebody's own with a parameter on which the cost depends.
const sack = `package main

import "metalab/kernel/lab"

type Sack struct {
	Penalty float64 ` + "`param:\"penalty,0..50\" doc:\"of a unit too much\"`" + `
}

func (s *Sack) Cost(x []uint8) int64 {
	var held, value int64
	for i, b := range x {
		held += int64(b) * int64(7*i%11+1)
		value += int64(b) * int64(i%5+3)
	}
	return int64(s.Penalty)*max(held-40, 0) - value
}

func main() {
	lab.DeclareProblem("sack", func() any { return &Sack{Penalty: 1} }, lab.Bits(18))
}
`

// declare makes a solver or a problem known that has a source.
func (d *desk) declare(name, source string, problem bool) {
	d.Helper()
	q := wire.DeclareRequest{Solver: name, Source: []byte(source), Problem: problem, Type: "Stroll"}
	if !problem {
		dir := d.TempDir()
		file := filepath.Join(dir, "main.go")
		if err := os.WriteFile(file, q.Source, 0o600); err != nil {
			d.Fatal(err)
		}
		q.Program = filepath.Join(dir, "program")
		if out, err := guest.Build(d.Context(), file, q.Program); err != nil {
			d.Fatalf("%v: %s", err, out)
		}
	}
	if err := d.c.Do(d.Context(), "declare", q, &reply.DeclareReply{}); err != nil {
		d.Fatal(err)
	}
}

// Solvers and problems of one's own are made by a worker that takes code, from the source that
// comes with the units, and their results are those that are made here; a worker that takes none
// says why it gets nothing.
func TestOwnCodeOverEmbed(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles several programs")
	}
	machines.Forget(t)
	d := newDesk(t)
	d.declare("stroll", strings.ReplaceAll(stroll, "NAME", "old"), false)
	d.declare("stroll", strings.ReplaceAll(stroll, "NAME", "exchanges"), false) // has no parameter old
	d.declare("sack", sack, true)
	d.joinEmbedded("attic")
	line := "experiment e1 solvers=stroll exchanges=3 instances=rand-20-1 seeds=2 n=20"
	d.do(line + " over=embed background")
	for i := 0; ; i++ {
		why := d.workers()[0].Why
		if len(why) == 1 && strings.Contains(why[0], "they come with code of somebody's own") {
			break
		}
		if i > 12_000 {
			t.Fatalf("attic says %q", why)
		}
		time.Sleep(25 * time.Millisecond)
	}
	d.join(&stream.Worker{Name: "forge", Cores: 2, Code: machines.NewCoder(t)})
	for i := 0; d.do("experiment e1").(*reply.ExperimentReply).Done < 2; i++ {
		if i > 12_000 {
			t.Fatalf("it is not made: %+v", d.workers())
		}
		time.Sleep(25 * time.Millisecond)
	}
	d.do(strings.Replace(line, "e1", "e2", 1))
	if a, b := d.results("e1"), d.results("e2"); a != b {
		t.Errorf("over the broker:\n%s\nhere:\n%s", a, b)
	}
	line = "experiment p1 solvers=anneal penalty=7 instances=sack seeds=2 n=20"
	d.do(line + " over=embed")
	d.do(strings.Replace(line, "p1", "p2", 1))
	if a, b := d.results("p1"), d.results("p2"); a != b || strings.Contains(a, "failed") {
		t.Errorf("over the broker:\n%s\nhere:\n%s", a, b)
	}
	d.do("open stroll rand-20-1 as a")
	d.do("open stroll rand-20-1 as h")
	d.do("repeat a 2 n=20 over=embed")
	d.do("repeat h 2 n=20 over=local")
	if a, h := d.seeds("a"), d.seeds("h"); a != h {
		t.Errorf("over the broker:\n%s\nhere:\n%s", a, h)
	}
	made := map[string]int{} // as workers say it themselves, now and then
	for i := 0; made["forge"] == 0 && i < 2400; i++ {
		for _, w := range d.workers() {
			made[w.Name] = int(w.Made)
		}
		time.Sleep(25 * time.Millisecond)
	}
	if made["forge"] == 0 || made["attic"] > 0 {
		t.Errorf("units made: %v", made)
	}
}

package extract_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"metalab/gpu/ptx/extract"
)

const text = `package main

import (
	"fmt"
	m "math"
	"time"
)

type Sack struct {
	weight, value []int64
	name          string
	seen          map[string]int
	inner
	time []int64
}

type inner struct{ held int64 }

const one, two = iota, iota + 1

func half(x float64) float64 { return m.Floor(x / two) }

func (s *Sack) Cost(x []uint8) int64 { return s.weight[0] + s.held + s.time[0] + int64(half(3)) }

func (s *Sack) Plot() { fmt.Println(s.name, s.seen, s.value) }

func main() { (&Sack{}).Plot(); fmt.Println(time.Now()) }
`

func TestOf(t *testing.T) {
	t.Parallel()
	p, err := extract.Of("a.go", []byte(text), []string{"Sack", "Sack.Cost", "Sack.Load"},
		[]string{"Sack"})
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(p.Imports) != `[m "math"]` {
		t.Errorf("imports %v", p.Imports)
	}
	var fields []string
	for _, f := range p.Fields["Sack"] {
		fields = append(fields, fmt.Sprint(f.Name, " ", f.Pos))
	}
	if got := strings.Join(fields, ", "); got != "weight a.go:10:2, inner a.go:13:2, time a.go:14:2" {
		t.Errorf("fields %s", got)
	}
	for _, no := range []string{"Plot", "main()", "seen", "value", "string"} {
		if strings.Contains(p.Text, no) {
			t.Errorf("%q is there:\n%s", no, p.Text)
		}
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "b.go", "package main\n"+p.Text, 0)
	if err != nil {
		t.Fatalf("%v\n%s", err, p.Text)
	}
	if at := fset.Position(f.Scope.Lookup("half").Pos()).String(); at != "a.go:21:6" {
		t.Errorf("half stands at %s", at)
	}
	if _, err := extract.Of("a.go", []byte(text), []string{"Bag"}, nil); err == nil ||
		err.Error() != "a.go declares no Bag" {
		t.Errorf("%v", err)
	}
}

// What is taken out of a file that can be read can be read.
func FuzzOf(f *testing.F) {
	f.Add(text, "Sack")
	f.Add("package p\nvar a, b = f(), 2\nfunc f() int { return b }", "a")
	f.Fuzz(func(t *testing.T, text, root string) {
		p, err := extract.Of("a.go", []byte(text), []string{root}, []string{root})
		if err != nil {
			return
		}
		if _, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+p.Text, 0); err != nil {
			t.Errorf("%v\n%s", err, p.Text)
		}
	})
}

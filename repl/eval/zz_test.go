package eval

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"
)

func TestZZ(t *testing.T) {
	s, err := New(Config{Notice: func(l string) { fmt.Println("NOTICE", l) }})
	if err != nil {
		t.Fatal(err)
	}
	a := time.Now()
	s.Warm()
	fmt.Println("warm", time.Since(a))
	for _, src := range []string{
		`x := 5`, `x`, `x + 1`, `x := fmt.Sprint(x, "!")`, `x`, `y, z := 1, 2.5; y`, `z`,
		`func f(a int) int { return a * 2 }`, `f(21)`, `strings.Split("a,b", ",")`,
		`type p struct { a, b int }; func (q *p) sum() int { return q.a + q.b }; v := &p{1, 2}; v.sum()`, `v.a = 10; v.sum()`,
		`func (q *p) double() { q.a *= 2 }`, `v.double(); v.a`, `v.sum()`,
		`var e any = *v`, `_, ok := e.(p); ok`, `e.(p).a`,
		`type Stack[T any] struct { xs []T }
func (s *Stack[T]) Push(x T) { s.xs = append(s.xs, x) }
func (s *Stack[T]) Len() int { return len(s.xs) }
st := &Stack[int]{}`, `st.Push(3); st.Push(4); st.Len()`, `st`, `var ee any = st`, `ee.(*Stack[int]).Len()`,
		`func Map[T, U any](xs []T, f func(T) U) (r []U) { for _, x := range xs { r = append(r, f(x)) }; return }`,
		`Map([]int{1,2}, func(i int) string { return fmt.Sprint(i) })`,
		`const ( A = iota; B; C )`, `C`, `const B = "b"`, `A; B`, `B`, `C`,
		`for i := range 3 { if i == 1 { continue }; fmt.Println(i) }`,
		`strconv.Atoi("x")`, `undefinedd`, `x := 1 +`, "a := 1\nb := a +\n  q\n", `panic("boom")`, `[]int{}[x2()]`,
		`func x2() int { return 3 }`, `[]int{1}[x2()]`, `var m map[string]int; m["a"] = 1`, `m`,
		`var np *p; np.a`, `func rec(n int) int { return rec(n+1) + 1 }`, `rec(0)`, `1 << 70`, `math.MaxUint64`, `min(1, 2.5)`,
		`defer fmt.Println("deferred"); 7`, `return`, `return 5`, `goto L; fmt.Println("skipped"); L: fmt.Println("at L")`,
		`n := 0; go func() { for { n++; time.Sleep(time.Millisecond) } }()`, `n >= 0`,
		`time := 3`, `time`, `import "os/exec"`, `import "os"`, `len(os.Args) > 0`, `os.Exit(3)`, `go panic("bg")`, `n > 0`,
		`type Shape interface { Area() float64 }; type Sq struct { S float64 }; func (s Sq) Area() float64 { return s.S * s.S }; func (s Sq) String() string { return "Sq!" }`,
		`var sh Shape = Sq{3}; sh.Area()`, `sh`, `fmt.Sprint(sh)`, `switch sh.(type) { case Sq: fmt.Println("is Sq") }`,
		`slices.SortedFunc(maps.Keys(map[string]int{"b":1,"a":2}), strings.Compare)`, `an := struct{A int; p}{1, p{2,3}}`, `an.A`, `an.sum()`,
		`fib := func() func() int { a, b := 0, 1; return func() int { a, b = b, a+b; return a } }()`, `fib(); fib(); fib()`, `fib()`,
		`type p struct { q string }`, `v`, `p{"x"}`, `func fibr(n int) int { if n < 2 { return n }; return fibr(n-1) + fibr(n-2) }`, `fibr(22)`,
		`t := 0.0; for i := 0; i < 1000000; i++ { t += float64(i) }; t`,
	} {
		a := time.Now()
		v, err := s.Eval(context.Background(), src)
		fmt.Printf("%-70.70q => %v %v [%v]\n", src, v, err, time.Since(a).Round(10*time.Microsecond))
	}
	for _, src := range []string{`for {}`, `func spin() { for {} }; spin()`, `g := func() { for {} }`, `g()`, `func deep(n int) { if n == 0 { for {} }; deep(n-1) }; deep(100)`, `import "time"; time.Sleep(3*time.Second)`} {
		ctx, c := context.WithTimeout(context.Background(), 100*time.Millisecond)
		a := time.Now()
		_, err := s.Eval(ctx, src)
		fmt.Println(src, err, time.Since(a))
		c()
	}
	var ms runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&ms)
	h := ms.HeapAlloc
	a = time.Now()
	for i := range 300 {
		if _, err := s.Eval(context.Background(), fmt.Sprintf("w%d := %d; w%d + f(3)", i%20, i, i%20)); err != nil {
			t.Fatal(err)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&ms)
	fmt.Println("300", time.Since(a)/300, "MB", float64(ms.HeapAlloc-h)/1e6, ms.HeapAlloc>>20)
}

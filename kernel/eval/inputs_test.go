package eval_test

import (
	"regexp"
	"strings"
	"testing"

	"metalab/kernel/eval"
)

// TestInputs feeds each session of the table its inputs. A line is an input and,
// behind =>, the values that it must give, or behind =! its error. ⏎ is a line
// break in an input. A line that ends in \ goes on in the next.
func TestInputs(t *testing.T) {
	t.Parallel()
	for name, text := range inputs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, n := session(t)
			for line := range strings.Lines(goesOn.ReplaceAllString(text, " ")) {
				line = strings.TrimSpace(line)
				if line == "" {
					continue
				}
				src, want, _ := strings.Cut(line, " => ")
				src, wantErr, fails := strings.Cut(src, " =! ")
				src = strings.ReplaceAll(src, "⏎", "\n")
				if eval.Incomplete(src) && !fails {
					t.Errorf("%s: taken for incomplete", src)
				}
				values, err := s.Eval(t.Context(), src)
				switch {
				case fails && err == nil:
					t.Errorf("%s\n got %s, want the error %s", src, show(values), wantErr)
				case fails && strings.TrimSpace(wantErr) != err.Error():
					t.Errorf("%s\n got the error  %v\n want the error %s", src, err, wantErr)
				case fails && strings.Contains(err.Error(), "\n"):
					t.Errorf("%s: the error has several lines: %q", src, err)
				case !fails && err != nil:
					t.Errorf("%s\n got the error %v", src, err)
				case !fails && show(values) != strings.TrimSpace(want):
					t.Errorf("%s\n got  %s\n want %s", src, show(values), want)
				}
			}
			if t.Failed() {
				t.Log("notices:", n.all())
			}
		})
	}
}

var goesOn = regexp.MustCompile(` \\\n\t*`)

var inputs = map[string]string{
	"variables": `
		x := 5
		x => 5
		x + 1 => 6
		x++
		x => 6
		x := fmt.Sprint(x, "!")
		x => 6!
		x, y := len(x), 2.5
		x * 2 => 4
		y => 2.5
		var a, b = 1, "s"; var c int
		a => 1
		b => s
		c => 0
		var ( d = 4; e any = "any"; _ = d )
		e.(string) => any
		var _ fmt.Stringer = time.Second
		p := &x; *p = 9
		x => 9
		func() int { return 4 }() => 4
		func(a int) int { return a }(3) => 3
		q, _ := strconv.Atoi("12"); q => 12
		L: for i := range 3 { for j := range 3 { if j == 1 { continue L }; x += i } }
		x => 12
		for i, k := 0, 0; i < 3; i++ { k += i; x = k }
		x => 3
		if m := map[string]int{"a": 1}; len(m) == 1 { x = 70 } else if k := 3; k > 2 { x = 71 }
		x => 70
		switch z := x; { case z > 3: x = 1; default: x = 2 }
		x => 1
		time := 3; time => 3
		shadow := 1; { shadow := "inner"; _ = shadow }; shadow => 1
		int32(7) => 7
		"a" + "b" => ab
		nil => <nil>
	`,
	"functions": `
		func f(a int) int { return 2 * a }
		f(21) => 42
		func g(a int) int { return f(a) + 1 }
		g(1) => 3
		func f(a int) int { return 10 * a }
		g(1) => 11
		func f(s string) string { return s }
		g(1) =! input 3, 1:30: func g no longer compiles: cannot use a (variable of type int) as string \
			value in argument to f
		f("s") => s
		func even(n int) bool { if n == 0 { return true }; return odd(n-1) }; \
			func odd(n int) bool { if n == 0 { return false }; return even(n-1) }
		odd(7) => true
		func sum(xs ...int) (t int) { for _, x := range xs { t += x }; return }
		sum() + sum(1, 2) + sum([]int{3, 4}...) => 10
		func two() (int, error) { return 2, errors.New("no") }
		two() => 2 no
		func none() {}
		none()
		func main() { none() }
		main()
		func init() {} =! 1:6: func init is not for the prompt: write its statements
		func bad() int { } =! 1:18: missing return
		bad =! 1:1: undefined: bad
		f := f("now a variable") + "!"
		f => now a variable!
		func Capital() int { return lower() + 1 }; func lower() int { return 1 }
		Capital() + lower() => 3
		func fact(n int) int { if n < 2 { return 1 }; return n * fact(n-1) }
		fact(10) => 3628800
		apply := func(f func(int) int, x int) int { return f(x) }
		apply(fact, 5) => 120
	`,
	"closures": `
		counter := func() func() int { n := 0; return func() int { n++; return n } }()
		counter(); counter() => 2
		counter() => 3
		fs := []func() int{}; for i := range 3 { fs = append(fs, func() int { return i }) }
		fs[0]() + fs[1]() + fs[2]() => 3
		var rec func(int) int; rec = func(n int) int { if n == 0 { return 0 }; return n + rec(n-1) }
		rec(10) => 55
		x := 1; get := func() int { return x }
		x = 2; get() => 2
		x := "another"; get() => 2
	`,
	"types": `
		type point struct{ x, y int }
		func (p point) norm() int { return p.x*p.x + p.y*p.y }
		v := point{3, 4}; v.norm() => 25
		func (p *point) scale(k int) { p.x *= k; p.y *= k }
		v.scale(2); v => {6 8}
		v.norm() => 100
		func (p point) norm() int { return -1 }
		v.norm() => -1
		var any1 any = v
		any1.(point).x => 6
		_, ok := any1.(point); ok => true
		type Line struct { A, B *point; point }
		l := Line{&v, nil, point{1, 1}}; l.A.x = 60; v.x => 60
		l.norm() => -1
		type ( Celsius float64; Named interface { Name() string } )
		func (c Celsius) String() string { return fmt.Sprintf("%.1f C", float64(c)) }
		c := Celsius(3); c => 3.0 C
		fmt.Sprint(c) => 3.0 C
		func (c Celsius) Name() string { return "celsius" }
		var n Named = c; n.Name() => celsius
		switch w := n.(type) { case Celsius: fmt.Sprint(w); ok = w == 3 }
		ok => true
		m := map[point][]*Line{v: {&l}}; len(m[v]) => 1
		m[v][0].A.y => 8
		ch := make(chan point, 1); ch <- v; (<-ch).x => 60
		fn := func(p point) point { p.x++; return p }; fn(v).x => 61
		fn(v).y => 8
		type point struct{ x, y int }
		v.x => 60
		type point struct{ name string }
		v =! 1:1: undefined: v (it was dropped when type point was declared again in input 30)
		l =! 1:1: undefined: l (it was dropped when type point was declared again in input 30)
		point{"p"} => {p}
		c => 3.0 C
		an := struct{ A int; B string }{1, "b"}; an.A => 1
		an.B => b
		type tree struct { left, right *tree; v int }; \
			func (t *tree) sum() int { if t == nil { return 0 }; return t.v + t.left.sum() + t.right.sum() }
		tr := &tree{&tree{nil, nil, 1}, nil, 2}; tr.sum() => 3
		tr.left.right = &tree{v: 5}; tr.sum() => 8
		type tree struct { left, right *tree; v int }; \
			func (t *tree) sum() int { if t == nil { return 0 }; return t.v + t.left.sum() + t.right.sum() }
		func (t *tree) twice() int { return 2 * t.sum() }; \
			func (t *tree) sum() int { if t == nil { return 0 }; return t.v + t.left.sum() + t.right.sum() }
		tr.twice() => 16
		type Weekday int; const ( Mo Weekday = iota; Tu ); \
			func (d Weekday) String() string { return [...]string{"Mo", "Tu"}[d] }
		Tu => Tu
		var x interface { String() string } = Tu; x.String() => Tu
		x => Tu
		pp := &v =! 1:8: undefined: v (it was dropped when type point was declared again in input 30)
	`,
	"generics": `
		type Number interface { ~int | ~float64 }; \
			func Sum[T Number](xs ...T) (t T) { for _, x := range xs { t += x }; return t }
		Sum(1, 2, 3) => 6
		Sum(0.5, 1) => 1.5
		func Map[T, U any](xs []T, f func(T) U) (r []U) { for _, x := range xs { r = append(r, f(x)) }; \
			return }
		Map([]int{1, 2}, func(i int) string { return strings.Repeat("a", i) }) => [a aa]
		type Stack[T any] struct { xs []T }
		func (s *Stack[T]) Push(x T) *Stack[T] { s.xs = append(s.xs, x); return s }
		func (s *Stack[T]) Len() int { return len(s.xs) }
		st := &Stack[string]{}; st.Push("a").Push("b").Len() => 2
		st.Push("c"); st.Len() => 3
		var e any = st; e.(*Stack[string]).Len() => 3
		e.(*Stack[string]).xs[0] => a
		type pair[K comparable, V any] struct { k K; v V }; \
			func mk[K comparable, V any](k K, v V) pair[K, V] { return pair[K, V]{k, v} }
		pr := mk("a", 1); pr.k => a
		pr.v + 1 => 2
		prs := []pair[string, Stack[int]]{mk("x", Stack[int]{[]int{1}})}; prs[0].v.xs[0] => 1
		prs[0].v.Push(2).Len() => 2
		prs[0].v.Len() => 2
		slices.MaxFunc([]pair[string, int]{mk("a", 3), mk("b", 7)}, func(a, b pair[string, int]) int { \
			return cmp.Compare(a.v, b.v) }).k => b
		type Keep[T any] func(T) bool; func Filter[T any](xs []T, f Keep[T]) (r []T) { \
			for _, x := range xs { if f(x) { r = append(r, x) } }; return }
		Filter([]int{1, 2, 3, 4}, func(i int) bool { return i%2 == 0 }) => [2 4]
		func seq[T any](xs ...T) iter.Seq[T] { return func(yield func(T) bool) { for _, x := range xs { \
			if !yield(x) { return } } } }
		sq := seq(1, 2, 3); slices.Collect(sq) => [1 2 3]
		t := 0; for x := range sq { if x == 3 { break }; t += x }; t => 3
		slices.Sorted(maps.Keys(map[string]int{"b": 1, "a": 2})) => [a b]
	`,
	"go 1.21 and later": `
		min(3, 1, 2) => 1
		max(2.5, 1) => 2.5
		m := map[int]int{1: 1}; clear(m); len(m) => 0
		t := 0; for i := range 5 { t += i }; t => 10
		for i, s := range slices.Backward([]string{"a", "b"}) { t += i + len(s) }; t => 13
		func() { for x := range func(yield func(int) bool) { for i := 0; yield(i); \
			i++ {} } { if x > 3 { return }; t = x } }(); t => 3
	`,
	"lower-case interfaces": `
		type shape interface{ area() float64; scale(k float64) shape }
		type square struct{ side float64 }; func (s square) area() float64 { return s.side * s.side }; \
			func (s square) scale(k float64) shape { return square{s.side * k} }
		type disc struct{ r float64; name string }; \
			func (d *disc) area() float64 { return 3 * d.r * d.r }; \
			func (d *disc) scale(k float64) shape { d.r *= k; return d }
		shapes := []shape{square{2}, &disc{1, "d"}}
		shapes[0].scale(2).area() => 16
		shapes[1].scale(2).area() => 12
		func total(xs ...shape) (t float64) { for _, x := range xs { t += x.area() }; return }
		total(shapes...) => 16
		area := shapes[0].area; area() => 4
		defer shapes[1].scale(10)
		shapes[1].area() => 1200
		var none shape; none.area() =! line 1: panic: runtime error: invalid memory address or nil \
			pointer dereference
		func (s square) area() float64 { return -1 }
		shapes[0].area() => 4
		square{1}.area() => -1
		type named struct{ shape; n string }
		nm := named{square{3}, "n"}; nm.area() => -1
		var asShape shape = nm
		asShape.area() =! line 1: panic: reflect: Call of unexported method
		an := struct{ square; k int }{square{3}, 1}; an.area() => -1
		var sh2 shape = an
		sh2.area() => -1
	`,
	"constants": `
		const ( A = iota; B; C )
		A + B + C => 3
		const B = "b"
		B => b
		C => 2
		const ( kb = 1 << (10 * (iota + 1)); mb; gb )
		mb => 1048576
		1 << 70 => 1180591620717411303424
		math.MaxUint64 => 18446744073709551615
		const big = 1 << 100; big >> 98 => 4
		const typed time.Duration = 3 * time.Second; typed => 3s
		var arr [C]int; len(arr) => 2
	`,
	"control at the top": `
		defer fmt.Sprint("x"); 7 => 7
		r := 0; defer func() { r = 5 }(); r => 0
		r => 5
		return
		return 5 =! 1:8: too many return values have (number) want ()
		r = 1; return; r = 2
		r => 1
		goto end; r = 3; end: r++
		r => 2
		func() { defer func() { r = recover().(int) }(); panic(11) }(); r => 11
		select { default: r = 4 }; r => 4
		{ r := 9; _ = r }; r => 4
		break =! 1:1: break not in for, switch, or select statement
	`,
	"imports": `
		import "os"
		len(os.Args) > 0 => true
		import str "strings"
		str.ToUpper("a") => A
		strings.ToUpper("b") => B
		func up(s string) string { return strings.ToUpper(s) }
		strings := 3; strings => 3
		up("c") => C
		import "strings"
		strings.ToLower("D") => d
		import ( "math/rand/v2"; "regexp" )
		rand.New(rand.NewPCG(1, 2)).IntN(1) => 0
		regexp.MustCompile("a+").FindString("baac") => aa
		import "os/exec" =! 1:8: package "os/exec" is not for the prompt: run programs from a shell
		import "unsafe" =! 1:8: package "unsafe" is not for the prompt: it can corrupt the session
		import . "fmt" =! 1:8: a dot import is not for the prompt: its names could not be told from yours
		rand := 4; rand => 4
		os.Exit(3) =! os.Exit(3) ends this input only, not the session
		var wg sync.WaitGroup; var mu sync.Mutex; n := 0; for range 8 { wg.Add(1); \
			go func() { defer wg.Done(); mu.Lock(); n++; mu.Unlock() }() }; wg.Wait(); n => 8
		import "encoding/json"; type rec struct { A int ` + "`json:\"a\"`" + ` }; \
			b, _ := json.Marshal(rec{3}); string(b) => {"a":3}
		r := rec{}; json.Unmarshal([]byte("{\"a\":5}"), &r); r.A => 5
	`,
	"errors": `
		x := 1 + =! 1:9: unexpected end: expected operand
		undefinedName =! 1:1: undefined: undefinedName
		a := 1⏎b := a +⏎  q =! 3:3: undefined: q
		a =! 1:1: undefined: a
		a := 1; a := 2 =! 1:11: no new variables on left side of :=
		1; 2 =! 1:1: 1 (untyped int constant) is not used
		func() { unused := 1 }() =! 1:10: declared and not used: unused
		"abc =! 1:1: string literal not terminated
		f(]) =! 1:3: unexpected ]
		x = 3 =! 1:1: undefined: x
		panic("boom") =! line 1: panic: boom
		y := 1⏎panic(fmt.Errorf("an %s", "error")) =! line 2: panic: an error
		y => 1
		y := 2⏎z := []int{1}[y] =! line 2: panic: runtime error: index out of range [2] with length 1
		y => 2
		z =! 1:1: undefined: z
		var m map[string]int; m["a"] = 1 =! line 1: panic: assignment to entry in nil map
		var p *struct{ A int }; p.A =! line 1: panic: runtime error: invalid memory address or nil \
			pointer dereference
		y / 0 =! 1:5: invalid operation: division by zero
		zero := 0; y / zero =! line 1: panic: runtime error: integer divide by zero
		any(y).(string) =! line 1: panic: runtime error: interface conversion: interface {} is int, \
			not string
		func deep() {⏎	panic("deep")⏎}
		deep() =! input 22, line 2: panic: deep
		func rec(n int) int { return rec(n+1) + 1 }
		rec(0) =! stack overflow in rec: the calls are nested too deep (endless recursion?)
		y => 2
	`,
	"receivers": `
		type m1 struct{}; func (m1) Step(n int) testlab.Point { return testlab.Point{Iteration: n} }
		testlab.StepAll(3, m1{})[0].Iteration => 3
		type m2 struct{}; func (m m2) Step(n int) testlab.Point { return testlab.Point{Iteration: n} }
		testlab.StepAll(3, m2{})[0].Iteration => 3
		type m3 struct{A int}; func (m3) Step(n int) testlab.Point { return testlab.Point{Iteration: n} }
		testlab.StepAll(3, m3{})[0].Iteration => 3
		type m4 struct{A int}; func (m *m4) Step(n int) testlab.Point { \
			return testlab.Point{Iteration: n} }
		testlab.StepAll(3, &m4{})[0].Iteration => 3
		type m5 int; func (m m5) Step(n int) testlab.Point { return testlab.Point{Iteration: n} }
		testlab.StepAll(3, m5(2))[0].Iteration => 3
		var st testlab.Stepper = m5(3)
		st.Step(4).Iteration => 4
		func (m m5) Step(n int) testlab.Point { return testlab.Point{Iteration: n + 100} }
		st.Step(4).Iteration => 4
		st = m5(3); st.Step(4).Iteration => 104
		func run(s testlab.Stepper) int { return s.Step(1).Iteration }
		run(&m4{}) + run(m1{}) + run(m2{}) => 3
		type box[T any] struct { v T }; func (b box[T]) Step(n int) testlab.Point { \
			return testlab.Point{Iteration: n} }
		func boxed[T any](v T) testlab.Stepper { return box[T]{v} }
		bx := boxed("s")
		bx.Step(9).Iteration => 9
		run(boxed(2.5)) => 1
		type m6 struct{A int; b string}; func (m m6) Step(n int) testlab.Point { \
			return testlab.Point{Iteration: n+m.A+len(m.b)} }
		testlab.StepAll(3, m6{2, "x"})[0].Iteration => 6
	`,
	"testlab": `
		pr := testlab.Load("x")
		a := testlab.Open("a", "acs", pr, testlab.Seed(42), testlab.With("ants", 256, "q0", 0.9))
		a.Step(100) => it 100 best 10.000
		a.Seed() => 42
		a.Param("ants") => 256
		a.Problem.Size => 10
		t := 0; for i, p := range a.Points(3) { t += i; fmt.Sprint(p.Best) }; t => 3
		pts := a.Points(2); bests := a.Bests(2)
		for _, p := range pts { t = p.Iteration }; t => 105
		len(slices.Collect(bests)) => 2
		type LS struct { N int }; func (l *LS) Improve(t []int) (int, error) { l.N += len(t); \
			return l.N, nil }
		ls := &LS{}; a.Search = ls; a.Step(1); ls.N => 3
		ls.N = 10; a.Step(2); ls.N => 16
		var seen []testlab.Point; a.OnPoint = func(p testlab.Point) { seen = append(seen, p) }
		a.Step(2); len(seen) => 2
		type mine struct{}; func (mine) Step(n int) testlab.Point { return testlab.Point{Iteration: n} }
		testlab.StepAll(3, mine{})[0].Iteration => 3
		testlab.StepAll(1, mine{}, a)[0].Iteration => 1
		var st testlab.Stepper = a
		switch st.(type) { case *testlab.Run: t = 77; case mine: t = 78 }; t => 77
		st = mine{}; switch st.(type) { case *testlab.Run: t = 77; case mine: t = 78 }; t => 78
		_, err := testlab.Fail(); errors.Is(err, testlab.ErrStop) => true
		testlab.Fail() => 0 fail: stop
		testlab.MaxRuns => 64
		testlab.Busy + 0 => 1
		testlab.Crash() =! line 1: panic: kernel fell over
		h := testlab.Hidden(); h.Inc() => 1
		h.Inc() + h.N => 4
		testlab.Open("c", "as", pr).Rows(3).Len() => 3
		testlab.Open("c", "as", pr).Rows(3).Bests.Max() => 1000
		count := testlab.Open("c", "as", pr).Rows(4).Len; count() => 4
		func() float64 { defer testlab.Open("c", "as", pr).Rows(1).Len(); return 2 }() => 2
		import "fmt"; import "io"; fmt.Println()
		fmt.Fprint(io.Discard, "seven")
		fmt.Sprint("seven") => seven
		opts := []testlab.Option{testlab.Seed(7)}; testlab.Open("b", "mmas", pr, opts...).Seed() => 7
		func quick(o ...testlab.Option) *testlab.Run { return testlab.Open("q", "as", pr, o...) }; \
			quick(opts[0]).Name() => q/as
		runs := map[string]*testlab.Run{"a": a}; runs["a"].Name() => a/acs
		testlab := 3; a.Name() => a/acs
		quick().Name() => q/as
		pts2 := pts; _ = pts2; for range pts2 { }
		testlab.Wait(context.Background(), 0) =! 1:9: testlab.Wait undefined (type int has no field or \
			method Wait)
	`,
}

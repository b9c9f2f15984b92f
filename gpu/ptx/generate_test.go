package ptx_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"metalab/gpu/cuda"
)

// A program is a random kernel of the subset; all take the same arguments.
type program struct {
	name  string
	text  string // a whole file
	body  string // what follows the head
	shape cuda.Shape
	seed  uint64
}

const head = `package k

import (
	"math"
	"math/bits"

	"metalab/gpu/cuda"
)

var _, _ = math.Pi, bits.UintSize

`

// An input is the arguments of a program.
type input struct {
	A     []int64
	B     []int32
	C     []uint8
	F     []float64
	G     []float32
	N     int
	K     int32
	Out   []uint64
	Acc   []int64
	Error string
}

func (in *input) args() []any {
	return []any{in.A, in.B, in.C, in.F, in.G, in.N, in.K, in.Out, in.Acc}
}

// corner draws whole numbers with those at the ends of ranges among them.
func corner(r *rand.Rand) int64 {
	ends := []int64{
		0, 1, -1, 2, 127, -128, 255, math.MaxInt32, math.MinInt32, math.MaxInt64, math.MinInt64,
	}
	switch r.IntN(4) {
	case 0:
		return ends[r.IntN(len(ends))]
	case 1:
		return int64(r.IntN(40) - 8)
	}
	return int64(r.Uint64()) >> r.IntN(64)
}

func (p program) input() *input {
	r := rand.New(rand.NewPCG(p.seed, 17))
	in := &input{
		N: r.IntN(20), K: int32(corner(r)), Out: make([]uint64, p.shape.Blocks*p.shape.Threads),
		Acc: make([]int64, 4),
	}
	fs := []float64{
		0, math.Copysign(0, -1), .5, 1e10, -1e19, 1e300, math.Inf(1), -2147483648.5, 5e-324,
	}
	for range 11 + r.IntN(20) {
		in.A, in.B = append(in.A, corner(r)), append(in.B, int32(corner(r)))
		in.C = append(in.C, uint8(r.Uint32()))
		f := r.NormFloat64() * math.Ldexp(1, r.IntN(40))
		if r.IntN(3) == 0 {
			f = fs[r.IntN(len(fs))]
		}
		in.F, in.G = append(in.F, f), append(in.G, float32(f))
	}
	return in
}

// programs generates count programs.
func programs(count int, seed uint64) (ps []program) {
	for i := range count {
		ps = append(ps, generate(i, seed+uint64(i)))
	}
	return ps
}

func generate(i int, seed uint64) program {
	g := &generator{r: rand.New(rand.NewPCG(seed, 5)), id: fmt.Sprint(i)}
	p := program{name: "K" + g.id, seed: seed, shape: cuda.Shape{
		Blocks: 1 + g.r.IntN(2), Threads: []int{1, 5, 32, 40}[g.r.IntN(4)],
	}}
	p.body = g.kernel()
	p.text = head + p.body
	return p
}

var whole = []string{
	"int", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
}

// A generator writes a program.
type generator struct {
	r     *rand.Rand
	id    string
	s     strings.Builder
	depth int
	loops int
	names int
}

func (g *generator) one(in int) bool { return g.r.IntN(in) == 0 }

func (g *generator) line(format string, args ...any) {
	fmt.Fprintf(&g.s, strings.Repeat("\t", g.depth)+format+"\n", args...)
}

// variable is one of the two variables of a type.
func (g *generator) variable(t string) string { return fmt.Sprintf("%s_%d", t, g.r.IntN(2)) }

func (g *generator) kernel() string {
	g.line("type state%s struct { x int64; y [4]uint32; ok bool }", g.id)
	g.line("func (s *state%s) step(v int64) int64 {", g.id)
	g.line("\ts.x = s.x*31 + v")
	g.line("\tif v < s.x { s.ok = !s.ok; return s.x ^ v }")
	g.line("\ts.y[v&3] += uint32(s.x)")
	g.line("\treturn int64(s.y[s.x&3])")
	g.line("}")
	g.line("func pick%s[N int32 | float64](a, b N, less func(N, N) bool) N {", g.id)
	g.line("\tif less(a, b) { return a }")
	g.line("\treturn b")
	g.line("}")
	g.line("var table%s = [...]int32{%d, %d, %d, -7}", g.id, g.r.Int32(), g.r.IntN(9), g.r.IntN(9))
	g.line("func K%s(t cuda.T, a []int64, b []int32, c []uint8, f []float64, g []float32, n int, "+
		"k int32, out []uint64, acc []int64) {", g.id)
	g.depth++
	g.line("sh := cuda.Shared[int64](t, 64)")
	g.line("sh[t.Local()] = 0")
	g.line("i := t.Thread()")
	for _, t := range whole {
		g.line("%s_0, %s_1 := %s(a[i%%len(a)]), %s(b[(i+%d)%%len(b)])", t, t, t, t, g.r.IntN(9))
	}
	g.line("float64_0, float64_1 := f[i%%len(f)], float64(n)")
	g.line("float32_0, float32_1 := g[i%%len(g)], float32(k)")
	g.line("bool_0, bool_1 := k > 3, c[i%%len(c)] > 100")
	g.line("var s state%s", g.id)
	g.line("var arr [8]int32")
	for range 3 + g.r.IntN(8) {
		if g.one(5) {
			g.together()
		} else {
			g.statement(3)
		}
	}
	for _, t := range whole {
		g.line("out[i] = bits.RotateLeft64(out[i], 7) ^ uint64(%s_0) ^ uint64(%s_1)<<8", t, t)
	}
	for _, v := range []string{"float64_0", "float64_1"} {
		g.line("if %s == %s { out[i] ^= math.Float64bits(%s) }", v, v, v)
	}
	for _, v := range []string{"float32_0", "float32_1"} {
		g.line("if %s == %s { out[i] ^= uint64(math.Float32bits(%s)) << 3 }", v, v, v)
	}
	g.line("if bool_0 != bool_1 { out[i]++ }")
	g.line("out[i] += uint64(s.x) + uint64(arr[1]) + uint64(arr[i&7])")
	g.depth--
	g.line("}")
	return g.s.String()
}

// together is a statement that all threads make at once.
func (g *generator) together() {
	switch g.r.IntN(4) {
	case 0:
		g.line("uint32_0 ^= t.Ballot(%s)", g.expr("bool", 2))
	case 1:
		g.line("int64_1 += cuda.ShuffleXor(t, int64_0, %d)", g.r.IntN(32))
	case 2:
		g.line("float64_1 = cuda.ShuffleDown(t, float64_0, %d)", g.r.IntN(32))
	case 3:
		g.line("sh[t.Local()] = %s", g.expr("int64", 2))
		g.line("t.Sync()")
		g.line("int64_0 ^= sh[(t.Local()+%d)%%t.Dim()]", g.r.IntN(9))
		g.line("t.Sync()")
	}
}

func (g *generator) statement(depth int) {
	types := append([]string{"float64", "float32", "bool"}, whole...)
	t := types[g.r.IntN(len(types))]
	switch k := g.r.IntN(14); {
	case k == 0 && depth > 0:
		g.line("if %s {", g.expr("bool", 2))
		g.block(depth - 1)
		if g.one(2) {
			g.line("} else {")
			g.block(depth - 1)
		}
		g.line("}")
	case k == 1 && depth > 0 && g.loops < 3:
		g.loop(depth)
	case k == 2:
		g.line("arr[%s&7] = %s", g.expr("int", 1), g.expr("int32", 2))
	case k == 3:
		g.line("int64_%d = s.step(%s)", g.r.IntN(2), g.expr("int64", 2))
	case k == 4:
		g.line("%s_0, %s_1 = %s_1, %s", t, t, t, g.expr(t, 1))
	case k == 5:
		g.line("cuda.AtomicAdd(&acc[%s&3], %s)", g.expr("int", 1), g.expr("int64", 2))
	case k == 6:
		g.line("out[i] ^= uint64(%s)", g.expr("int", 2))
	case k == 7:
		g.line("s.x, s.ok = %s, %s", g.expr("int64", 2), g.expr("bool", 1))
	default:
		g.line("%s = %s", g.variable(t), g.expr(t, 3))
	}
}

func (g *generator) block(depth int) {
	g.depth++
	for range 1 + g.r.IntN(3) {
		g.statement(depth)
	}
	g.depth--
}

func (g *generator) loop(depth int) {
	g.loops++
	g.names++
	v := fmt.Sprintf("q%d", g.names)
	switch g.r.IntN(4) {
	case 0:
		g.line("for %s := range %s & 7 {", v, g.expr("int", 1))
	case 1:
		g.line("for %s, w := range b {", v)
		g.line("\tint32_0 += w")
	case 2:
		g.line("for %s := n; %s >= 0; %s-- {", v, v, v)
		g.line("\tif %s < len(a) { int64_0 ^= a[%s] }", v, v)
	default:
		g.line("for %s := 0; %s < len(f); %s += 1 + t.Block() {", v, v, v)
		g.line("\tfloat64_0 += f[%s]", v)
	}
	g.depth++
	g.line("int_0 ^= %s", v)
	if g.one(3) {
		g.line("if %s { %s }", g.expr("bool", 1), []string{"break", "continue"}[g.r.IntN(2)])
	}
	g.depth--
	g.block(depth - 1)
	g.line("}")
	g.loops--
}

// expr is an expression of a type.
func (g *generator) expr(t string, depth int) string {
	if depth == 0 {
		return g.variable(t)
	}
	d := depth - 1
	switch t {
	case "bool":
		return g.boolean(d)
	case "float64", "float32":
		return g.inexact(t, d)
	}
	switch g.r.IntN(16) {
	case 0:
		o := append([]string{"float64", "float32"}, whole...)[g.r.IntN(11)]
		return fmt.Sprintf("%s(%s)", t, g.expr(o, d))
	case 1:
		op := []string{"/", "%"}[g.r.IntN(2)]
		if g.one(12) {
			return fmt.Sprintf("(%s %s %s)", g.expr(t, d), op, g.expr(t, d))
		}
		return fmt.Sprintf("(%s %s (%s | 1))", g.expr(t, d), op, g.expr(t, d))
	case 2:
		op := []string{"<<", ">>"}[g.r.IntN(2)]
		if g.one(12) {
			return fmt.Sprintf("(%s %s %s)", g.expr(t, d), op, g.expr("int8", d))
		}
		return fmt.Sprintf("(%s %s %s)", g.expr(t, d), op,
			g.expr([]string{"uint8", "uint32", "uint64"}[g.r.IntN(3)], d))
	case 3:
		return fmt.Sprintf("(-%s)", g.expr(t, d))
	case 4:
		return fmt.Sprintf("(^%s)", g.expr(t, d))
	case 5:
		return fmt.Sprintf("%s(%s, %s)", []string{"min", "max"}[g.r.IntN(2)], g.expr(t, d), g.expr(t, d))
	case 6:
		return fmt.Sprintf("%s(a[uint64(%s)%%uint64(len(a))])", t, g.expr("int", d))
	case 7:
		if g.one(8) {
			return fmt.Sprintf("%s(b[%s])", t, g.expr([]string{"int", "int32", "uint8"}[g.r.IntN(3)], d))
		}
		return fmt.Sprintf("%s(c[uint32(%s)%%uint32(len(c))])", t, g.expr("int32", d))
	case 8:
		return fmt.Sprintf("%s(arr[%s&7])", t, g.expr("int32", d))
	case 9:
		return fmt.Sprintf("%s(table%s[%s&3])", t, g.id, g.expr("int", d))
	case 10:
		return fmt.Sprintf("%s(%s)", t, []string{
			"bits.LeadingZeros32(" + g.expr("uint32", d) + ")",
			"bits.OnesCount64(" + g.expr("uint64", d) + ")",
			"bits.TrailingZeros64(" + g.expr("uint64", d) + ")", "bits.Len32(" + g.expr("uint32", d) + ")",
			"bits.RotateLeft32(" + g.expr("uint32", d) + ", " + g.expr("int", d) + ")",
			"s.y[" + g.expr("int", d) + "&3]", "len(a)",
			"pick" + g.id + "(" + g.expr("int32", d) +
				", int32_1, func(p, q int32) bool { return p > q-k })",
		}[g.r.IntN(8)])
	}
	op := []string{"+", "-", "*", "&", "|", "^", "&^"}[g.r.IntN(7)]
	return fmt.Sprintf("(%s %s %s)", g.expr(t, d), op, g.expr(t, d))
}

func (g *generator) boolean(d int) string {
	switch g.r.IntN(7) {
	case 0:
		return fmt.Sprintf("(%s && %s)", g.expr("bool", d), g.expr("bool", d))
	case 1:
		return fmt.Sprintf("(%s || %s)", g.expr("bool", d), g.expr("bool", d))
	case 2:
		return fmt.Sprintf("!%s", g.expr("bool", d))
	case 3:
		return fmt.Sprintf("math.IsNaN(%s)", g.expr("float64", d))
	}
	t := append([]string{"float64", "float32"}, whole...)[g.r.IntN(11)]
	op := []string{"<", "<=", ">", ">=", "==", "!="}[g.r.IntN(6)]
	return fmt.Sprintf("(%s %s %s)", g.expr(t, d), op, g.expr(t, d))
}

// inexact wraps products, as the compiler asks.
func (g *generator) inexact(t string, d int) string {
	switch g.r.IntN(9) {
	case 0:
		o := append([]string{"float64", "float32"}, whole...)[g.r.IntN(11)]
		return fmt.Sprintf("%s(%s)", t, g.expr(o, d))
	case 1:
		return fmt.Sprintf("%s(%s * %s)", t, g.expr(t, d), g.expr(t, d))
	case 2:
		return fmt.Sprintf("(%s / %s)", g.expr(t, d), g.expr(t, d))
	case 3:
		return fmt.Sprintf("%s(%s, %s)", []string{"min", "max"}[g.r.IntN(2)], g.expr(t, d), g.expr(t, d))
	case 4:
		fn := []string{"Sqrt", "Abs", "Floor", "Ceil", "Trunc"}[g.r.IntN(5)]
		return fmt.Sprintf("%s(math.%s(%s))", t, fn, g.expr("float64", d))
	case 5:
		return fmt.Sprintf("(-%s)", g.expr(t, d))
	}
	return fmt.Sprintf("(%s %s %s)", g.expr(t, d), []string{"+", "-"}[g.r.IntN(2)], g.expr(t, d))
}

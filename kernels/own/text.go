package own

import (
	"fmt"
	"reflect"
	"strings"
	"sync"

	"metalab/gpu/ptx"
	"metalab/gpu/ptx/extract"
	"metalab/solvers/own"
	"metalab/solvers/record"
)

// A source is the text of a problem's type, and what its kernels need to know of it.
type source struct {
	form   record.Form
	has    own.Functions
	typ    string // its name
	pkg    string // as the types of its fields have it before their names
	part   *extract.Part
	leaves []leaf
}

// count is how many neighbourhoods the problem has.
func (s *source) count() int {
	n := map[string]int{
		record.FormBits: 3, record.FormValues: 2, record.FormPermutation: 4,
		record.FormReals: 3,
	}[s.form.Kind]
	if s.has.Moves != nil {
		n++
	}
	return n
}

// methods lists the methods that kernels use.
var methods = []string{
	"Cost", "Delta", "Delta2", "Delta3", "DeltaSwap", "DeltaInsert", "DeltaReverse", "DeltaCycle",
	"Apply", "ApplySwap", "SwappedRow", "Load", "Move", "DeltaMove",
}

// sourceOf reads the text of a problem, of whose type v is.
func sourceOf(p *own.Problem, v *own.Value) (*source, error) {
	name, text := p.Source()
	if text == "" {
		return nil, fmt.Errorf("the source of %s is not known here, of which its kernels are made",
			p.Name())
	}
	t := reflect.TypeOf(v.Raw())
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Name() == "" || strings.Contains(t.Name(), "[") {
		return nil, fmt.Errorf("the constructor of %s returns a %T, and a GPU takes a type that is "+
			"declared, and is not generic, or a pointer to one", p.Name(), v.Raw())
	}
	s := &source{form: p.Form(), has: v.Functions, typ: t.Name()}
	s.pkg, _, _ = strings.Cut(t.String(), ".")
	var roots, narrow []string
	for _, n := range embedded(t) {
		roots, narrow = append(roots, n), append(narrow, n)
		for _, m := range methods {
			roots = append(roots, n+"."+m)
		}
	}
	var err error
	if s.part, err = extract.Of(name, []byte(text), roots, narrow); err != nil {
		return nil, err
	}
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("the type %s of %s is a %s, and a GPU takes a structure", t.Name(),
			p.Name(), t.Kind())
	}
	s.leaves, err = leavesOf(t, s.part)
	return s, err
}

// embedded are the names of a type and of the structures that it embeds.
func embedded(t reflect.Type) []string {
	names := []string{t.Name()}
	if t.Kind() == reflect.Struct {
		for i := range t.NumField() {
			if f := t.Field(i); f.Anonymous && f.Type.Kind() == reflect.Struct {
				names = append(names, embedded(f.Type)...)
			}
		}
	}
	return names
}

// A scan is the kernel that scans one neighbourhood.
type scan struct {
	*source
	k      int // the neighbourhood's number among those of the form
	arity  int
	owned  bool
	leaves []leaf
	probe  bool // for the compiler alone, which says what is written
	mine   bool // each thread has a solution of its own
}

// entry is the type of an entry of a solution.
func (s *source) entry() string {
	switch s.form.Kind {
	case record.FormBits:
		return "uint8"
	case record.FormReals:
		return "float64"
	}
	return "int32"
}

// scansOf prepares the kernels of all neighbourhoods side by side; an error is at the number of the
// neighbourhood that it is of.
func (s *source) scansOf() ([]*scan, []error) {
	scans, errs := make([]*scan, s.count()), make([]error, s.count())
	var all sync.WaitGroup
	for k := range scans {
		all.Go(func() { scans[k], errs[k] = s.scanOf(k) })
	}
	all.Wait()
	return scans, errs
}

// scanOf prepares the kernel of a neighbourhood: the compiler says which fields its parts write.
func (s *source) scanOf(k int) (*scan, error) {
	c := &scan{source: s, k: k, leaves: append([]leaf(nil), s.leaves...)}
	switch s.form.Kind {
	case record.FormBits:
		c.arity, c.owned = k+1, k == 3
	case record.FormValues:
		c.arity, c.owned = k+1, k == 2
	case record.FormPermutation:
		c.arity, c.owned = 2, k == 4
		if k == 3 {
			c.arity = 3
		}
	case record.FormReals:
		c.arity = 1
	default:
		return nil, fmt.Errorf("a GPU has no neighbourhoods on %v: leave on=cuda out", s.form)
	}
	if c.owned {
		c.arity = 1
	}
	for i := range c.leaves {
		c.leaves[i].commit, c.leaves[i].eval = true, true
	}
	c.probe, c.mine = true, true
	m, err := known.compile(listing{"kernel of " + c.typ, c.text(scanKernel), true})
	if err != nil {
		return nil, err
	}
	written := map[string]bool{}
	for _, q := range m.Kernels[0].Params {
		written[q.Name] = q.Written
	}
	c.probe, c.mine = false, written["mlMine"]
	for i := range c.leaves {
		l := &c.leaves[i]
		l.commit = written[fmt.Sprintf("mlA%d", i)] || !l.slice()
		l.eval = written[fmt.Sprintf("mlB%d", i)]
	}
	return c, nil
}

// compile compiles kernels; see [modules].
func (c *scan) compile(kernels ...string) (*ptx.Module, error) {
	return known.compile(listing{name: "kernel of " + c.typ, text: c.text(kernels...)})
}

// The kernels of a module: all scans by a block for each walk, or a scan by several, in two;
// annealing; and, to compare with the CPU, single moves of one walk.
const (
	scanKernel     = "MLScan"
	partKernel     = "MLPart"
	joinKernel     = "MLJoin"
	annealKernel   = "MLAnneal"
	evaluateKernel = "MLEvaluate"
	makeKernel     = "MLMake"
)

// text returns the whole text to compile. Names that it adds begin with ml, so that none clashes
// with the problem's.
func (c *scan) text(kernels ...string) string {
	var b strings.Builder
	b.WriteString("package main\n\nimport mlcuda \"metalab/gpu/cuda\"\n" +
		"import mlwalks \"metalab/kernels/own/walks\"\n")
	for _, im := range c.part.Imports {
		b.WriteString("import " + im + "\n")
	}
	for _, k := range kernels {
		b.WriteString(c.function(k))
	}
	b.WriteString(c.part.Text)
	return b.String()
}

// function is the text of one kernel.
func (c *scan) function(name string) string {
	var b strings.Builder
	w := func(format string, a ...any) { fmt.Fprintf(&b, format+"\n", a...) }
	e := c.entry()
	w("\nfunc %s(mlT mlcuda.T, mlJ mlwalks.Job, mlHeads []mlwalks.Head, mlX, mlTop []%s, "+
		"mlUntil []int64, mlMine []%[2]s, mlMarks []int32, mlFounds []float64, mlAts []int64%s) {",
		name, e, c.params())
	scans := name != evaluateKernel && name != makeKernel
	if scans {
		w("	mlD, mlI := mlcuda.Shared[float64](mlT, 32), mlcuda.Shared[int64](mlT, 32)")
	}
	w("	mlW, mlN, mlWalks := mlT.Block(), int(mlJ.N), len(mlHeads)")
	if name == partKernel {
		w("	mlW /= int(mlJ.Parts)")
	}
	w("	x := mlX[mlW*mlN:mlW*mlN+mlN]")
	if scans && name != annealKernel {
		w("	mlU := len(mlUntil) / mlWalks")
		w("	mlMemory := mlUntil[mlW*mlU : mlW*mlU+mlU]")
	}
	if c.mine { // set once: a variable is of one array
		w("	y := mlMine[mlT.Thread()*mlN : mlT.Thread()*mlN+mlN]")
	} else {
		w("	y := x")
	}
	w("	_, _ = y, mlWalks // not all kernels use them")
	if c.form.Kind == record.FormReals {
		w("	mlTime := func(m mlwalks.Move) int64 {\n%s\t}", c.time(name == annealKernel))
	}
	if scans && name != annealKernel {
		w("	mlPlace := func(m mlwalks.Move, k int, made bool) int {\n%s\t}", c.place())
	}
	w("	var p, q %s\n	_, _ = p, q", c.typ)
	w("%s%s", c.bind(), c.refresh(true))
	if name != makeKernel {
		w("	mlDelta := func(m mlwalks.Move, cost float64) float64 {\n%s\n\t}", c.delta())
	}
	switch name {
	case evaluateKernel:
		w("	mlwalks.Evaluate(mlT, mlJ, mlHeads[0], mlFounds, mlAts, %s, mlDelta)\n}", c.mapping())
		return b.String()
	case partKernel:
		w("	mlwalks.Part(mlT, mlD, mlI, mlJ, mlHeads[mlW], mlMemory, mlFounds, mlAts, "+
			"mlPlace, %s, mlDelta)\n}", c.mapping())
		return b.String()
	}
	if scans {
		w("	mlBest := mlTop[mlW*mlN:mlW*mlN+mlN]")
	}
	w("	mlCommit := func(m mlwalks.Move, d, cost float64) float64 {\n%s\n\t}", c.commit())
	again := c.refresh(false)
	if name == makeKernel || name == joinKernel {
		again = "" // nothing follows in the launch
	}
	w("	mlRenew := func(at int64) {\n%s%s\t}", c.rows(name == annealKernel), again)
	switch name {
	case makeKernel:
		w("	mlwalks.Make(mlT, mlJ, mlHeads, mlFounds, mlAts, %s, mlCommit, mlRenew)\n}", c.mapping())
		return b.String()
	case joinKernel:
		w("	mlwalks.Join(mlT, mlD, mlI, mlJ, mlHeads, x, mlBest, mlMemory, "+
			"mlFounds, mlAts, mlPlace, %s, mlDelta, mlCommit, mlRenew, %s)\n}", c.mapping(), c.hash())
		return b.String()
	}
	if name == annealKernel {
		w("	mlwalks.Anneal(mlT, mlD, mlI, mlJ, mlHeads, x, mlBest, %s,", c.mapping())
		w("		mlDelta, mlCommit, mlRenew, %s)\n}", c.hash())
		return b.String()
	}
	w("	mlwalks.Scan(mlT, mlD, mlI, mlJ, mlHeads, x, mlBest, mlMemory, mlPlace, %s,",
		c.mapping())
	w("		mlDelta, mlCommit, mlRenew, %s)\n}", c.hash())
	return b.String()
}

// params are those of the fields: mlA is a walk's, or shared by all, and mlB a thread's.
func (c *scan) params() string {
	var b strings.Builder
	for i, l := range c.leaves {
		if !l.slice() {
			fmt.Fprintf(&b, ", mlA%d []%s", i, text(l.typ, c.pkg))
			continue
		}
		fmt.Fprintf(&b, ", mlA%d %s", i, text(l.typ, c.pkg))
		if l.eval {
			fmt.Fprintf(&b, ", mlB%d %s", i, text(l.typ, c.pkg))
		}
	}
	return b.String()
}

// bind assigns arrays to the fields of p, for applied moves, and of q, for evaluated ones.
func (c *scan) bind() string {
	var b strings.Builder
	w := func(format string, a ...any) { fmt.Fprintf(&b, format+"\n", a...) }
	for i, l := range c.leaves {
		if !l.slice() {
			continue
		}
		w("	p.%s = mlA%d", l.path, i)
		if l.commit {
			w("	mlL%d := len(mlA%[1]d) / mlWalks", i)
			w("	p.%s = mlA%d[mlW*mlL%[2]d : mlW*mlL%[2]d+mlL%[2]d]", l.path, i)
		}
		if l.eval {
			w("	mlM%d := len(mlB%[1]d) / mlT.Threads()", i)
			w("	q.%s = mlB%d[mlT.Thread()*mlM%[2]d : mlT.Thread()*mlM%[2]d+mlM%[2]d]", l.path, i)
		} else {
			w("	q.%s = p.%[1]s", l.path)
		}
	}
	return b.String()
}

// refresh loads what an applied move has changed, or at the start everything.
func (c *scan) refresh(start bool) string {
	var b strings.Builder
	for i, l := range c.leaves {
		switch {
		case !l.slice():
			fmt.Fprintf(&b, "\tp.%s = mlA%d[mlW]\n\tq.%[1]s = p.%[1]s\n", l.path, i)
		case !c.probe && l.eval && (start || l.commit):
			fmt.Fprintf(&b, "\tfor i := 0; i < len(q.%s); i++ {\n\t\tq.%[1]s[i] = p.%[1]s[i]\n\t}\n", l.path)
		}
	}
	if c.mine && !c.probe && c.form.Kind != record.FormReals {
		b.WriteString("\tfor i := 0; i < mlN; i++ {\n\t\ty[i] = x[i]\n\t}\n")
	}
	return b.String()
}

// keep stores the fields that are no slices.
func (c *scan) keep() string {
	var b strings.Builder
	for i, l := range c.leaves {
		if !l.slice() {
			fmt.Fprintf(&b, "\t\t\tmlA%d[mlW] = p.%s\n", i, l.path)
		}
	}
	return b.String()
}

// place is the body of the function that says what of a move tabu search forbids.
func (c *scan) place() string {
	if c.form.Kind == record.FormReals {
		return "\t\tif k > 0 {\n\t\t\treturn -1\n\t\t}\n\t\tif made {\n\t\t\treturn " +
			"mlwalks.Cell(&mlJ, x)\n\t\t}\n" + c.point() + "\t\treturn mlwalks.Cell(&mlJ, y)\n"
	}
	n := c.arity
	if c.insertion() {
		n = 1
	}
	return fmt.Sprintf("\t\treturn mlwalks.Place(mlwalks.Memory{Positions: %d, Entries: %v, "+
		"Numbered: %v}, x, m, k)\n", n, c.form.Kind == record.FormPermutation, c.owned)
}

// point makes y the neighbour of x that move m is, where solutions are real numbers.
func (c *scan) point() string {
	return fmt.Sprintf("\t\t\tmlwalks.Point(&mlJ, %d, mlTime(m), mlW, x, y, m)\n", c.k)
}

// time is the body of the function that says at which time a move is drawn, of real numbers.
func (c *scan) time(anneals bool) string {
	if anneals {
		return "\t\treturn mlHeads[mlW].Clock<<20 ^ m.Turn\n"
	}
	return "\t\treturn mlHeads[mlW].Clock + 1\n"
}

func (c *scan) insertion() bool { return c.form.Kind == record.FormPermutation && c.k == 1 }

// mapping is the function from a number to a move.
func (c *scan) mapping() string {
	switch {
	case c.owned || c.form.Kind == record.FormBits && c.k == 0:
		return "mlwalks.Flip"
	case c.form.Kind == record.FormValues && c.k == 0:
		return "mlwalks.Change"
	case c.form.Kind == record.FormReals:
		return "mlwalks.Crown"
	case c.insertion():
		return "mlwalks.Insertion"
	case c.form.Kind == record.FormPermutation && c.k == 3:
		return "mlwalks.Circle"
	case c.arity == 3:
		return "mlwalks.Triple"
	}
	return "mlwalks.Pair"
}

func (c *scan) hash() string {
	switch c.form.Kind {
	case record.FormBits:
		return "mlwalks.HashBits"
	case record.FormReals:
		return "mlwalks.HashReals"
	}
	return "mlwalks.HashEntries"
}

package reference

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"metalab/datasets"
	"metalab/solvers"
	_ "metalab/solvers/all" // what the pages are about
	"metalab/solvers/papers"
	"metalab/solvers/record"
)

// samples are small generated instances, one of each kind, for which the page shows defaults.
var samples = []string{"E1k.0", "tai50a", "ppp-73x73-1", "weierstrass-10", "queen8_8", "G1"}

// A variant is one of a solver with what it declares.
type variant struct {
	solvers.Variant
	backends []string
	sample   datasets.Instance
	params   []record.Param
	counts   string
	presets  []solvers.Preset
	values   map[string]map[string]record.Value // by preset and parameter
}

func (v variant) word() string { return v.Solver + "/" + v.Name }
func (v variant) page() string { return "solvers/" + v.Solver + "/" + v.Name + ".md" }

// variants are all that are linked, with their parameters for a sample instance.
func variants() ([]variant, error) {
	var all []variant
	for _, v := range solvers.Variants() {
		if n := len(all); n > 0 && all[n-1].Solver == v.Solver && all[n-1].Name == v.Name {
			all[n-1].backends = append(all[n-1].backends, v.Backend)
			continue
		}
		x := variant{Variant: v, backends: []string{v.Backend}, presets: v.AllPresets()}
		if solvers.Offered(v.Solver, v.Name, "cuda") && !slices.Contains(x.backends, "cuda") {
			x.backends = append(x.backends, "cuda")
		}
		if err := x.declare(); err != nil {
			return nil, fmt.Errorf("reference: %s/%s: %w", v.Solver, v.Name, err)
		}
		all = append(all, x)
	}
	return all, nil
}

// declare notes the parameters of a variant for the first sample that it takes, by preset.
func (v *variant) declare() error {
	for _, name := range samples {
		inst, ok, err := datasets.Generate(name)
		if err != nil || !ok {
			return fmt.Errorf("there is no instance %s: %w", name, err)
		}
		if !slices.Contains(v.Kinds, inst.Kind()) {
			continue
		}
		v.sample, v.values = inst, map[string]map[string]record.Value{}
		for _, p := range v.presets {
			_, ps, err := solvers.Resolve(solvers.Config{
				Solver: v.Solver, Variant: v.Name, Backend: v.Backend, Instance: inst, Preset: p.Name,
			})
			if err != nil {
				return err
			}
			if p.Name == "default" {
				v.params = ps
			}
			v.values[p.Name] = map[string]record.Value{}
			for _, q := range ps {
				v.values[p.Name][q.Name] = q.Value
			}
		}
		a, err := v.New(inst)
		if err != nil {
			return err
		}
		if c, ok := a.(solvers.Counter); ok {
			v.counts = c.Counts()
		}
		if _, ok := a.(solvers.Admitter); ok {
			for _, q := range solvers.IslandParams() {
				v.params = append(v.params, q)
				for _, values := range v.values {
					values[q.Name] = q.Default
				}
			}
		}
		return nil
	}
	return fmt.Errorf("no sample is of one of the kinds %v", v.Kinds)
}

// solverPages are a page for each variant, one for each solver, their list, and the list of all
// parameters.
func solverPages() ([]Page, error) {
	all, err := variants()
	if err != nil {
		return nil, err
	}
	bySolver := map[string][]variant{}
	for _, v := range all {
		bySolver[v.Solver] = append(bySolver[v.Solver], v)
	}
	var pages []Page
	var list strings.Builder
	list.WriteString("A solver is an algorithm; its variants walk differently. `open acs pr1002 as " +
		"a` takes the default variant, `open acs/spm pr1002 as a` names one.\n\n")
	for _, solver := range slices.Sorted(maps.Keys(bySolver)) {
		vs := bySolver[solver]
		page := "solvers/" + solver + ".md"
		fmt.Fprintf(&list, "## %s\n\n%s\n", solver, variantTable(vs, "solvers.md"))
		pages = append(pages, Page{
			Path: page, Title: solver,
			About: "The variants of " + solver + ".",
			Text: "Open it as in `open " + solver + " " + vs[0].sample.Name() + " as a`.\n\n" +
				variantTable(vs, page) + "\n[All solvers](../solvers.md#" + anchor(solver) + ")\n",
		})
		for _, v := range vs {
			pages = append(pages, variantPage(v))
		}
	}
	list.WriteString("## Names that papers have\n\n" + paperNames() + "\n")
	index := []Page{
		{
			Path: "solvers.md", Title: "Solvers", Text: list.String(),
			About: fmt.Sprintf("The %s and %s: what they are, what they run on, their parameters.",
				plural(len(bySolver), "solver"), plural(len(all), "variant")),
		},
		parametersPage(all),
	}
	return append(index, pages...), nil
}

func variantTable(vs []variant, page string) string {
	var t table
	t.row("variant", "what it is", "problems", "on")
	for _, v := range vs {
		name := link(v.word(), from(page, v.page()))
		if v.Default {
			name += " (default)"
		}
		t.row(name, escape(v.Title), kinds(v), strings.Join(v.backends, ", "))
	}
	return t.String()
}

func kinds(v variant) string {
	var out []string
	for _, k := range v.Kinds {
		out = append(out, string(k))
	}
	return strings.Join(out, ", ")
}

// paperNames lists what papers call the variants.
func paperNames() string {
	var t table
	t.row("name", "what it is", "paper", "stands for")
	for _, n := range papers.Names {
		t.row(code(n.Name), escape(n.Doc), escape(n.Paper), code(n.Text()))
	}
	return t.String()
}

func variantPage(v variant) Page {
	p := Page{Path: v.page(), Title: v.word(), About: sentence(v.Title)}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", escape(sentence(v.Title)))
	var t table
	t.row("what", "value")
	t.row("problems", kinds(v))
	t.row("runs on", strings.Join(v.backends, ", "))
	same := "yes"
	if !v.Deterministic {
		same = "no: it races as published, so it is compared over seeds and not replayed"
	}
	t.row("same seed, same result", same)
	if v.counts != "" {
		t.row("counts as evaluations", escape(v.counts))
	}
	t.row("revision", fmt.Sprint(v.Revision))
	t.row("source", escape(v.Source))
	if v.Layout != "" {
		t.row("random numbers", escape(v.Layout))
	}
	if len(v.Formerly) > 0 {
		t.row("formerly", escape(strings.Join(v.Formerly, ", ")))
	}
	if v.NoStart != "" {
		t.row("begins at no given solution", escape(v.NoStart))
	}
	b.WriteString(t.String())
	fmt.Fprintf(&b, "\n## Presets\n\n")
	var ps table
	ps.row("preset", "what it is for")
	for _, q := range v.presets {
		ps.row(code(q.Name), escape(q.Doc))
	}
	fmt.Fprintf(&b, "%s\n## Parameters\n\nThe values are those for the instance %s. They may differ "+
		"for others: `params a` lists those of a run.\n\n", ps.String(), code(v.sample.Name()))
	b.WriteString(paramTable(v))
	for _, q := range v.params {
		fmt.Fprintf(&b, "\n### %s\n\n%s\n\n", q.Name, escape(q.Doc))
		fmt.Fprintf(&b, "* class: %s\n* range: %s\n", class(q.Class), escape(solvers.RangeOf(q)))
		if q.Unit != "" {
			fmt.Fprintf(&b, "* unit: %s\n", escape(q.Unit))
		}
		if q.Effect != "" {
			fmt.Fprintf(&b, "* at a change: %s\n", escape(q.Effect))
		}
	}
	fmt.Fprintf(&b, "\n[All variants of %s](../%s.md) · [all parameters](../../parameters.md)\n",
		v.Solver, v.Solver)
	p.Text = b.String()
	return p
}

// class says what may be done with a parameter of a class.
func class(c record.Class) string {
	switch c {
	case record.Live:
		return "live, it may be set while a run goes on"
	case record.Structural:
		return "structural, it is fixed for a run and changed by a fork"
	case record.Schedule:
		return "schedule, it changes the time and no result"
	}
	return string(c)
}

// paramTable has a row for each parameter and a column for each preset that differs.
func paramTable(v variant) string {
	var t table
	head := []string{"parameter", "class", "default"}
	var columns []string
	for _, p := range v.presets[1:] {
		if !maps.Equal(v.values[p.Name], v.values["default"]) {
			columns = append(columns, p.Name)
			head = append(head, escape(p.Name))
		}
	}
	t.row(head...)
	for _, q := range v.params {
		row := []string{
			link(q.Name, "#"+anchor(q.Name)), string(q.Class), code(v.values["default"][q.Name].String()),
		}
		for _, c := range columns {
			cell := ""
			if x := v.values[c][q.Name]; x != v.values["default"][q.Name] {
				cell = code(x.String())
			}
			row = append(row, cell)
		}
		t.row(row...)
	}
	return t.String()
}

// parametersPage is the list of all parameters: each meaning with the variants that have it.
func parametersPage(all []variant) Page {
	type meaning struct {
		p  record.Param
		of []string
	}
	meanings := map[string][]*meaning{}
	for _, v := range all {
		for _, p := range v.params {
			ms := meanings[p.Name]
			i := slices.IndexFunc(ms, func(m *meaning) bool {
				return m.p.Doc == p.Doc && m.p.Class == p.Class
			})
			if i < 0 {
				i = len(ms)
				ms = append(ms, &meaning{p: p})
			}
			ms[i].of = append(ms[i].of, link(v.word(), v.page()+"#"+anchor(p.Name)))
			meanings[p.Name] = ms
		}
	}
	var b strings.Builder
	b.WriteString("A parameter has one of three classes. A live one may be set while a run goes on: " +
		"`set a q0=0.98`. A structural one is fixed for a run and changed by a fork. One of the " +
		"schedule changes the time and no result.\n\n")
	for _, name := range slices.Sorted(maps.Keys(meanings)) {
		fmt.Fprintf(&b, "## %s\n\n", name)
		for _, m := range meanings[name] {
			fmt.Fprintf(&b, "%s (%s) Of %s.\n\n", escape(m.p.Doc), m.p.Class, strings.Join(m.of, ", "))
		}
	}
	return Page{
		Path: "parameters.md", Title: "Parameters", Text: b.String(),
		About: fmt.Sprintf("The %d parameters by name, and whose they are.", len(meanings)),
	}
}

package bundle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"math"
	"os"
	"regexp"
	"strings"

	"metalab/datasets"
	"metalab/kernel/browser"
	"metalab/kernel/reply"
	"metalab/solvers/record"
)

// A Study is a page of an experiment whose units a reader makes again.
type Study struct {
	Name, Plan string
	Table      string   // the reply of the prompt's table as HTML
	Report     []string // sentences
	Figures    []Figure
	Undrawn    []string // figures that are not there, and why, in words
	Over       []Panel  // what there was after each iteration
	Units      []Unit
	Sources    []string // the tools and data of the units, in words
	Engine     *Engine  // nil if no unit can be replayed
	Inline     bool     // as of a Page
	Words      Words
}

// A Unit is a row of a Study. It has a record and an instance, or the reason in words why it has
// none.
type Unit struct {
	reply.ExperimentUnit
	Record   *record.Record
	Instance datasets.Instance
	Why      string
}

// Again is the number of units that the page makes again.
func (s *Study) Again() (n int) {
	for i := range s.Units {
		if s.Units[i].Record != nil {
			n++
		}
	}
	return n
}

// keptStudy is what the page's script reads.
type keptStudy struct {
	Engine    string             `json:"engine"` // the name of its file; empty: none
	Hash      string             `json:"hash"`
	Instances []browser.Instance `json:"instances"`
	Units     []keptUnit         `json:"units"`
}

type keptUnit struct {
	Number   int      `json:"number"`
	Instance int      `json:"instance"` // its place in instances
	Record   string   `json:"record"`
	End      int64    `json:"end"`
	Best     *float64 `json:"best"` // null: it is no number
	Shown    string   `json:"shown"`
}

// shownStudy is what the template shows.
type shownStudy struct {
	*Study
	Style          template.CSS
	Script, Inline template.JS
	Sort           template.JS
	Figures        []figure
	TableHTML      template.HTML
	Rows           []shownUnit
	Made           int
	File, Size     string
	EngineMade     string
}

type shownUnit struct {
	Number                     int
	Label, Where, State        string
	Seed                       uint64
	Best, Gap, Iterations, Why string
}

// Write writes the page.
func (s *Study) Write(w io.Writer) error {
	p, err := s.shown()
	if err != nil {
		return err
	}
	t, err := template.ParseFS(files, "study.html", "words.html")
	if err != nil {
		return err
	}
	return t.Execute(w, p)
}

// shown gathers what the page shows.
func (s *Study) shown() (*shownStudy, error) {
	p := &shownStudy{Study: s, Made: s.Again(), Style: template.CSS(read("page.css"))}
	p.Sort = template.JS("(() => {\n\"use strict\"\n" + read("sort.js") + "})()\n")
	p.TableHTML = template.HTML(sortable(s.Table))
	for _, f := range s.Figures {
		svg, err := inert(f.SVG)
		if err != nil {
			return nil, err
		}
		p.Figures = append(p.Figures, figure{f.Name, template.HTML(svg)})
	}
	for i := range s.Units {
		u := &s.Units[i]
		row := shownUnit{
			Number: u.Number, Label: u.Label, Where: u.ExperimentUnit.Instance, State: u.State,
			Seed: u.Seed, Why: u.Why, Best: u.Best.String(),
		}
		if g := float64(u.Gap); !math.IsNaN(g) {
			row.Gap = fmt.Sprintf("%.3f %%", g)
		}
		if u.Iteration > 0 {
			row.Iterations = fmt.Sprint(u.Iteration)
		}
		p.Rows = append(p.Rows, row)
	}
	kept := ""
	var k *keptStudy
	var err error
	if p.Made > 0 {
		if k, err = s.kept(); err != nil {
			return nil, err
		}
		j, err := json.Marshal(k)
		if err != nil {
			return nil, err
		}
		if kept, err = text64(j); err != nil {
			return nil, err
		}
	}
	if p.Made > 0 || s.Over != nil {
		if p.Script, err = s.scripts(kept); err != nil {
			return nil, err
		}
	}
	if p.Made == 0 {
		return p, nil
	}
	p.File, p.Size, p.EngineMade = k.Engine, megabytes(s.Engine.Size), s.Engine.Made
	if s.Inline {
		b, err := os.ReadFile(s.Engine.Path)
		if err != nil {
			return nil, err
		}
		if _, err := parse(b); err != nil {
			return nil, err
		}
		p.Inline, p.File = template.JS(b), ""
	}
	return p, nil
}

// kept gathers what the page's script reads; units of one instance share it.
func (s *Study) kept() (*keptStudy, error) {
	k := &keptStudy{Engine: s.Engine.Name(), Hash: s.Engine.Hash}
	places := map[string]int{}
	for i := range s.Units {
		u := &s.Units[i]
		if u.Record == nil {
			continue
		}
		sha := u.Instance.SHA256()
		at, ok := places[sha]
		if !ok {
			packed, err := browser.Pack(u.Instance)
			if err != nil {
				return nil, err
			}
			at = len(k.Instances)
			places[sha] = at
			k.Instances = append(k.Instances, packed)
		}
		var text bytes.Buffer
		if err := u.Record.Encode(&text); err != nil {
			return nil, err
		}
		unit := keptUnit{
			Number: u.Number, Instance: at, Record: text.String(), End: u.Record.End,
			Shown: u.Best.String(),
		}
		if b := float64(u.Best); !math.IsNaN(b) && !math.IsInf(b, 0) {
			unit.Best = &b
		}
		k.Units = append(k.Units, unit)
	}
	return k, nil
}

var (
	rightStyle = regexp.MustCompile(` style="[^"]*text-align:right"`)
	anyStyle   = regexp.MustCompile(` style="[^"]*"`)
	firstRow   = regexp.MustCompile(`(?s)<table[^>]*><tr>(.*?)</tr>(.*?)</table>`)
)

// sortable is a reply's HTML in the page's own style, with tables that sort.js sorts.
func sortable(html string) string {
	html = anyStyle.ReplaceAllString(rightStyle.ReplaceAllString(html, ` class="n"`), "")
	return firstRow.ReplaceAllStringFunc(html, func(table string) string {
		m := firstRow.FindStringSubmatch(table)
		head := strings.ReplaceAll(strings.ReplaceAll(m[1], "<th", `<th scope="col"`), "></th>",
			">setting</th>")
		return `<table class="sortable"><thead><tr>` + head + "</tr></thead><tbody>" + m[2] +
			"</tbody></table>"
	})
}

package bundle

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"os"
	"slices"
	"strings"

	"metalab/datasets"
	"metalab/kernel/browser"
	"metalab/kernel/reply"
	"metalab/solvers/record"
)

//go:embed *.html *.css *.js
var files embed.FS

// A Figure is a picture of the record, as SVG.
type Figure struct {
	Name string // as "tour"
	SVG  []byte
}

// A Page is a record with what a reader needs to make it again.
type Page struct {
	Record   *record.Record
	Instance datasets.Instance
	Figures  []Figure
	Engine   *Engine
	Inline   bool // the engine stands in the page, and in no file beside it
	Words    Words

	Algorithm, Source string // of the record's variant: what it is, in a line, and its paper
}

// kept is what the page's script reads.
type kept struct {
	Run      string           `json:"run"`
	Engine   string           `json:"engine"` // the name of its file
	Hash     string           `json:"hash"`
	Revision string           `json:"revision"` // of the record's variant, in words
	Build    string           `json:"build"`    // what wrote the record
	End      int64            `json:"end"`
	Seed     uint64           `json:"seed,string"` // at the end, from which repeats count on
	Params   record.Values    `json:"params"`
	Journal  []record.Change  `json:"journal"`
	Best     *float64         `json:"best"` // the best known value
	Instance browser.Instance `json:"instance"`
	Record   string           `json:"record"`
}

// shown is what the template shows.
type shown struct {
	Title, Variant, Backend, Build string
	Words                          Words
	Method                         method
	Seed                           uint64
	Header                         record.Header
	End                            int64
	Best, Known, Gap               string
	Params                         [][2]string
	Journal                        [][3]string
	Figures                        []figure
	Style                          template.CSS
	Script, Inline                 template.JS
	engineFile
}

// engineFile is what a page says of its engine: its file where it has one, that file's size, and
// the metalab that it was built from.
type engineFile struct{ File, Size, EngineMade string }

// method is the algorithm, and where it comes from.
type method struct {
	Title string
	Paper []Cited
}

type figure struct {
	Name string
	SVG  template.HTML
}

// Write writes the page.
func (p *Page) Write(w io.Writer) error {
	s, err := p.shown()
	if err != nil {
		return err
	}
	t, err := template.ParseFS(files, "page.html", "words.html")
	if err != nil {
		return err
	}
	return t.Execute(w, s)
}

// shown gathers what the page shows.
func (p *Page) shown() (*shown, error) {
	rec, h := p.Record, p.Record.Header
	inst, err := browser.Pack(p.Instance)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	if err := rec.Encode(&text); err != nil {
		return nil, err
	}
	variant, revision, on, seed := h.Variant, h.Revision, h.Backend, h.Seed
	for _, c := range rec.Journal {
		if c.Kind == record.KindFork && c.Variant != "" {
			variant, revision = c.Variant, c.Revision
		}
		if c.Kind == record.KindFork && c.On != "" {
			on = c.On
		}
		if c.Kind == record.KindFork && c.Seed != nil {
			seed = *c.Seed
		}
	}
	k := kept{
		Run: h.Run, Engine: p.Engine.Name(), Hash: p.Engine.Hash, End: rec.End, Seed: seed,
		Params:   h.Params,
		Revision: fmt.Sprintf("revision %d of %s/%s", revision, h.Solver, variant), Build: h.Build,
		Journal: slices.Clone(rec.Journal), Best: h.Instance.Best, Instance: inst, Record: text.String(),
	}
	j, err := json.Marshal(k)
	if err != nil {
		return nil, err
	}
	s := &shown{
		Title: cmp.Or(p.Words.Title,
			fmt.Sprintf("%s: %s/%s on %s", h.Run, h.Solver, variant, h.Instance.Name)),
		Words: p.Words, Method: method{p.Algorithm, PaperOf(p.Source)},
		Variant: k.Revision, Backend: on, Build: h.Build, Seed: h.Seed, Header: h, End: rec.End,
		engineFile: engineFile{k.Engine, megabytes(p.Engine.Size), p.Engine.Made},
		Style:      template.CSS(read("page.css")),
	}
	packed, err := text64(j)
	if err != nil {
		return nil, err
	}
	s.Script = template.JS(scriptOf(packed))
	for _, f := range p.Figures {
		svg, err := inert(f.SVG)
		if err != nil {
			return nil, err
		}
		s.Figures = append(s.Figures, figure{f.Name, template.HTML(svg)})
	}
	p.values(s)
	if p.Inline {
		b, err := os.ReadFile(p.Engine.Path)
		if err != nil {
			return nil, err
		}
		if _, err := parse(b); err != nil {
			return nil, err
		}
		s.Inline, s.File = template.JS(b), ""
	}
	return s, nil
}

// values are the best value, the parameters and the changes.
func (p *Page) values(s *shown) {
	h := p.Record.Header
	if n := len(p.Record.Points); n > 0 {
		s.Best = reply.Num(p.Record.Points[n-1].Best).String()
		if known := h.Instance.Best; known != nil && *known != 0 {
			s.Known = reply.Num(*known).String()
			s.Gap = fmt.Sprintf("%.3f %%", 100*(p.Record.Points[n-1].Best-*known) / *known)
		}
	}
	for _, name := range sorted(h.Params) {
		s.Params = append(s.Params, [2]string{name, h.Params[name].String()})
	}
	for _, c := range record.Acts(p.Record.Journal) {
		s.Journal = append(s.Journal, [3]string{fmt.Sprint(c.Iter), said(c), c.Who})
	}
}

// said is a change in words.
func said(c record.Change) string {
	switch c.Kind {
	case record.KindSet:
		return fmt.Sprintf("%s %s → %s", c.Name, c.Old, c.New)
	case record.KindFork:
		var with []string
		for _, n := range sorted(c.With) {
			with = append(with, n+"="+c.With[n].String())
		}
		if c.Seed != nil {
			with = append(with, fmt.Sprintf("seed=%d", *c.Seed))
		}
		for _, w := range [...][2]string{{"on", c.On}, {"variant", c.Variant}} {
			if w[1] != "" {
				with = append(with, w[0]+"="+w[1])
			}
		}
		return strings.TrimSpace("fork as " + c.Name + " " + strings.Join(with, " "))
	}
	return c.Kind + ": " + c.Name
}

func sorted(vs record.Values) []string {
	var names []string
	for n := range vs {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// scriptOf returns the page's script; it contains the stored data, and the worker's script, as
// texts.
func scriptOf(packed string) string {
	worker, _ := json.Marshal(read("worker.js")) // a text; it escapes <, > and &
	return "(() => {\n\"use strict\"\nconst keptText = \"" + packed + "\"\nconst workerScript = " +
		string(worker) + "\n" +
		read("engine.js") + read("draw.js") + read("page.js") + "})()\n"
}

func read(name string) string {
	b, err := files.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded, or a name above is wrong
	}
	return string(b)
}

// inert is the element of an SVG; one that is more than a picture is refused.
func inert(svg []byte) (string, error) {
	i := bytes.Index(svg, []byte("<svg"))
	if i < 0 {
		return "", fmt.Errorf("a figure is no SVG")
	}
	text := string(svg[i:])
	for _, no := range [...]string{"<script", "<foreignObject", "javascript:"} {
		if strings.Contains(strings.ToLower(text), strings.ToLower(no)) {
			return "", fmt.Errorf("a figure has %s in it", no)
		}
	}
	return text, nil
}

// megabytes is a size in words.
func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

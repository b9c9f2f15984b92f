package lab

import (
	"fmt"
	"path/filepath"
	"slices"

	"metalab/kernel/reply"
	"metalab/kernel/wire"
)

// Files that a run writes.

// A Word is a word after the arguments of a verb.
type Word string

// Force replaces any file at a path, as in r.Save("a.run", lab.Force). Without it only a file that
// metalab wrote as the same thing, of the same run, and that nobody has changed since, is replaced.
const Force Word = "force"

// forced reports whether Force is among the words.
func forced(verb string, with []Word) bool {
	for _, w := range with {
		if w != Force {
			fail(&Error{wire.CodeRequest, fmt.Sprintf("%s: there is no word %q, want lab.Force", verb, w)})
		}
	}
	return len(with) > 0
}

// PlotTo draws a figure, like Plot, into a file that ends in .svg, .png or .pdf.
func (r *Run) PlotTo(path, figure string, with ...Word) *reply.PlotReply {
	if filepath.Ext(path) == "" && slices.Contains([]string{".svg", ".png", ".pdf"},
		filepath.Ext(figure)) {
		fail(&Error{wire.CodeRequest, fmt.Sprintf("plot: the path comes first: PlotTo(%q, %q)", figure,
			path)})
	}
	return plot(figure, []string{r.id()}, path, forced("plot", with))
}

// Save saves the record and the state.
func (r *Run) Save(path string, with ...Word) *reply.FileReply {
	var rep reply.FileReply
	ask("save", wire.FileRequest{
		Run: r.id(), Path: abs(path), Force: forced("save", with),
	}, &rep)
	return &rep
}

// Export writes the history as CSV; or, by the ending of the path, what else the verb export
// writes: the best solution (.tour, .sln), or a page in which a browser replays the run (.html).
func (r *Run) Export(path string, with ...Word) *reply.FileReply {
	return r.export(wire.ExportRequest{Path: path, Force: forced("export", with)})
}

// ExportAll is Export with every iteration: it runs those again that the history does not keep,
// which takes as long as the run.
func (r *Run) ExportAll(path string, with ...Word) *reply.FileReply {
	return r.export(wire.ExportRequest{Path: path, All: true, Force: forced("export", with)})
}

// ExportSeeds writes the results of repeats as CSV, with a row for each seed.
func (r *Run) ExportSeeds(path string, with ...Word) *reply.FileReply {
	return r.export(wire.ExportRequest{Path: path, Seeds: true, Force: forced("export", with)})
}

// ExportBest writes the best solution of any problem as text, into a file that ends in .txt: lines
// with # name the run and the objective, and each other line is an entry, counted from 0.
func (r *Run) ExportBest(path string, with ...Word) *reply.FileReply {
	return r.export(wire.ExportRequest{Path: path, Best: true, Force: forced("export", with)})
}

func (r *Run) export(q wire.ExportRequest) *reply.FileReply {
	q.Runs, q.Path = []string{r.id()}, abs(q.Path)
	var rep reply.FileReply
	ask("export", q, &rep)
	return &rep
}

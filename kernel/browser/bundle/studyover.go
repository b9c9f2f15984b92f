package bundle

import (
	"encoding/json"
	"html/template"
)

// A Panel is what the units of an experiment had on an instance, iteration by iteration; a page has
// a slider over it.
type Panel struct {
	Instance string  `json:"instance"`
	Percent  bool    `json:"percent"` // values are gaps above the best known one, in percent
	Maximise bool    `json:"maximise"`
	Settings []Paths `json:"settings"`
}

// Paths is how the units of a setting got on.
type Paths struct {
	Label string   `json:"label"`
	Units [][]Step `json:"units"`
}

// A Step is an iteration, and the best value that there was after it: each with a new one has a
// step, the first and the last.
type Step [2]float64

// scripts are those of the page: the parts that it needs, in one function.
func (s *Study) scripts(kept string) (template.JS, error) {
	text := "(() => {\n\"use strict\"\n"
	if kept != "" {
		worker, _ := json.Marshal(read("worker.js")) // a text; it escapes <, > and &
		text += "const keptText = \"" + kept + "\"\nconst workerScript = " + string(worker) + "\n"
	}
	if s.Over != nil {
		j, err := json.Marshal(s.Over)
		if err != nil {
			return "", err
		}
		packed, err := text64(j)
		if err != nil {
			return "", err
		}
		text += "const overText = \"" + packed + "\"\n"
	}
	text += read("engine.js")
	if s.Over != nil {
		text += read("draw.js") + read("studyover.js")
	}
	if kept != "" {
		text += read("study.js")
	}
	return template.JS(text + "})()\n"), nil
}

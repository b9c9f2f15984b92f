package bundle

import (
	"encoding/json"
	"html/template"
	"io"
	"os"
)

// PromptPage is a page with a prompt.
type PromptPage struct {
	Engine *Engine // of the program [Prompt]
	Inline bool    // it stands in the page, and in no file beside it

	Lessons string // the address of the lessons; empty: none
}

// Write writes the page.
func (p *PromptPage) Write(w io.Writer) error {
	text := func(name string) string {
		b, _ := json.Marshal(read(name)) // a text; it escapes <, > and &
		return string(b)
	}
	quoted := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	s := struct {
		Style  template.CSS
		Script template.JS
		Inline template.JS
		Size   string

		Lessons string
	}{
		Style: template.CSS(read("page.css") + read("prompt.css")),
		Script: template.JS("(() => {\n\"use strict\"\nconst engineName = " +
			quoted(p.Engine.Name()) + "\nconst memoryScript = " + text("memfs.js") +
			"\nconst workerScript = " + text("promptworker.js") + "\n" +
			read("engine.js") + read("draw.js") + read("promptfiles.js") + read("promptkeep.js") +
			read("prompt.js") + read("promptlive.js") + read("promptseeds.js") +
			read("promptgo.js") + "})()\n"),
		Size: megabytes(p.Engine.Size), Lessons: p.Lessons,
	}
	if p.Inline {
		b, err := os.ReadFile(p.Engine.Path)
		if err != nil {
			return err
		}
		if _, err := parse(b); err != nil {
			return err
		}
		s.Inline = template.JS(b)
	}
	t, err := template.ParseFS(files, "prompt.html", "words.html")
	if err != nil {
		return err
	}
	return t.Execute(w, s)
}

// Package page holds what the host shows in a browser: the dashboard, and the controls that
// stand in the output of a notebook's cell. It is plain HTML, CSS and JavaScript, embedded as
// it stands in the files beside this one: nothing is built and nothing is fetched from
// elsewhere.
//
// The scripts are parts of one text, in the order of [parts], inside one function: a part
// uses what the parts before it declare. The dashboard gets the text from the host that
// serves it; a cell, whose page is Jupyter's, gets it with its output.
//
// The pages speak to the host as package kernel/host says.
package page

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html"
	"strings"
)

//go:embed *.js *.css *.html *.svg
var files embed.FS

// parts are the scripts that pages share, in the order in which they use each other; those of
// the page's own come behind.
var parts = []string{
	"dom.js", "link.js", "hub.js", "model.js", "scale.js",
	"controls.js", "figure.js", "bar.js", "run.js",
}

// Styles of controls, and of the dashboard beside.
const (
	styleControls  = "controls.css"
	styleDashboard = "dashboard.css"
)

// A File is something that the host serves to everybody: it holds nothing of a session.
type File struct {
	Path string // as "/"
	Type string // its media type
	Data []byte
}

func read(name string) []byte {
	b, err := files.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded, or a name above is wrong
	}
	return b
}

// text puts the shared parts and the page's own into one script.
func text(own ...string) []byte {
	var b bytes.Buffer
	b.WriteString("(() => {\n\"use strict\"\n")
	for _, name := range append(append([]string{}, parts...), own...) {
		b.Write(read(name))
	}
	b.WriteString("})()\n")
	return b.Bytes()
}

// Files are the dashboard.
func Files() []File {
	style := append(append([]byte{}, read(styleControls)...), read(styleDashboard)...)
	return []File{
		{"/{$}", "text/html; charset=utf-8", read("dashboard.html")},
		{
			"/dashboard.js", "text/javascript; charset=utf-8",
			text("experiment.js", "charts.js", "workers.js", "dashboard.js"),
		},
		{"/dashboard.css", "text/css; charset=utf-8", style},
		{"/icon.svg", "image/svg+xml", read("icon.svg")},
	}
}

// A Config says what a script in a cell's output shows, and how it gets in.
type Config struct {
	Element string   `json:"element"` // the id of the element that it fills
	Kind    string   `json:"kind"`    // sliders or link
	Base    string   `json:"base"`    // the address of the host, as "http://127.0.0.1:4711"
	Page    string   `json:"page"`    // what the host calls it
	Kernel  string   `json:"kernel"`  // the id of the notebook's kernel at its Jupyter server
	Session string   `json:"session"`
	Run     string   `json:"run,omitempty"`
	Names   []string `json:"names,omitempty"`
	// the id of what stays in the notebook, and is hidden by live controls
	Table string `json:"table,omitempty"`
	Style string `json:"style"` // set by Script
}

// Script is the script of a cell's output; it may stand in an element <script>.
func Script(c Config) (string, error) {
	c.Style = string(read(styleControls))
	b, err := json.Marshal(c) // escapes <, > and &
	if err != nil {
		return "", fmt.Errorf("page: %w", err)
	}
	s := strings.Replace(string(text("keys.js", "jupyter.js", "cell.js")), "\"use strict\"\n",
		"\"use strict\"\nconst config = "+string(b)+"\n", 1)
	if strings.Contains(strings.ToLower(s), "</script") {
		return "", fmt.Errorf("page: the script of %s would end early", c.Element)
	}
	return s, nil
}

// Leads is a page that leads to an address at once.
func Leads(url string) []byte {
	u := html.EscapeString(url)
	return []byte(
		`<!doctype html><meta charset="utf-8"><meta name="referrer" ` +
			`content="no-referrer"><title>metalab</title>` +
			`<meta http-equiv="refresh" content="0; url=` + u + `"><p><a href="` + u +
			`">the dashboard</a></p>` + "\n")
}

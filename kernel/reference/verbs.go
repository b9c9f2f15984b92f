package reference

import (
	"fmt"
	"reflect"
	"strings"

	"metalab/kernel/wire"
)

// verbPages are a page for each verb, and their list by group.
func verbPages(src sources) []Page {
	var list strings.Builder
	list.WriteString("A verb is a command of the prompt. In Go `lab.Do` takes the same lines, in a " +
		"notebook `%lab` does. With `-json` each prints one JSON object a line.\n\n")
	var pages []Page
	for _, group := range wire.Groups {
		var t table
		t.row("verb", "what it does")
		for _, v := range wire.Verbs {
			if v.Group != group {
				continue
			}
			p := verbPage(v, src)
			pages = append(pages, p)
			t.row(link(v.Name, p.Path), escape(v.Doc))
		}
		fmt.Fprintf(&list, "## %s\n\n%s\n", group, t.String())
	}
	index := Page{
		Path: "verbs.md", Title: "Verbs", Text: list.String(),
		About: fmt.Sprintf("The %d verbs of the prompt: usage, arguments, examples, JSON.",
			len(pages)),
	}
	return append([]Page{index}, pages...)
}

func verbPage(v wire.Verb, src sources) Page {
	p := Page{Path: "verbs/" + v.Name + ".md", Title: v.Name, About: sentence(v.Doc)}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s\n", escape(sentence(v.Doc)), block(v.Usage()))
	if len(v.Also) > 0 {
		fmt.Fprintf(&b, "Also called: %s.\n\n", code(strings.Join(v.Also, ", ")))
	}
	if args := argsTable(v); args != "" {
		fmt.Fprintf(&b, "## Arguments\n\n%s\n", args)
	}
	for _, a := range v.Args {
		if a.Kind == wire.KindParams {
			fmt.Fprintf(&b, "The parameters are in a [list](%s).\n\n", from(p.Path, "parameters.md"))
			break
		}
	}
	if v.Name == "plot" || v.Name == "watch" {
		fmt.Fprintf(&b, "## Figures\n\n%s\n", choiceTable("figure", wire.Figures))
	}
	if v.Example != "" {
		lines := strings.ReplaceAll(v.Example, "; ", "\n")
		fmt.Fprintf(&b, "## Examples\n\n%s\n", block(lines))
	}
	switch {
	case v.Front:
		b.WriteString("The prompt carries this verb out by itself; the host has none of its name.\n\n")
	default:
		fmt.Fprintf(&b, "## JSON\n\nA program asks for it by `POST /v1/do/%s`.\n\n", v.Name)
		if q := v.NewRequest(); q != nil {
			if t := src.fields(reflect.TypeOf(q).Elem(), p.Path); t != "" {
				fmt.Fprintf(&b, "### Request\n\n%s\n", t)
			}
		}
		if r := v.NewReply(); r != nil {
			fmt.Fprintf(&b, "### Reply\n\n%s\n", src.fields(reflect.TypeOf(r).Elem(), p.Path))
		}
	}
	fmt.Fprintf(&b, "[All verbs](%s#%s)\n", from(p.Path, "verbs.md"), anchor(v.Group))
	p.Text = b.String()
	return p
}

// kindWords say what is typed in the place of an argument.
var kindWords = map[wire.Kind]string{
	wire.KindRun: "a run", wire.KindRuns: "runs", wire.KindRecord: "a run or a record",
	wire.KindName: "a new name", wire.KindSolver: "a solver", wire.KindInstance: "an instance",
	wire.KindFigure: "a figure", wire.KindPath: "a file", wire.KindWord: "a word",
	wire.KindInt: "an integer", wire.KindSeconds: "a time", wire.KindTruth: "true or false",
	wire.KindCond: "a condition", wire.KindParams: "parameters",
}

// argsTable lists the arguments that people type.
func argsTable(v wire.Verb) string {
	var t table
	t.row("argument", "kind", "when left out", "meaning")
	for _, a := range v.Args {
		if !a.Typed() {
			continue
		}
		name, out := a.Name, code(a.Default)
		if a.Kind == wire.KindParams {
			name = "name=value"
		}
		if a.Required {
			out = "required"
			if a.Asked {
				out = "the host says what is meant"
			}
		}
		meaning := escape(a.Doc)
		for i, c := range a.Choices {
			if i == 0 {
				meaning += "."
			}
			meaning += " " + code(c.Name)
			if c.Doc != "" {
				meaning += ": " + escape(c.Doc) + "."
			}
		}
		t.row(code(name), kindWords[a.Kind], out, meaning)
	}
	return t.String()
}

func choiceTable(what string, choices []wire.Choice) string {
	var t table
	t.row(what, "what it is")
	for _, c := range choices {
		t.row(code(c.Name), escape(c.Doc))
	}
	return t.String()
}

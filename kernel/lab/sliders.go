package lab

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"metalab/kernel/lab/front"
	"metalab/kernel/reply"
	"metalab/kernel/wire"
	"metalab/solvers/record"
)

// Sliders shows sliders, selects and checkboxes for a run's parameters; without names, for all that
// can change while it runs. It also shows buttons for steps, and curve and tour, up to four times a
// second. In a notebook they work while a cell runs and after it ended, and follow what other
// windows, cells and prompts do. The saved notebook has a table of the last values of the
// parameters.
//
// If the front end has Jupyter's widgets (ipywidgets 8), the sliders use them: they reach the
// session through Jupyter's own connection, from any machine, and a reloaded page has them again.
// Otherwise they are a page of the session, which gives advice if it cannot reach the session,
// because that is on another machine. Without a browser, for example when a program executes a
// notebook, and outside of notebooks, Sliders shows the table and returns at once.
func Sliders(run *Run, parameters ...string) {
	name := names("Sliders", []*Run{run})[0]
	var r reply.SlidersReply
	ask("sliders", wire.SlidersRequest{Run: name, Names: strings.Join(parameters, ",")}, &r)
	if !inCell() {
		Show(&r)
		return
	}
	if abroad() {
		slidersAbroad(name, &r)
		return
	}
	if os.Getenv(wire.EnvWidgets) != "" {
		showWidgets(&r, parameters)
		return
	}
	showPage(&r, wire.PageRequest{Kind: wire.PageSliders, Run: name, Names: parameters})
}

// slidersAbroad shows the sliders of a run in a notebook whose kernel is not metalab's.
func slidersAbroad(run string, r *reply.SlidersReply) {
	if show := front.Get().Sliders; show != nil {
		c := Client()
		show(r.Params, func(name string, v record.Value) error {
			return c.Do(context.Background(), "set", wire.SetRequest{
				Run: run, Params: record.Values{name: v},
			}, nil)
		})
		fmt.Println("these act while this cell runs; the dashboard's act afterwards, too:")
	} else {
		fmt.Println(r)
		fmt.Println(`they are moved on the dashboard, for this kernel is not metalab's; with import ` +
			`_ "metalab/kernel/lab/stock" they are in the cell while it runs:`)
	}
	Dashboard()
}

// showWidgets shows the panel of a run, made of Jupyter's widgets, which the notebook's kernel puts
// in the place of a form. The table below it, which is folded, is for those who read the notebook
// where there are no widgets.
func showWidgets(r *reply.SlidersReply, parameters []string) {
	q := wire.FormRequest{Run: r.Run, Names: parameters, Table: newDisplay()}
	form, err := json.Marshal(q)
	check(err)
	if !display("", htmlForm(""), textForm("sliders of "+r.Run),
		mime{kind: wire.FormSliders, text: string(form)}) {
		fmt.Println(r)
		return
	}
	kept := r.Kept()
	display(q.Table, htmlForm(kept["text/html"]), textForm(kept["text/plain"]))
}

// Dashboard shows all runs of the session, and all experiments, in a browser: in a notebook a
// button opens a window, elsewhere Dashboard prints the address.
func Dashboard() {
	if !inCell() {
		var r reply.DashboardReply
		ask("dashboard", nil, &r)
		Show(&r)
		return
	}
	if abroad() { // the address is a key, which is not for outputs
		var r reply.DashboardReply
		ask("dashboard", nil, &r)
		fmt.Printf("the dashboard of session %s: open the file %s in a browser of this machine, before "+
			"%s\n", Client().Hello().Session, r.File, r.Ends)
		return
	}
	showPage(&reply.NoteReply{Note: "the dashboard of session " + Client().Hello().Session +
		": run this cell to open it"},
		wire.PageRequest{Kind: wire.PageLink})
}

// abroad reports whether the program is a cell of a GoNB that is not metalab's, whose pages this
// session cannot know.
func abroad() bool { return os.Getenv(front.EnvSaid) == "" && front.Get().Display == nil }

// headless reports whether a program executes the notebook, without a viewer: such programs start
// the kernel without an id of a Jupyter server.
func headless() bool { return os.Getenv(envKernel) == "" }

// envKernel is the environment variable in which GoNB tells the kernel's id at its server.
const envKernel = "GONB_JUPYTER_KERNEL_ID"

// showPage shows a reply in a cell, and makes it a live page if the notebook is open in a browser.
//
// The reply stays in the notebook. The script of the live page is in a separate output, which is
// emptied once the page has been let in, so that it is not saved. It contains no secret, because
// every user of the machine can read outputs: the page makes its own secret, and sends it to the
// session through the notebook's kernel.
func showPage(r reply.Reply, q wire.PageRequest) {
	forms := textForms(r)
	if headless() {
		if !display("", forms...) {
			fmt.Println(r)
		}
		return
	}
	q.Element, q.Kernel = newDisplay(), os.Getenv(envKernel)
	if _, ok := r.(*reply.SlidersReply); ok {
		q.Table = newDisplay()
	}
	c := Client()
	ctx, done := during()
	p, err := c.Page(ctx, q)
	failed := err != nil
	defer func() { done(failed) }()
	if err != nil && ctx.Err() == nil { // no port, say: the table is better than nothing
		if !display("", forms...) {
			fmt.Println(r)
		}
		fmt.Println(err)
		return
	}
	check(err)
	shown := false
	if table, ok := r.(*reply.SlidersReply); ok {
		// The table is a separate output, which the session shows again when the run has changed.
		shown = display("", htmlForm(`<div id="`+q.Element+`"></div>`)) &&
			display(q.Table, htmlForm(table.Frame(q.Table)), textForm(table.Table()))
	} else {
		forms[0].text = `<div id="` + q.Element + `">` + forms[0].text + "</div>"
		shown = display("", forms...)
	}
	script := newDisplay()
	if !shown || !display(script, htmlForm("<script>"+p.Script+"</script>")) {
		fmt.Println(r)
		return
	}
	if _, err := c.PageEntered(ctx, p.ID); err != nil && ctx.Err() == nil {
		failed = true
		check(err)
	}
	display(script, htmlForm(""))
}

// Package lab has the functions that are called in a notebook cell and at the prompt: they open
// runs, step them, change their parameters, show them and save records.
//
//	pr := lab.Load("pr1002")
//	a := lab.Open("a", "acs", pr, lab.Seed(42), lab.With("ants", 256, "local_period", 4))
//	a.Step(100)
//	a.Set("q0", 0.98)
//	a.Go()
//	lab.Watch(a)
//	lab.Sliders(a, "q0", "ants")
//	b := a.Fork("b")
//	b.Set("q0", 0.9)
//	b.Step(200)
//	lab.Show(lab.Compare(a, b))
//	a.Save("a.run")
//	lab.Show(lab.Replay("a.run"))
//
// The runs are in the host of the session, not in the program that uses lab: another cell, or a
// prompt that is attached to the session, can continue them by their names. Opening a run that is
// open already attaches to it, so a cell may be run again.
//
// When the session has ended, for example by a restart of the kernel, [Recover] continues a run
// from its autosave.
//
// In a notebook [Sliders] and [Dashboard] stay live after their cell has ended; the saved notebook
// has a table. Where the front end has Jupyter's widgets the sliders are made of these.
//
// Results print themselves (String) and have a form for pages (HTML). No function returns an error,
// which a cell could only print. A function that fails panics with an *[Error] of one line, which
// front ends show and [Try] turns into an error. ^C and the notebook's stop button end a step after
// the last whole iteration; the run can go on from there.
//
// Your own search is a struct with the three methods of [Solver]; [Declare] makes it known to the
// session, which then opens, steps, tunes, draws, forks, records and replays it like the built-in
// ones:
//
//	lab.Declare("walk", func() lab.Solver { return &Walk{T: 10} })
//	w := lab.Open("w", "walk", pr)
//
// The session is the one that METALAB_SESSION names, which notebooks set, or that [Attach]
// was given; repl serve -session NAME keeps one for programs. Paths are relative to the folder of
// the program that uses lab.
//
// Cells are compiled each time they run, so the package stays small: it links neither net/http nor
// a plotting library, and no algorithm. A test checks this.
package lab

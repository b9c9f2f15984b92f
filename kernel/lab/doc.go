// Package lab has the functions for notebook cells and for Go at the prompt: they open runs, step
// them, change their parameters, show them and save records. Public: solvers/internal/api/api.txt
// lists the declarations that programs may rely on.
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
// The host of the session owns the runs, not the program that uses lab: another cell, or a prompt
// of the session, can continue them by name. Open attaches to a run that is open already, so a cell
// can run again.
//
// When the session has ended, for example by a restart of the kernel, [Recover] continues a run
// from its autosave.
//
// In a notebook [Sliders] and [Dashboard] stay live after their cell has ended; the saved notebook
// has a table. If the front end has Jupyter's widgets, the sliders use them.
//
// Results print themselves (String) and have a form for pages (HTML). No function returns an error,
// which a cell could only print. A function that fails panics with an *[Error] of one line, which
// front ends show and [Try] turns into an error. ^C and the notebook's stop button end a step after
// the last whole iteration; the run can continue from there.
//
// Your own search is a struct with the three methods of [Solver]; [Declare] registers it in the
// session, which then opens, steps, tunes, draws, forks, records and replays it like the built-in
// ones:
//
//	lab.Declare("walk", func() lab.Solver { return &Walk{T: 10} })
//	w := lab.Open("w", "walk", pr)
//
// METALAB_SESSION, which notebooks set, or [Attach] chooses the session; repl serve -session NAME
// runs one for programs. Paths are relative to the folder of the program that uses lab.
//
// Cells are compiled each time they run, so the package stays small: it links neither net/http nor
// a plotting library, and no algorithm. A test checks this.
package lab

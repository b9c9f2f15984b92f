// Command kernel is the Jupyter kernel "metalab (Go)": notebooks in Go whose cells share one live
// session.
//
//	go run ./kernel install            put the kernel into Jupyter's launcher (-user, the default)
//	go run ./kernel install -prefix D  … of the Jupyter installed under D
//	go run ./kernel uninstall          take it out again
//	go run ./kernel doctor             say what is there, what is missing, and what mends it
//	go run ./kernel exec nb.ipynb      execute a notebook without Jupyter, outputs written into it
//
// The kernel is GoNB, which compiles each cell into a program of its own and runs it. Data that
// must outlive a cell lives in a host (package kernel/host) beside it: the command run, which
// Jupyter calls, starts the host of a new session and then becomes GoNB, with METALAB_SESSION
// naming the session for the cells. So a run from one cell is available in the next, and in a
// prompt that attaches to the session with "go run ./repl -attach".
//
// Releases have another kernel, "metalab", which interprets cells and needs nothing beside its
// program: package kernel/internal/jupyter/interpret. Session, widgets, pages and figures are the
// same.
//
// The host watches the process that Jupyter knows. When that ends, in any way, the host autosaves
// the runs, ends the processes that GoNB left behind, and removes the session's folder. When
// Jupyter itself dies, the host ends the kernel first. Should the host be killed, a guard beside
// it, which does nothing else, cleans up when the kernel ends.
//
// GoNB is built with small changes (jupyter/build), which call package kernel/cells: an error of a
// cell, at compile time or run time, becomes one line without paths, with advice for beginners; the
// line "%lab step a 10; plot a tour" runs as at the prompt, and a cell shows the value of its last
// expression; the kernel completes and explains names in quotes (solvers, instances, runs,
// parameters, figures) and names of package lab at once, also while a cell runs, and gopls the
// rest; pages in cells' outputs can prove that they belong to the notebook; and package
// kernel/internal/widgets answers comms of Jupyter's widgets, with the controls that package
// kernel/internal/panel creates for a run. A front end with widgets asks for the open ones when it
// connects: then sliders are widgets, else a page from 127.0.0.1.
//
// # On a machine that others use too
//
// Jupyter and a kernel speak through ports of 127.0.0.1, which every user of the machine can open.
// Messages to the kernel must be signed with a key that only the user can read; the kernel drops
// others. But it sends cells' outputs, and their code during execution, to everybody who asks: so
// another user can read outputs, tables, figures and the values of sliders that are widgets. Others
// cannot change a run, read a record or open a page of the session: sliders and the dashboard's
// button enter with a secret of their own, which they send to the kernel on the notebook's signed
// channel and which never passes through outputs (see kernel/host). The owner gets a warning about
// attempts without it.
//
// To hide outputs as well, let Jupyter put the sockets into files of the user's, as with
//
//	jupyter notebook --KernelManager.transport=ipc
//
// (c.KernelManager.transport = "ipc" in jupyter_server_config.py, or jupyter_notebook_config.py for
// Notebook 6). exec does so by itself.
//
// Everything that install writes is in one folder of Jupyter's data: kernel.json, the logos, module
// with links to metalab's sources, through which cells import them, and bin with this program,
// GoNB, goimports and gopls. The folder of METALAB_STATE records a folder from -prefix: without a
// kernel of the user's, doctor and exec use the latest one, or the one that Jupyter offers. You can
// repeat install at any time, and must repeat it after changes of the host's sources: cells compile
// from the present sources, but the host is the program that install built. The first cell of a
// notebook says so when they differ, and so does doctor.
package main

// Command kernel is the Jupyter kernel "metalab (Go)": notebooks in Go whose cells share
// one live session.
//
//	go run ./kernel install            put the kernel into Jupyter's launcher (-user, the default)
//	go run ./kernel install -prefix D  … of the Jupyter installed under D
//	go run ./kernel uninstall          take it out again
//	go run ./kernel doctor             say what is there, what is missing, and what mends it
//	go run ./kernel exec nb.ipynb      execute a notebook without Jupyter, outputs written into it
//
// The kernel is GoNB, which compiles each cell into a program of its own and runs it. What
// must outlive a cell lives in a host (package kernel/host) beside it: the command run,
// which Jupyter calls, starts the host of a new session and then becomes GoNB, with
// METALAB_SESSION naming the session for the cells. So a run that one cell opens is there
// in the next, and in a prompt that attaches to the session with "go run ./repl -attach".
//
// Releases have another kernel, "metalab", which interprets cells and needs nothing beside its
// program: package kernel/internal/jupyter/interpret. Session, widgets, pages and figures are the
// same.
//
// The host watches the process that Jupyter knows. When that ends, in whatever way, the
// host autosaves the runs, ends what GoNB left behind, and removes the session's folder.
// When Jupyter itself dies, the host ends the kernel first. Should the host be killed, a
// guard beside it, which does nothing else, cleans up when the kernel ends.
//
// GoNB is built with small changes (jupyter/build), which call package kernel/cells: what goes
// wrong in a cell, in its text or while it runs, is one line without paths, which says what to do
// where beginners go wrong; a line "%lab step a 10; plot a tour" is carried out as at the prompt,
// and the value of a cell's last expression is shown; names in quotes (solvers, instances, runs,
// parameters, figures) and names of package lab are completed and told about at once, also while a
// cell runs, and the rest by gopls; pages in cells' outputs can show that they are the notebook's;
// and comms of Jupyter's widgets are answered by package kernel/internal/widgets, in which the
// kernel's process holds the controls that package kernel/internal/panel makes of a run. A front
// end that has widgets asks for those that are open when it connects: then sliders are widgets,
// else a page from 127.0.0.1.
//
// # On a machine that others use too
//
// Jupyter and a kernel speak through ports of 127.0.0.1, which every user of the machine can
// open. What one says to the kernel must be signed with a key that only the user can read;
// what is not is dropped. But what cells show, and their code as it is executed, is sent to
// whoever asks: so another user can read outputs, tables, figures and the values that sliders
// show which are widgets. He cannot change a run, read a record
// or open a page of the session: sliders and the dashboard's button get in by a secret of their
// own, which they tell the kernel on the notebook's signed channel and which never passes through
// outputs (see kernel/host). Tries to get in without it are told to the owner.
//
// Where outputs are not to be read by others either, have Jupyter put the sockets into files of
// the user's, as with
//
//	jupyter notebook --KernelManager.transport=ipc
//
// (c.KernelManager.transport = "ipc" in jupyter_server_config.py, or jupyter_notebook_config.py
// for Notebook 6). exec does so by itself.
//
// Everything that install writes is in one folder of Jupyter's data: kernel.json, the logos,
// module with links to metalab's sources, through which cells import them, and bin with this
// program, GoNB, goimports and gopls. A folder that -prefix named is noted
// in the folder of METALAB_STATE: without a kernel of the user's, doctor and exec take the one
// that was put there last, or that Jupyter offers. Install may be repeated at any time, and
// is to be repeated after the sources of the host were changed: cells are compiled from the
// sources as they are, the host is the program that install built. The first cell of a
// notebook says so when they differ, and so does doctor.
package main

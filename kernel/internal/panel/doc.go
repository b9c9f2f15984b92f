// Package panel makes the panel of a run out of Jupyter's widgets: a line that says how far the run
// is, buttons, a slider, select or checkbox for each parameter, the last changes, and the curve and
// the tour as a picture.
//
// It runs in the process of a notebook's kernel, between package widgets, which tells pages, and
// the session's host, which owns the run. So it works while a cell runs and after it ended, and
// follows what other windows, cells and prompts do. A drag is one change of the record; a value
// that the run refuses comes back, with the reason beside it.
package panel

// Package session is the life of a notebook's session.
//
// Jupyter starts [Run], which makes a folder for temporary files, starts the host beside itself and
// becomes GoNB. [Host] serves the session (package kernel/host), imports lab before the first cell
// (prelude.go), learns what the notebook is called (title.go), displays anew what cells have shown
// (display.go), and watches the kernel: when that ends, the runs are saved, what the kernel left
// behind is ended (sweep.go), and the folder is removed. [Guard] waits beside them, for the case
// that the host is killed; what is left when both were killed, the next Run removes (stale.go).
package session

// Package jupyter is Jupyter's view of the kernel "metalab (Go)": its kernelspec and logos, the
// folder that holds them, and the possible places of that folder. The packages below it implement
// the command kernel:
//
//	build      compiles the kernel itself, GoNB with its changes, the tools that GoNB calls, a cell
//	install    install, uninstall and doctor
//	execute    exec: starts a kernel as Jupyter does, executes a notebook, writes its outputs
//	session    run, host and guard: the life of a notebook's session, from its opening to the last
//	           file that is removed after it
//	messages   Jupyter's messages, which execute and session exchange with a kernel
//	process    other processes: what one prints, whether one lives, which there are
//	command    flags and errors that these share
//
// A [Place] is the place of a kernel, a [Spec] the content of its kernel.json. A subcommand is a
// function of one of these packages and a line in the table of kernel/main.go.
package jupyter

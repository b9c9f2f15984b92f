// Package prompt is the prompt in a page: the terminal's commands, on a host in the same program.
// [Session] executes and completes lines, and reports events; the page draws them. Another worker,
// repl/browser/interpreter, runs Go; the page starts it at the first such line; see interpreted.go.
// Sessions in other workers run the seeds of repeats; see seeds.go. There is neither terminal nor
// socket. Package kernel/browser/metalab serves it in the program that pages load, package bundle
// writes the page.
package prompt

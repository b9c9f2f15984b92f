// Package prompt is metalab's prompt as a command: a terminal's, a script's, a pipe's. Programs
// link it: repl, which is only that, and repl/metalab, which is the kernel of notebooks too.
package prompt

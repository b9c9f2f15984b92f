// Package interpret is a kernel of notebooks whose cells are interpreted, by package eval: it needs
// neither Go nor another program, variables stay from cell to cell, and a cell takes milliseconds.
//
// Jupyter starts [Run], which opens a session as every kernel of metalab does (package session) and
// serves Jupyter's messages itself. Package lab shows what it shows through the kernel, by
// front.Front's Display; what is neither messages nor Go is package cells', which the kernel that
// compiles cells has too: widgets, completion in quotes, lines of the prompt, pages.
package interpret

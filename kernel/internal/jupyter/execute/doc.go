// Package execute is kernel exec: it executes a notebook without Jupyter.
//
// [Start] starts the kernel of a kernelspec as Jupyter does, as its only client: a [Runner].
// [Runner.Do] executes a cell and collects its [Outputs] from the kernel's messages as nbformat 4
// keeps them; notebook.go reads and writes the file, and keeps what it does not know. It has
// widgets, as a page has: the states of those that cells show are kept in the notebook's metadata
// (saved.go).
package execute

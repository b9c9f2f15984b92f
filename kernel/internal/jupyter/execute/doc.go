// Package execute is kernel exec: it executes a notebook without Jupyter.
//
// [Start] starts the kernel of a kernelspec as Jupyter does, as its only client: a [Runner].
// [Runner.Do] executes a cell and collects its [Outputs] from the kernel's messages in the form of
// nbformat 4; notebook.go reads and writes the file, and preserves unknown parts. It has widgets,
// as a page has: the notebook's metadata stores the states of those that cells show (saved.go).
package execute

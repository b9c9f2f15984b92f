// Package execute is kernel exec: it executes a notebook without Jupyter.
//
// [Start] starts the kernel of a kernelspec as Jupyter does, as its only client: a [Runner].
// [Runner.Do] executes a cell and collects its [Outputs] from the kernel's messages as nbformat 4
// keeps them; notebook.go reads and writes the file, and keeps what it does not know.
package execute

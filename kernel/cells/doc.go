// Package cells is metalab's part of GoNB: the program that Jupyter speaks to links it, and calls
// it in the few places that the patches of kernel/internal/jupyter/build change.
//
// It explains in a line how a cell failed ([Kernel.Explain], [Trace]), receives messages of the
// notebook's pages and of the session's host ([Kernel.Comm]), completes text in quotes and names of
// package lab ([Kernel.Words]), and starts gopls, which completes the rest, in time ([Warm]). It
// asks the session's host, on the socket that METALAB_SESSION names.
package cells

// Package cells is what metalab does within GoNB: the program that Jupyter speaks to links it,
// and calls it in the few places that the patches of kernel/internal/jupyter/build change.
//
// It says in a line how a cell failed ([Kernel.Explain], [Trace]), hears what the pages of the
// notebook and the host of the session say to the kernel ([Kernel.Comm]), completes what stands in
// quotes and names of package lab ([Kernel.Words]) and has gopls, which completes the rest, ready
// in time ([Warm]). What it needs of the session it asks its host, on the socket that
// METALAB_SESSION names.
package cells

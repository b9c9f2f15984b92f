// Package cuext makes the driver calls that gorgonia.org/cu v0.9.6 lacks or breaks:
// pinned memory, function attributes that may be set (dynamic shared memory above 48 KB),
// launches with arguments of any size and cooperative launches, stream capture and
// graphs, the compiler's log of a module that does not load, the parameters a kernel
// declares, and the names of error codes.
//
// It acts on the current context of the calling thread, as cu does, and takes cu's own
// handles, so the two mix. Nothing here is safe to call without a context but Name.
// Built without the tag cuda the package is empty.
package cuext

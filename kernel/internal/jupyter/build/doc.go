// Package build compiles the parts of the kernel, and shows the progress.
//
// [Self] is the program kernel, with the layer of GPUs where a C compiler works; [Gonb] is GoNB at
// the version of metalab's go.mod with the patches of the folder gonb; [Tools] are the tools that
// GoNB calls; [Cell] compiles a cell into Go's cache of builds. A [Shower] shows the packages of
// each as they are compiled. [Stamp] returns a fingerprint of all sources of the kernel and of
// GoNB, so that they are built again only if it has changed. [LinkModule] makes the folder through
// which cells import metalab, and [Edited] reports whether its sources still are those of the built
// kernel.
package build

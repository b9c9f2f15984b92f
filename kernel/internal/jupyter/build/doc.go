// Package build compiles what the kernel is made of, and shows how far it is.
//
// [Self] is the program kernel, with the layer of GPUs where a C compiler works; [Gonb] is GoNB
// at the version of metalab's go.mod with the patches of the folder gonb; [Tools] are what GoNB
// calls; [Cell] compiles a cell into Go's cache of builds. A [Shower] shows the packages of
// each as they are compiled. [Stamp] is a fingerprint of all that the kernel and GoNB are made
// of, so that they are built again only where it has changed. [LinkModule] makes the folder
// through which cells import metalab, and [Edited] tells whether its sources are still those that
// the kernel was built from.
package build

// Package browser is what metalab does in a page, without a host: it makes the run of a record
// again, and forks of it. [Engine] carries out requests, one at a time, and says meanwhile how far
// it is; package engine below is the program that pages load, compiled to WebAssembly, and package
// bundle builds it and writes the pages.
//
// A page has the data of its record's instance with it, see [Pack]. What is for no browser is in
// none of the packages that this engine is made of: sockets, databases, devices, terminals and the
// host. The figures that a page was written with are the host's; live ones are drawn by its script.
//
// A prompt in a page has a host of its own: package prompt below, and package metalab. How such
// programs talk with their page is package worker; command site writes the page.
//
// # Adding a request
//
// A field in [Request] where it takes more than there is, and a case in [Engine.Do]. The script of
// pages is in package bundle.
package browser

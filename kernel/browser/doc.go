// Package browser is metalab in a page, without a host: it replays the run of a record, and forks
// of it. [Engine] executes requests, one at a time, and reports progress; package engine below is
// the program that pages load, compiled to WebAssembly, and package bundle builds it and writes the
// pages.
//
// A page contains the data of its record's instance, see [Pack]. This engine links no packages that
// a browser lacks: sockets, databases, devices, terminals and the host. The host drew the page's
// original figures; its script draws live ones.
//
// A prompt in a page has a host of its own: package prompt below, and package metalab. Package
// worker connects such programs with their page; command site writes the page.
//
// # Adding a request
//
// Add a field to [Request] if it needs a new one, and a case to [Engine.Do]. The script of pages is
// in package bundle.
package browser

// Package replay is the room of the host that writes runs and records as pages in which a browser
// makes the run again without a host: page.go draws the page's figures, package
// kernel/browser/bundle writes it and compiles the engine, once for the sources, into the user's
// cache. It is apart from package export, which a prompt in a page has and which must not link it.
package replay

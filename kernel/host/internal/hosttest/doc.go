// Package hosttest is what tests of the host and of its rooms share: a host in this process or in
// one of its own with a client of it, [Walk], a search that does what a test tells it, and [Own],
// a declared solver. It links no room: a test imports those whose verbs it needs.
package hosttest

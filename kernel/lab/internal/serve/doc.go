// Package serve answers the host in a process with a user's code: a declared solver, or a problem
// with its searches. A [Code] computes the answers; the messages, the number of iterations at a
// time, and the handling of a panic are the same for both.
//
// Package metalab/kernel/wire defines the messages, under EnvWorker; metalab/kernel/guest is the
// host's side.
package serve

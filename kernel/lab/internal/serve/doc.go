// Package serve answers the host in a process that has somebody's code: a solver that was declared,
// or a problem with its searches. A [Code] says what the answers are; the messages, how many
// iterations are made at once, and what becomes of a panic are the same for both.
//
// What the messages are is in metalab/kernel/wire, under EnvWorker; the host's side is
// metalab/kernel/guest.
package serve

// Package broker is the NATS server that a program which asks for an experiment over several
// machines has in its own process: a queue and a store in memory, which are made again from the
// experiment's plan when they are lost.
//
// On this machine whoever has its token may come. Where other machines can reach it, it needs TLS
// and a file of users with their public nkeys, each of whom has an account: one sees nothing of the
// others.
package broker

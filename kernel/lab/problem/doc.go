// Package problem serves problems from lab.DeclareProblem to the host: it links the searches, which
// run in the process with the problem's code. The host compiles it into that process; cells, which
// only declare, do not.
//
// Package metalab/kernel/wire defines the protocol between host and worker, under EnvWorker;
// metalab/kernel/guest is the host's side. A search for users' problems must accept instances of
// datasets.KindOwn, and this package must link it.
package problem

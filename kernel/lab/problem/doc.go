// Package problem serves problems that somebody declared with lab.DeclareProblem to the host: it
// links the searches, which run in the process that has the problem's code. The host compiles it
// into that process; cells, which only declare, do not.
//
// What host and worker say to each other is in metalab/kernel/wire, under EnvWorker; the host's
// side is metalab/kernel/guest. A search that is to run on problems of somebody's own takes
// instances of datasets.KindOwn and is linked here.
package problem

//go:build cuda && cgo && linux

package cuext

// #include <cuda.h>
import "C"

import (
	"unsafe"

	"gorgonia.org/cu"
)

// Graph is a captured graph, Exec one that can be launched: C handles, 0 for none.
type (
	Graph uintptr
	Exec  uintptr
)

// graph and exec read a handle back as the pointer it is (C memory: the collector does
// not know it).
func graph(g Graph) C.CUgraph     { return *(*C.CUgraph)(unsafe.Pointer(&g)) }
func exec(e Exec) C.CUgraphExec   { return *(*C.CUgraphExec)(unsafe.Pointer(&e)) }
func toGraph(g C.CUgraph) Graph   { return Graph(unsafe.Pointer(g)) }
func toExec(e C.CUgraphExec) Exec { return Exec(unsafe.Pointer(e)) }

// BeginCapture starts to record what the calling thread puts into s.
func BeginCapture(s cu.Stream) error {
	return check(C.cuStreamBeginCapture(stream(s), C.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL))
}

// EndCapture ends the recording and returns its graph.
func EndCapture(s cu.Stream) (Graph, error) {
	var g C.CUgraph
	err := check(C.cuStreamEndCapture(stream(s), &g))
	return toGraph(g), err
}

// Nodes counts the nodes of g.
func Nodes(g Graph) (int, error) {
	var n C.size_t
	err := check(C.cuGraphGetNodes(graph(g), nil, &n))
	return int(n), err
}

// Destroy destroys g.
func Destroy(g Graph) error { return check(C.cuGraphDestroy(graph(g))) }

// Instantiate makes g launchable; g may be destroyed afterwards.
func Instantiate(g Graph) (Exec, error) {
	var e C.CUgraphExec
	err := check(C.cuGraphInstantiate(&e, graph(g), 0))
	return toExec(e), err
}

// LaunchGraph launches e in s.
func LaunchGraph(e Exec, s cu.Stream) error { return check(C.cuGraphLaunch(exec(e), stream(s))) }

// DestroyExec destroys e.
func DestroyExec(e Exec) error { return check(C.cuGraphExecDestroy(exec(e))) }

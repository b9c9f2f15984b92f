// Package worker is how a program that was compiled to WebAssembly talks with the page it belongs
// to: the page calls metalabAsk with the name of a call and its request, and metalabStop to end
// one; the program calls metalabSay with the name and what happened, as JSON. An empty name says
// that it is ready.
package worker

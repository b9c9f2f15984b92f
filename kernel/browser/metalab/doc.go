// Command metalab is the prompt in a page: package browser/prompt on a host in the same program,
// compiled to WebAssembly (GOOS=js GOARCH=wasm). Package bundle builds it; elsewhere it says so and
// ends. It talks to its page as command browser/engine does.
package main

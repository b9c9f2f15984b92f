// Command engine is what a page of metalab loads: package browser and the algorithms, compiled to
// WebAssembly (GOOS=js GOARCH=wasm). Package bundle builds it; elsewhere it says so and ends.
//
// It sets a function metalabAsk(id, request) in its JavaScript, both strings, and calls
// metalabSay(id, event) with the events, as package browser describes them; metalabStop(id) gives
// a request up.
package main

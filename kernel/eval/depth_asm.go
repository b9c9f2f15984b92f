//go:build amd64 || arm64 || wasm

package eval

// stackTop is the address of the end of the running goroutine's stack from which it grows: the
// second word of the runtime's struct of a goroutine.
func stackTop() uintptr

//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "this is for pages, and built by export a.html: GOOS=js GOARCH=wasm")
	os.Exit(2)
}

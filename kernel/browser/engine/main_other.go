//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "this is for pages: GOOS=js GOARCH=wasm go build metalab/kernel/browser/engine")
	os.Exit(2)
}

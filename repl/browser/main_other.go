//go:build !js

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "this is for pages, and built by go run ./kernel/browser/site FOLDER: "+
		"GOOS=js GOARCH=wasm")
	os.Exit(2)
}

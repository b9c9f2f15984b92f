// Command write writes the pages of the reference as Markdown into a folder; see package reference.
package main

import (
	"fmt"
	"os"

	"metalab/kernel/guest"
	"metalab/kernel/reference"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./kernel/reference/write FOLDER")
		os.Exit(2)
	}
	root, err := guest.SourceRoot()
	if err == nil {
		var all []reference.Page
		all, err = reference.Write(root, os.Args[1])
		fmt.Printf("%d pages of the reference\n", len(all))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

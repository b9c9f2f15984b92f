// Write writes the table of package lab's names, for package cells, in whose folder it is run.
package main

import (
	"fmt"
	"os"

	"metalab/kernel/cells/labdoc"
)

func main() {
	b, err := labdoc.Table("../lab")
	if err == nil {
		err = os.WriteFile("lab.tsv", b, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

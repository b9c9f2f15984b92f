// Command page writes all tables of figures to README.md of the folder that it runs in:
//
//	go generate ./solvers/bench/figures
package main

import (
	"fmt"
	"os"

	"metalab/solvers/bench/figures"
)

func main() {
	if err := os.WriteFile("README.md", []byte(figures.Page()), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "page:", err)
		os.Exit(1)
	}
}

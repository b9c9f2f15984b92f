// Command write writes api.txt anew; it runs in the folder of package api.
package main

import (
	"fmt"
	"os"

	"metalab/solvers/internal/api"
)

func main() {
	text, err := api.List("../../..")
	if err == nil {
		err = os.WriteFile("api.txt", text, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

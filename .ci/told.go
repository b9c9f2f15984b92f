// Told reads what go test -json prints. It prints a line for each package that is done, and each
// failure as soon as it is known: go test itself prints packages in the order of its arguments, so
// that a failure waits for all that were named before it.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// An event is a line of go test -json.
type event struct {
	Action, Package, Test, Output string
	ImportPath                    string // of a build
	Elapsed                       float64
}

func main() {
	said := map[string]*strings.Builder{} // by tests, packages and builds that are not done
	var failed []string
	var done []event // tests
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<26)
	for in.Scan() {
		var e event
		if json.Unmarshal(in.Bytes(), &e) != nil {
			fmt.Println(in.Text()) // of go itself
			continue
		}
		of := e.Package + " " + e.Test
		if e.ImportPath != "" {
			of = e.ImportPath
		}
		switch e.Action {
		case "output", "build-output":
			if said[of] == nil {
				said[of] = &strings.Builder{}
			}
			said[of].WriteString(e.Output)
			continue
		case "fail", "build-fail":
			fmt.Printf("%s failed at %s after %.1f s\n", of, time.Now().Format(time.TimeOnly), e.Elapsed)
			if b := said[of]; b != nil {
				fmt.Print(b)
			}
			if e.Test == "" && e.Package != "" {
				unfinished(said, e.Package)
			}
			failed = append(failed, strings.TrimSpace(of))
		case "pass", "skip":
			if b := said[of]; e.Test == "" && b != nil {
				if _, ok, found := strings.Cut("\n"+b.String(), "\nok "); found {
					fmt.Println("ok", strings.TrimSpace(ok))
				}
			}
		default:
			continue
		}
		delete(said, of)
		if e.Test != "" && !strings.Contains(e.Test, "/") {
			done = append(done, e)
		}
	}
	slowest(done)
	if err := in.Err(); err != nil {
		fmt.Fprintln(os.Stderr, "told:", err)
		os.Exit(1)
	}
	if len(failed) > 0 {
		fmt.Printf("failed:\n\t%s\n", strings.Join(failed, "\n\t"))
		os.Exit(1)
	}
}

// unfinished prints what the tests of a package said that had not ended when it failed: where a
// package is out of time, Go's stacks stand in the output of one of them.
func unfinished(said map[string]*strings.Builder, pkg string) {
	for of, b := range said {
		if test, ok := strings.CutPrefix(of, pkg+" "); ok && test != "" {
			fmt.Printf("%s had not ended:\n%s", test, b)
			delete(said, of)
		}
	}
}

// slowest prints the tests that took longest.
func slowest(done []event) {
	slices.SortFunc(done, func(a, b event) int { return cmp.Compare(b.Elapsed, a.Elapsed) })
	fmt.Println("the slowest tests, in seconds:")
	for _, e := range done[:min(len(done), 12)] {
		fmt.Printf("%6.1f %s %s\n", e.Elapsed, strings.TrimPrefix(e.Package, "metalab/"), e.Test)
	}
}

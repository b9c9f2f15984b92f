// Command again replays records of runs on generated instances, with the engine's packages alone.
// Its test compiles it for other processors and runs it under qemu.
package main

import (
	"context"
	"fmt"
	"os"
	"runtime"

	"metalab/datasets"
	"metalab/solvers"
	_ "metalab/solvers/all"
	"metalab/solvers/record"
)

func main() {
	bad := false
	for _, path := range os.Args[1:] {
		if err := again(path); err != nil {
			fmt.Printf("%s: %v\n", path, err)
			bad = true
		}
	}
	if bad {
		os.Exit(1)
	}
	fmt.Printf("%d records are identical on %s\n", len(os.Args)-1, runtime.GOARCH)
}

// again replays a record.
func again(path string) error {
	rec, err := record.ReadFile(path)
	if err != nil {
		return err
	}
	inst, err := datasets.Load(rec.Header.Instance.Name)
	if err != nil {
		return err
	}
	d, err := solvers.Replay(context.Background(), rec, inst, solvers.ReplayOptions{})
	if err == nil && d != nil {
		err = fmt.Errorf("it differs: %v", d)
	}
	return err
}

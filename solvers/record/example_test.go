package record_test

import (
	"fmt"
	"os"
	"path/filepath"

	"metalab/solvers/record"
)

// Write the record of a run, read it, and list its journal.
func Example() {
	dir, err := os.MkdirTemp("", "record")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "a.run")
	made := &record.Record{Header: record.NewHeader(), End: 20}
	made.Header.Run, made.Header.Solver, made.Header.Seed = "a", "mmas", 42
	made.Journal = []record.Change{{
		Iter: 10, Kind: record.KindSet, Name: "rho", Old: record.Num(0.98), New: record.Num(0.9),
	}}
	if err := made.WriteFile(path); err != nil {
		fmt.Println(err)
		return
	}
	rec, err := record.ReadFile(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(rec.Header.Solver, rec.Header.Seed, rec.End)
	for _, c := range rec.Journal {
		fmt.Println(c.Iter, c.Kind, c.Name, c.Old, c.New)
	}
	// Output:
	// mmas 42 20
	// 10 set rho 0.98 0.9
}

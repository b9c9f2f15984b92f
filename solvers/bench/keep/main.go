// Command keep writes what bench has measured into the folder measured, which the verb bench reads:
//
//	go build -o /tmp/repl ./repl/all
//	/tmp/repl -json -c 'bench kang-2 seeds=10' | go run ./solvers/bench/keep
//
// It reads the files that are named, or the standard input: lines of JSON as bench prints them with
// -json, of any number of tables, rows and seeds. Figures of the same row, seed and revision
// replace those that were there, others are added. Rows that a table no longer has, or
// has with other settings, are dropped, also without any input. Run it in the root of the
// repository.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"math"
	"os"
	"path/filepath"
	"strings"

	"metalab/solvers/bench"
)

// reply is what is read of an answer of bench.
type reply struct {
	Verb  string `json:"verb"`
	Table *struct {
		Name string `json:"name"`
	} `json:"table"`
	Machine string `json:"machine"`
	Go      string `json:"go"`
	Date    string `json:"date"`
	Listed  bool   `json:"listed"`
	Rows    []row  `json:"rows"`
}

type row struct {
	What     string     `json:"what"`
	Instance string     `json:"instance"`
	Settings string     `json:"settings"`
	Revision int        `json:"revision"`
	Seeds    []int      `json:"seeds"`
	Values   []*float64 `json:"values"`
	Error    string     `json:"error"`
}

func main() {
	log.SetFlags(0)
	dir := flag.String("dir", "solvers/bench/measured", "the folder of what was measured")
	machine := flag.String("machine", "", "the machine in words, instead of what bench says")
	command := flag.String("command", "", "the command that measured; empty: bench and the table")
	flag.Parse()
	if err := keep(*dir, *machine, *command, flag.Args(), os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func keep(dir, machine, command string, names []string, in io.Reader, out io.Writer) error {
	k := keeper{dir: dir, machine: machine, command: command, out: out}
	k.tables = map[string]*bench.Measured{}
	old, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return err
	}
	for _, name := range old {
		if _, err := k.table(strings.TrimSuffix(filepath.Base(name), ".txt")); err != nil {
			return err
		}
	}
	if len(names) == 0 {
		if err := k.read("standard input", in); err != nil {
			return err
		}
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err == nil {
			err = k.read(name, bytes.NewReader(text))
		}
		if err != nil {
			return err
		}
	}
	return k.write()
}

// A keeper gathers the figures of tables.
type keeper struct {
	dir, machine, command string
	out                   io.Writer
	tables                map[string]*bench.Measured
}

// table returns what is kept of a table.
func (k *keeper) table(name string) (*bench.Measured, error) {
	if m, ok := k.tables[name]; ok {
		return m, nil
	}
	if _, err := bench.Find(name); err != nil {
		return nil, err
	}
	m := bench.Measured{Table: name}
	text, err := os.ReadFile(filepath.Join(k.dir, name+".txt"))
	if err == nil {
		m, err = bench.ParseMeasured(name+".txt", string(text))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	k.tables[name] = &m
	return &m, nil
}

// maxLine is the length of a line of JSON, in bytes, that is still read.
const maxLine = 64 << 20

// read adds the answers in a text, a line each. Lines that are no answer of bench are passed over.
func (k *keeper) read(name string, in io.Reader) error {
	sc := bufio.NewScanner(in)
	sc.Buffer(nil, maxLine)
	for n := 1; sc.Scan(); n++ {
		var r reply
		if err := json.Unmarshal(sc.Bytes(), &r); err != nil {
			fmt.Fprintf(k.out, "%s: line %d is passed over: %v\n", name, n, err)
			continue
		}
		if r.Verb != "bench" || r.Table == nil || r.Listed {
			continue
		}
		if err := k.add(&r); err != nil {
			return fmt.Errorf("%s: line %d: %w", name, n, err)
		}
	}
	return sc.Err()
}

// add takes the rows of one answer.
func (k *keeper) add(r *reply) error {
	m, err := k.table(r.Table.Name)
	if err != nil {
		return err
	}
	t, err := bench.Find(r.Table.Name)
	if err != nil {
		return err
	}
	made := bench.Made{Date: r.Date, Machine: r.Machine, Go: r.Go, Command: k.command}
	if k.machine != "" {
		made.Machine = k.machine
	}
	if made.Command == "" {
		made.Command = "bench " + t.Name + ", rows and seeds as listed"
	}
	for _, row := range r.Rows {
		if len(row.Values) == 0 {
			if row.Error != "" && !strings.HasPrefix(row.Error, "not measured") {
				fmt.Fprintf(k.out, "%s, %s %s: %s\n", t.Name, row.What, row.Instance, row.Error)
			}
			continue
		}
		if row.Settings == "" {
			continue // a test of other rows
		}
		one := bench.Kept{
			What: row.What, Instance: row.Instance, Settings: row.Settings, Revision: row.Revision,
			Seeds: row.Seeds,
		}
		for _, v := range row.Values {
			if v == nil { // JSON has no infinity
				one.Values = append(one.Values, math.Inf(1))
				continue
			}
			one.Values = append(one.Values, *v)
		}
		if len(one.Seeds) != len(one.Values) {
			return fmt.Errorf("%s, %s: %d seeds and %d figures", t.Name, row.What, len(one.Seeds),
				len(one.Values))
		}
		if err := m.Merge(t, made, one); err != nil {
			fmt.Fprintf(k.out, "passed over: %v\n", err)
		}
	}
	return nil
}

// write writes the files anew, and says how many rows and figures each has.
func (k *keeper) write() error {
	for _, t := range bench.Tables() {
		m, ok := k.tables[t.Name]
		if !ok {
			continue
		}
		m.Tidy(t)
		name := filepath.Join(k.dir, t.Name+".txt")
		if len(m.Rows) == 0 {
			if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			continue
		}
		if err := os.WriteFile(name, []byte(m.String()), 0o644); err != nil {
			return err
		}
		figures := 0
		for _, r := range m.Rows {
			figures += len(r.Values)
		}
		fmt.Fprintf(k.out, "%s: %d rows, %d figures\n", name, len(m.Rows), figures)
	}
	return nil
}

package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"metalab/datasets"
	"metalab/solvers"
)

// program is a peer whose command line and output are known. In an argument {seed}, {cpu} (seconds)
// and {file} are replaced; the row's own arguments come first.
type program struct {
	args []string
	// length is the value of the best solution in the output, in its first group.
	length *regexp.Regexp
}

var programs = map[string]program{
	// Concorde's Chained Lin-Kernighan.
	"linkern": {
		args:   []string{"-s", "{seed}", "-R", "1000000000", "-t", "{cpu}", "{file}"},
		length: regexp.MustCompile(`Final Cycle: (\d+)`),
	},
	// GA-EAX 1.0 (Y. Nagata): one run of 100 tours with 30 children, which ends by itself.
	"eax": {
		args:   []string{"1", "eax", "100", "30", "{file}"},
		length: regexp.MustCompile(`val = (\d+)`),
	},
	// ACOTSP 1.03 (T. Stuetzle). It ends when both of its limits are met. Rows say the algorithm
	// and its parameters.
	"acotsp": {
		args:   []string{"-i", "{file}", "-r", "1", "--seed", "{seed}", "-s", "1", "-t", "{cpu}"},
		length: regexp.MustCompile(`try 0, Best (\d+)`),
	},
}

// run makes one run of the peer and returns the row's figure of it.
func (p *Peer) run(
	ctx context.Context, path string, inst datasets.Instance, seed uint64, r *Row,
) (float64, error) {
	prog := programs[p.Program]
	t, ok := inst.(*datasets.TSP)
	if !ok {
		return 0, fmt.Errorf("bench: %s reads tours' instances only", p.Program)
	}
	if r.Measure != Gap && r.Measure != Best {
		return 0, fmt.Errorf(
			"bench: %s tells the length of a tour, and the row measures %s", p.Program, r.Measure,
		)
	}
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, inst.Name()+".tsp")
	f, err := os.Create(file)
	if err != nil {
		return 0, err
	}
	if err := errors.Join(datasets.WriteTSP(f, t), f.Close()); err != nil {
		return 0, err
	}
	cpu := r.Stop.CPU
	if r.Stop.Wall > 0 {
		cpu = r.Stop.Wall
	}
	rep := strings.NewReplacer(
		"{seed}", fmt.Sprint(seed), "{cpu}", strconv.FormatFloat(cpu, 'g', -1, 64), "{file}", file,
	)
	var args []string
	for _, a := range append(append([]string{}, p.Args...), prog.args...) {
		args = append(args, rep.Replace(a))
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("bench: %s: %w", path, err)
	}
	v, err := prog.parse(out.Bytes())
	if err != nil {
		return 0, fmt.Errorf("bench: %s: %w", path, err)
	}
	if b, ok := inst.BestKnown(); ok && r.Measure == Gap {
		return solvers.Gap(v, &b.Value), nil
	}
	return v, nil
}

// parse finds the value of the best solution in a peer's output.
func (p *program) parse(out []byte) (float64, error) {
	m := p.length.FindSubmatch(out)
	if m == nil {
		return 0, fmt.Errorf("its output holds nothing like %q", p.length)
	}
	v, err := strconv.ParseFloat(string(m[1]), 64)
	if err != nil {
		return 0, fmt.Errorf("its output says %q: %w", m[0], err)
	}
	return v, nil
}

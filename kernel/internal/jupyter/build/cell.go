package build

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Cell compiles what a cell consists of, with the flags of cells, so that the first cell of
// the first notebook need not.
func Cell(
	ctx context.Context, show *Shower, goFlags, root string,
) (time.Duration, error) {
	t0 := time.Now()
	dir, err := os.MkdirTemp("", "metalab-warm-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{
		"go.mod":  "module cell\n\ngo 1.26\n",
		"go.work": "go " + goVersion(root) + "\n\nuse (\n\t.\n\t" + quotePath(root) + "\n)\n",
		"main.go": `package main

import (
	"fmt"
	"math"
	"os"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/janpfeifer/gonb/gonbui"

	"metalab/kernel/lab"
)

func main() {
	fmt.Println(lab.Runs(), math.Pi, len(os.Args), strings.ToUpper("a"),
		time.Now(), slices.Max([]int{1}), gonbui.IsNotebook)
	sort.Ints(nil)
}
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return 0, err
		}
	}
	cell := compilation{dir: dir, pkg: ".", env: append(os.Environ(),
		"GOWORK="+filepath.Join(dir, "go.work"), "GOFLAGS="+goFlags)}
	if err := show.build(ctx, "cells", cell, filepath.Join(dir, "cell")); err != nil {
		return 0, fmt.Errorf("compiling a cell: %w", err)
	}
	return time.Since(t0), nil
}

// quotePath writes a path as go.work wants it.
func quotePath(path string) string {
	if strings.ContainsAny(path, " \t\"`'()") {
		return fmt.Sprintf("%q", path)
	}
	return path
}

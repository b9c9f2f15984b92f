// Command withcuda runs a command of the go tool with CUDA built in:
//
//	go run ./gpu/withcuda run ./repl
//	go run ./gpu/withcuda build -o bin/metalab ./repl/all
//	go run ./gpu/withcuda test ./gpu/...
//
// is "go build -tags cuda -o repl ./repl" and so on, with cgo told where metalab's
// stand-in for cuda.h is. "withcuda env" prints that setting as a line for the shell, for
// those who would rather type the go command themselves:
//
//	eval "$(go run ./gpu/withcuda env)"; go build -tags cuda ./...
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	os.Exit(run(os.Args[1:]))
}

func run(args []string) int {
	root, err := moduleRoot()
	if err != nil {
		fmt.Fprintln(os.Stderr, "withcuda:", err)
		return 2
	}
	if len(args) == 0 {
		fmt.Fprintln(
			os.Stderr,
			"usage: go run ./gpu/withcuda build|test|vet|run|install … (a command of the go tool), or env",
		)
		return 2
	}
	flags := cflags(root, os.Getenv("CGO_CFLAGS"))
	if args[0] == "env" {
		fmt.Printf("export CGO_ENABLED=1 CGO_CFLAGS='%s'\n", strings.ReplaceAll(flags, "'", `'\''`))
		return 0
	}
	cmd := exec.Command("go", withTag(args)...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=1", "CGO_CFLAGS="+flags)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return exit.ExitCode()
		}
		fmt.Fprintln(os.Stderr, "withcuda:", err)
		return 2
	}
	return 0
}

// moduleRoot finds metalab's folder, also from a folder inside it.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(
			filepath.Join(dir, "gpu", "internal", "driver", "include", "cuda.h"),
		); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("run it inside metalab's folder")
		}
		dir = up
	}
}

// cflags adds our header's folder, first, to what is set; -O2 -g is what cgo has if nothing
// is.
func cflags(root, have string) string {
	if have == "" {
		have = "-O2 -g"
	}
	include := "-I" + filepath.Join(root, "gpu", "internal", "driver", "include")
	if strings.ContainsAny(include, " \t") {
		include = `"` + include + `"`
	}
	if strings.Contains(have, include) {
		return have
	}
	return include + " " + have
}

// withTag puts -tags cuda behind the go command's verb, or adds cuda to the tags given.
func withTag(args []string) []string {
	out := append([]string(nil), args...)
	for i, a := range out {
		name, value, joined := strings.Cut(strings.TrimLeft(a, "-"), "=")
		if !strings.HasPrefix(a, "-") || name != "tags" {
			continue
		}
		if joined {
			out[i] = "-tags=" + value + ",cuda"
		} else if i+1 < len(out) {
			out[i+1] += ",cuda"
		}
		return out
	}
	return append([]string{out[0], "-tags", "cuda"}, out[1:]...)
}

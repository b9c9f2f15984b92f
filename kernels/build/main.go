package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "kernels/build:", err)
		os.Exit(1)
	}
}

// run is the command, given its arguments and where to write.
func run(ctx context.Context, args []string, w io.Writer) error {
	flags := flag.NewFlagSet("build", flag.ContinueOnError)
	root := flags.String("root", "", "the repository; by default the one around the working folder")
	only := flags.String("only", "", "families to compile, with commas; by default all")
	nvcc := flags.String("nvcc", "nvcc", "the compiler")
	force := flags.Bool("force", false, "compile also what is up to date")
	lines := flags.String(
		"lines", "", "a folder for images with source lines, FAMILY_NAME.fatbin; the committed ones stay",
	)
	justCheck := flags.Bool("check", false, "compile nothing; fail if an image is missing or stale")
	jobs := flags.Int("j", runtime.NumCPU(), "how many sources are compiled at a time, at least 1")
	compress := flags.Bool(
		"compress", false,
		"compress machine code in the images too, which the driver undoes when it loads them",
	)
	threads := flags.Int(
		"threads", 3,
		"architectures of a source compiled at a time, by nvcc's --threads; 0 leaves it out",
	)
	keepGoing := flags.Bool(
		"keep-going", false, "compile the others after an error too, and fail in the end",
	)
	if err := flags.Parse(args); err != nil {
		return err
	}
	switch {
	case *jobs < 1:
		return fmt.Errorf("-j is %d, want at least 1", *jobs)
	case *threads < 0:
		return fmt.Errorf("-threads is %d, want at least 0", *threads)
	}
	if *root == "" {
		r, err := repository()
		if err != nil {
			return err
		}
		*root = r
	}
	if *justCheck {
		faults, err := check(*root)
		if err != nil {
			return err
		}
		if len(faults) > 0 {
			return fmt.Errorf(
				"%s\ncompile them where nvcc is: go run ./kernels/build", strings.Join(faults, "\n"),
			)
		}
		fmt.Fprintln(w, "every image fits its source")
		return nil
	}
	list, err := sources(*root)
	if err != nil {
		return err
	}
	if list, err = ofFamilies(list, *only); err != nil {
		return err
	}
	b := builder{root: *root, nvcc: *nvcc, force: *force, threads: *threads, compress: *compress}
	work := b.compile
	if *lines != "" {
		work = func(ctx context.Context, src string, w io.Writer) error {
			return b.withLines(
				ctx, src, *lines, w,
			)
		}
	}
	return parallel(ctx, list, *jobs, *keepGoing, w, work)
}

// ofFamilies are the sources of the families that only names, with commas or spaces; all where it
// names none. A name that is no family is an error.
func ofFamilies(list []string, only string) ([]string, error) {
	family := func(src string) string { return path.Base(path.Dir(src)) }
	var known []string
	for _, src := range list {
		if f := family(src); !slices.Contains(known, f) {
			known = append(known, f)
		}
	}
	wanted := strings.FieldsFunc(only, func(r rune) bool { return r == ',' || r == ' ' })
	for _, f := range wanted {
		if !slices.Contains(known, f) {
			return nil, fmt.Errorf(
				"-only names %q, which is no family of kernels: there are %s", f, strings.Join(known, ", "),
			)
		}
	}
	if len(wanted) == 0 {
		return list, nil
	}
	return slices.DeleteFunc(list, func(src string) bool {
		return !slices.Contains(wanted, family(src))
	}), nil
}

// repository finds the folder with go.mod and kernels, from the working folder up.
func repository() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		_, mod := os.Stat(filepath.Join(dir, "go.mod"))
		_, kernels := os.Stat(filepath.Join(dir, "kernels"))
		if mod == nil && kernels == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("run it inside metalab's folder, or name that with -root")
		}
		dir = up
	}
}

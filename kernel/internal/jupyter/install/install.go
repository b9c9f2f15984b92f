package install

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"metalab/kernel/internal/jupyter"
	"metalab/kernel/internal/jupyter/build"
	"metalab/kernel/internal/jupyter/command"
	"metalab/kernel/internal/jupyter/process"
)

// Command is kernel install.
func Command(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("install", flag.ContinueOnError)
	where := jupyter.PlaceFlags(fs)
	complete := fs.Bool("gopls", true, "with gopls, which completes and explains in cells")
	if err := command.Parse(fs, args, 0); err != nil {
		return err
	}
	p, err := where()
	if err != nil {
		return err
	}
	root, err := build.ModuleRoot(ctx)
	if err != nil {
		return err
	}
	if err := Into(ctx, os.Stdout, p, root, *complete); err != nil {
		return err
	}
	if p.Prefix() != "" && !p.OfUser() {
		if err := jupyter.Remember(p); err != nil {
			fmt.Printf("\nIt is not noted that it is there, so doctor and exec want -prefix %s: %v\n",
				p.Prefix(), err)
		}
	}
	return nil
}

// Into builds the parts of the kernel into p and writes the kernelspec last, so that Jupyter never
// offers an incomplete kernel. It keeps programs that are up to date.
func Into(ctx context.Context, w io.Writer, p jupyter.Place, root string, complete bool) error {
	if err := os.MkdirAll(filepath.Join(p.Dir, "bin"), 0o755); err != nil {
		return err
	}
	say := func(name, what string) { fmt.Fprintf(w, "%-12s %s\n", name, what) }
	show := build.NewShower(w)
	fmt.Fprintln(w, "This compiles the kernel, GoNB, the tools that it calls, and a first cell: "+
		"minutes the first\ntime, seconds when Go's cache of builds has them.")
	sources, err := build.SourcesHash(root) // before the build: what is changed meanwhile is noticed
	if err != nil {
		return err
	}
	if err := programs(ctx, show, say, p, root); err != nil {
		return err
	}
	for _, t := range build.Tools {
		if t.Optional && !complete {
			continue
		}
		words, err := t.Ensure(ctx, show, p.Bin(t.Name))
		if err != nil && !t.Optional {
			return err
		}
		if err != nil {
			words = fmt.Sprintf("is missing, so nothing %s: %v", t.What, err)
		}
		say(t.Name, words)
	}
	if err := build.LinkModule(root, p.Module()); err != nil {
		return err
	}
	goBin, err := process.Output(exec.CommandContext(ctx, "go", "env", "GOROOT"))
	if err != nil {
		return err
	}
	spec := jupyter.NewSpec(p, root, sources, filepath.Join(goBin, "bin"), os.Getenv("PATH"))
	took, err := build.Cell(ctx, show, spec.Env["GOFLAGS"], p.Module())
	if err != nil {
		return err
	}
	say("cells", fmt.Sprintf("compiled one for the cache of builds, in %.1f s", took.Seconds()))
	if err := jupyter.WriteLogos(p.Dir); err != nil {
		return err
	}
	if err := spec.Write(p.SpecFile()); err != nil {
		return err
	}
	say("kernelspec", p.Dir)
	fmt.Fprintf(w, "\nInstalled. In Jupyter choose \"%s\" for a new notebook, or open one of the "+
		"folder notebooks:\n  %s\n", jupyter.DisplayName, jupyterHint())
	return nil
}

// programs builds the kernel and GoNB, unless what stands there was built from just that.
func programs(
	ctx context.Context, show *build.Shower, say func(name, what string), p jupyter.Place, root string,
) error {
	kernel, gonb, file := p.Bin("metalab-kernel"), p.Bin("gonb"), filepath.Join(p.Dir, "built.json")
	stamp, err := build.Stamp(ctx, root) // before the build: what is changed meanwhile is noticed
	if err != nil {
		return err
	}
	if words, ok := build.Standing(file, stamp, kernel, gonb); ok {
		say("kernel", "is there, built "+words+" from the same sources")
		say("GoNB", "is there, built from the same sources and patches")
		return nil
	}
	words, err := replace(kernel,
		func(path string) (string, error) { return build.Self(ctx, show, root, path) })
	if err != nil {
		return err
	}
	say("kernel", "built "+words)
	done, err := replace(gonb,
		func(path string) (string, error) { return build.Gonb(ctx, show, root, path) })
	if err != nil {
		return err
	}
	say("GoNB", done)
	return build.Note(ctx, file, stamp, words, kernel, gonb)
}

func jupyterHint() string {
	if _, err := exec.LookPath("jupyter"); err == nil {
		return "jupyter notebook"
	}
	return "go run ./kernel exec notebook.ipynb   (there is no jupyter on PATH; go run ./kernel " +
		"doctor tells how to get it)"
}

// replace builds a program beside path and moves it there, so that kernels that run keep
// theirs, and a build that fails leaves the old one.
func replace(path string, build func(path string) (string, error)) (string, error) {
	tmp := path + ".new"
	words, err := build(tmp)
	if err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		os.Remove(tmp)
	}
	return words, err
}

// Uninstall is kernel uninstall.
func Uninstall(_ context.Context, args []string) error {
	fs := flag.NewFlagSet("uninstall", flag.ContinueOnError)
	where := jupyter.PlaceFlags(fs)
	if err := command.Parse(fs, args, 0); err != nil {
		return err
	}
	p, err := where()
	if err != nil {
		return err
	}
	if _, err := os.Stat(p.Dir); errors.Is(err, os.ErrNotExist) {
		fmt.Println("not installed:", p.Dir)
		if all := jupyter.Places(); !jupyter.Named(fs) && len(all) > 0 {
			fmt.Printf("it is in %s: go run ./kernel uninstall -prefix %s\n", all[0].Dir, all[0].Prefix())
		}
		return nil
	}
	if err := os.RemoveAll(p.Dir); err != nil {
		return err
	}
	fmt.Println("removed", p.Dir)
	return nil
}

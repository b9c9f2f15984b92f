package install

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"metalab/kernel/internal/jupyter"
	"metalab/kernel/internal/jupyter/build"
	"metalab/kernel/internal/jupyter/command"
	"metalab/kernel/internal/jupyter/process"
)

// A Finding is what the doctor says of one thing.
type Finding struct {
	Name  string
	State string // ok, missing, optional, or damaged
	What  string
	Fix   string // the command that fixes it; empty when nothing is wrong
}

// Doctor is kernel doctor: it prints what [Examine] finds, and fails where notebooks cannot work.
func Doctor(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("doctor", flag.ContinueOnError)
	where := jupyter.PlaceFlags(fs)
	if err := command.Parse(fs, args, 0); err != nil {
		return err
	}
	p, err := where()
	if err != nil {
		return err
	}
	if !jupyter.Named(fs) {
		p = jupyter.Elsewhere(ctx, p)
	}
	ill := 0
	for _, f := range Examine(ctx, p) {
		fmt.Printf("%-9s %-15s %s\n", f.State, f.Name, f.What)
		if f.Fix != "" {
			fmt.Printf("%-9s %-15s → %s\n", "", "", f.Fix)
		}
		if f.State == "missing" {
			ill++
		}
	}
	if ill > 0 {
		fmt.Printf("\nNotebooks do not work yet: %d of these are missing.\n", ill)
		return command.Told{Err: fmt.Errorf("%d are missing", ill)}
	}
	fmt.Printf("\nNotebooks work: choose \"%s\" in Jupyter, or go run ./kernel exec notebook.ipynb.\n",
		jupyter.DisplayName)
	return nil
}

// Examine looks at everything that a notebook needs.
func Examine(ctx context.Context, p jupyter.Place) []Finding {
	var out []Finding
	installHint := p.InstallHint()
	add := func(ok bool, bad, name, what, fix string) {
		f := Finding{Name: name, State: "ok", What: what}
		if !ok {
			f.State, f.Fix = bad, fix
		}
		out = append(out, f)
	}
	v, err := process.Output(exec.CommandContext(ctx, "go", "version"))
	add(err == nil, "missing", "Go", or(v, "not found: cells are compiled with it"),
		"install Go 1.26 or newer from https://go.dev/dl")
	spec, err := jupyter.ReadSpec(p.SpecFile())
	add(err == nil, "missing", "kernelspec", orErr(p.SpecFile(), err),
		installHint+"; or if it is elsewhere: go run ./kernel doctor -prefix D")
	for _, t := range []build.Tool{
		{Name: "metalab-kernel", What: "opens the session"},
		{Name: "gonb", What: "runs the cells"},
	} {
		ok := build.IsProgram(p.Bin(t.Name))
		add(ok, "missing", t.Name, t.What+": "+orNot(ok, p.Bin(t.Name)), installHint)
	}
	for _, t := range build.Tools {
		bad := "missing"
		if t.Optional {
			bad = "optional"
		}
		ok := build.IsProgram(p.Bin(t.Name))
		add(ok, bad, t.Name, t.What+": "+orNot(ok, p.Bin(t.Name)), installHint)
	}
	if module := spec.Flag("-module"); module != "" {
		_, err := os.Stat(module + "/go.mod")
		add(err == nil, "missing", "module", orErr("cells compile against "+module, err), installHint)
		if err == nil {
			note := build.Edited(module, spec.Flag("-sources"))
			add(note == "", "optional", "host", or(firstClause(note), "built from the sources as they are"),
				installHint)
		}
	}
	j, err := process.Output(exec.CommandContext(ctx, "jupyter", "--version"))
	add(err == nil, "optional", "Jupyter",
		or(versionLine(j), "not found; kernel exec and the prompt work without it"), jupyterInstall())
	if err == nil && spec.Argv != nil {
		out = append(out, launcher(ctx, p))
	}
	if err == nil {
		out = append(out, widgetsOfJupyter(ctx))
	}
	ok := build.CompilerWorks(ctx)
	add(ok, "optional", "gcc", "for the layer of NVIDIA GPUs: "+orNot(ok, "found"),
		"apt install gcc, then "+installHint)
	out = append(out, gpuOfKernel(ctx, p))
	if f, ok := experimentsOf(ctx); ok {
		out = append(out, f)
	}
	return out
}

// launcher says whether Jupyter offers the kernel at p.
func launcher(ctx context.Context, p jupyter.Place) Finding {
	f := Finding{
		Name: "launcher", State: "optional",
		Fix: "go run ./kernel install   (without -prefix), or set JUPYTER_PATH to the share/jupyter " +
			"above it",
	}
	switch seen, err := jupyter.Offered(ctx); {
	case err != nil:
		f.What = fmt.Sprintf(
			"whether Jupyter offers it is not known, for it does not list its kernels: %v", err)
		f.Fix = "jupyter kernelspec list   (says why; it is a part of jupyter_client)"
	case seen == "":
		f.What = "Jupyter does not look into " + p.Dir
	case !samePath(seen, p.Dir):
		f.What = "Jupyter takes the kernel of " + seen
	default:
		f.State, f.What, f.Fix = "ok", "Jupyter offers it", ""
	}
	return f
}

// samePath reports whether two paths lead to the same folder.
func samePath(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// firstClause is what stands before the first colon.
func firstClause(s string) string {
	s, _, _ = strings.Cut(s, ":")
	return s
}

func jupyterInstall() string {
	if runtime.GOOS == "darwin" {
		return "brew install jupyterlab"
	}
	return "apt install jupyter-notebook   (or: pip install notebook)"
}

// versionLine is the line of jupyter --version that says most.
func versionLine(s string) string {
	for line := range strings.Lines(s) {
		if strings.Contains(line, "notebook") && !strings.Contains(line, "not installed") {
			return strings.Join(strings.Fields(line), " ")
		}
	}
	return strings.Join(strings.Fields(s[:min(len(s), 60)]), " ")
}

func or(s, other string) string {
	if s != "" {
		return s
	}
	return other
}

func orErr(s string, err error) string {
	if err != nil {
		return err.Error()
	}
	return s
}

func orNot(ok bool, s string) string {
	if ok {
		return s
	}
	return "not found"
}

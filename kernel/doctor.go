package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"metalab/gpu"
)

// A finding is what the doctor says of one thing.
type finding struct {
	name  string
	state string // ok, missing or optional
	what  string
	fix   string // the command that fixes it; empty when nothing is wrong
}

func doctorCommand(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("doctor", flag.ContinueOnError)
	where := placeFlags(fs)
	if err := parse(fs, args, 0); err != nil {
		return err
	}
	p, err := where()
	if err != nil {
		return err
	}
	if !named(fs) {
		p = elsewhere(ctx, p)
	}
	ill := 0
	for _, f := range examine(ctx, p) {
		fmt.Printf("%-9s %-15s %s\n", f.state, f.name, f.what)
		if f.fix != "" {
			fmt.Printf("%-9s %-15s → %s\n", "", "", f.fix)
		}
		if f.state == "missing" {
			ill++
		}
	}
	if ill > 0 {
		fmt.Printf("\nNotebooks do not work yet: %d of these are missing.\n", ill)
		return toldError{fmt.Errorf("%d are missing", ill)}
	}
	fmt.Printf("\nNotebooks work: choose \"%s\" in Jupyter, or go run ./kernel exec notebook.ipynb.\n",
		displayName)
	return nil
}

// installHint is the command that installs at p.
func (p place) installHint() string {
	at := ""
	if prefix := p.prefix(); prefix != "" && !p.ofUser() {
		at = " -prefix " + prefix
	}
	return "go run ./kernel install" + at + "   (in the folder of metalab)"
}

// examine looks at everything that a notebook needs.
func examine(ctx context.Context, p place) []finding {
	var out []finding
	installHint := p.installHint()
	add := func(ok bool, bad, name, what, fix string) {
		f := finding{name: name, state: "ok", what: what}
		if !ok {
			f.state, f.fix = bad, fix
		}
		out = append(out, f)
	}
	v, err := output(exec.CommandContext(ctx, "go", "version"))
	add(err == nil, "missing", "Go", or(v, "not found: cells are compiled with it"),
		"install Go 1.26 or newer from https://go.dev/dl")
	spec, err := readSpec(p.spec())
	add(err == nil, "missing", "kernelspec", orErr(p.spec(), err),
		installHint+"; or if it is elsewhere: go run ./kernel doctor -prefix D")
	for _, t := range []tool{
		{name: "metalab-kernel", what: "opens the session"},
		{name: "gonb", what: "runs the cells"},
	} {
		ok := isProgram(p.bin(t.name))
		add(ok, "missing", t.name, t.what+": "+orNot(ok, p.bin(t.name)), installHint)
	}
	for _, t := range tools {
		bad := "missing"
		if t.optional {
			bad = "optional"
		}
		ok := isProgram(p.bin(t.name))
		add(ok, bad, t.name, t.what+": "+orNot(ok, p.bin(t.name)), installHint)
	}
	if module := spec.flag("-module"); module != "" {
		_, err := os.Stat(module + "/go.mod")
		add(err == nil, "missing", "module", orErr("cells compile against "+module, err), installHint)
		if err == nil {
			note := edited(module, spec.flag("-sources"))
			add(note == "", "optional", "host", or(firstClause(note), "built from the sources as they are"),
				installHint)
		}
	}
	j, err := output(exec.CommandContext(ctx, "jupyter", "--version"))
	add(err == nil, "optional", "Jupyter",
		or(versionLine(j), "not found; kernel exec and the prompt work without it"), jupyterInstall())
	if err == nil && spec.Argv != nil {
		out = append(out, launcher(ctx, p))
	}
	if err == nil {
		out = append(out, widgetsOfJupyter(ctx))
	}
	ok := compilerWorks(ctx)
	add(ok, "optional", "gcc", "for the layer of NVIDIA GPUs: "+orNot(ok, "found"),
		"apt install gcc, then "+installHint)
	return append(out, gpuOfKernel(ctx, p))
}

// gpuOfKernel says what the kernel at p can compute on. That program is asked, for this one
// may have been built otherwise: go run builds it without the layer of GPUs.
func gpuOfKernel(ctx context.Context, p place) finding {
	words, err := output(exec.CommandContext(ctx, p.bin("metalab-kernel"), "gpu"))
	if err != nil {
		return finding{
			name: "GPU", state: "optional",
			what: "the kernel looks for it when it is installed", fix: p.installHint(),
		}
	}
	f := finding{name: "GPU", state: "ok", what: words}
	if strings.HasSuffix(words, cpuInstead) {
		f.state = "optional"
	}
	return f
}

// cpuInstead ends what is said of GPUs where there is none to be used.
const cpuInstead = "; runs use the CPU"

// gpuWords says what this program can compute on beside the CPU.
func gpuWords() string {
	if err := gpu.Available(); err != nil {
		return lastLine(err.Error()) + cpuInstead
	}
	ds, err := gpu.Devices()
	if err != nil || len(ds) == 0 {
		return "the driver is there, but no device" + cpuInstead
	}
	return fmt.Sprintf("%d found", len(ds))
}

func gpuCommand(context.Context, []string) error {
	fmt.Println(gpuWords())
	return nil
}

// kernelsOfJupyter asks Jupyter from which folder it takes the kernel; empty when it does not
// know it.
func kernelsOfJupyter(ctx context.Context) (dir string, err error) {
	b, err := output(exec.CommandContext(ctx, "jupyter", "kernelspec", "list", "--json"))
	if err != nil {
		return "", err
	}
	if at := strings.IndexByte(b, '{'); at > 0 { // after what an extension has printed
		b = b[at:]
	}
	var list struct {
		Specs map[string]struct {
			Dir string `json:"resource_dir"`
		} `json:"kernelspecs"`
	}
	if err := json.Unmarshal([]byte(b), &list); err != nil {
		return "", fmt.Errorf("jupyter kernelspec list --json answers no JSON: %w", err)
	}
	return list.Specs[kernelName].Dir, nil
}

// launcher says whether Jupyter offers the kernel at p.
func launcher(ctx context.Context, p place) finding {
	f := finding{
		name: "launcher", state: "optional",
		fix: "go run ./kernel install   (without -prefix), or set JUPYTER_PATH to the share/jupyter " +
			"above it",
	}
	switch seen, err := kernelsOfJupyter(ctx); {
	case err != nil:
		f.what = fmt.Sprintf(
			"whether Jupyter offers it is not known, for it does not list its kernels: %v", err)
		f.fix = "jupyter kernelspec list   (says why; it is a part of jupyter_client)"
	case seen == "":
		f.what = "Jupyter does not look into " + p.dir
	case !samePath(seen, p.dir):
		f.what = "Jupyter takes the kernel of " + seen
	default:
		f.state, f.what, f.fix = "ok", "Jupyter offers it", ""
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

// flag is the value of a flag in the kernelspec's command.
func (s kernelSpec) flag(name string) string {
	for i, a := range s.Argv[:max(len(s.Argv)-1, 0)] {
		if a == name {
			return s.Argv[i+1]
		}
	}
	return ""
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

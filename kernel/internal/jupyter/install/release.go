package install

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"metalab/kernel/guest"
	"metalab/kernel/internal/jupyter"
	"metalab/kernel/internal/jupyter/command"
	"metalab/kernel/internal/jupyter/process"
	"metalab/kernel/internal/share"
	"metalab/solvers/record"
)

// SpecOf describes the kernel of a release, which program is.
func SpecOf(program string) jupyter.Spec {
	return jupyter.Spec{
		Argv: []string{program, "kernel", "{connection_file}"}, DisplayName: "metalab",
		Language: "go", InterruptMode: "message", Env: map[string]string{},
		Metadata: map[string]any{"debugger": false},
	}
}

// ofRelease reports whether a kernelspec is of a release's kernel.
func ofRelease(s jupyter.Spec) bool { return len(s.Argv) == 3 && s.Argv[1] == "kernel" }

// Release is metalab install: it tells Jupyters of the kernel that this program is, by its path.
// That of its own environment knows it already.
func Release(_ context.Context, args []string) error {
	fs := flag.NewFlagSet("install", flag.ContinueOnError)
	where := jupyter.PlaceFlags(fs)
	force := fs.Bool("force", false, "put it in the place of a kernel metalab of another program")
	if err := command.Parse(fs, args, 0); err != nil {
		return err
	}
	p, err := where()
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if strings.Contains(self, "go-build") {
		return errors.New("this program is gone when go run has ended: build it, or install a release; " +
			"go run ./kernel install is for clones")
	}
	return describe(p, self, *force)
}

// describe writes the kernelspec of a release's program at p.
func describe(p jupyter.Place, program string, force bool) error {
	old, err := jupyter.ReadSpec(p.SpecFile())
	switch {
	case errors.Is(err, os.ErrNotExist):
	case err != nil && !force:
		return fmt.Errorf("%s is no kernelspec (%w): -force replaces it", p.SpecFile(), err)
	case !force && !ofRelease(old):
		return fmt.Errorf("in %s is the kernel that compiles cells: go run ./kernel uninstall takes it "+
			"out, -force puts this one in its place", p.Dir)
	case !force && old.Argv[0] != program:
		return fmt.Errorf("in %s is the kernel of %s: -force puts that of %s in its place", p.Dir,
			old.Argv[0], program)
	}
	if err := os.MkdirAll(p.Dir, 0o755); err != nil {
		return err
	}
	if err := SpecOf(program).Write(p.SpecFile()); err != nil {
		return err
	}
	if err := jupyter.WriteLogos(p.Dir); err != nil {
		return err
	}
	fmt.Printf("Jupyter offers \"metalab\", the kernel of %s: %s describes it, and jupyter "+
		"kernelspec remove metalab takes it out\n", program, p.SpecFile())
	return nil
}

// ReleaseDoctor is metalab doctor: it prints what is there, what is missing and what mends it, and
// fails where something that was there is damaged.
func ReleaseDoctor(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("doctor", flag.ContinueOnError)
	if err := command.Parse(fs, args, 0); err != nil {
		return err
	}
	damaged := 0
	for _, f := range examineRelease(ctx) {
		fmt.Printf("%-9s %-15s %s\n", f.State, f.Name, f.What)
		if f.Fix != "" {
			fmt.Printf("%-9s %-15s → %s\n", "", "", f.Fix)
		}
		if f.State == "damaged" {
			damaged++
		}
	}
	if damaged > 0 {
		return command.Told{Err: fmt.Errorf("%d are damaged", damaged)}
	}
	return nil
}

func examineRelease(ctx context.Context) (all []Finding) {
	self, err := os.Executable()
	all = append(all, Finding{
		Name: "program", State: "ok", What: orErr(record.Made().String()+", "+self, err),
	})
	engine := Finding{Name: "pages", State: "ok", What: "the engine is " + share.Engine()}
	if share.Engine() == "" {
		engine.State = "optional"
		engine.What = "there is no engine beside the program: export a.html compiles one, with Go"
	}
	all = append(all, engine, ownCode(ctx), offeredRelease(ctx, self))
	if words := gpuWords(); strings.HasSuffix(words, cpuInstead) {
		all = append(all, Finding{
			Name: "GPU", State: "optional", What: words, Fix: "metalab -c devices   (says more)",
		})
	} else {
		all = append(all, Finding{Name: "GPU", State: "ok", What: words})
	}
	if f, ok := experimentsOf(ctx); ok {
		all = append(all, f)
	}
	return all
}

// ownCode says whether solvers of one's own can be compiled.
func ownCode(ctx context.Context) Finding {
	f := Finding{Name: "own solvers", State: "optional"}
	root, err := share.Source()
	if err != nil {
		f.What = "they are compiled with " + err.Error()
		return f
	}
	switch err := guest.Toolchain(ctx, root); {
	case err != nil:
		f.What = err.Error()
	default:
		v, _ := process.Output(exec.CommandContext(ctx, "go", "version"))
		f.State = "ok"
		f.What = v + " compiles them with " + root
	}
	return f
}

// offeredRelease says whether a Jupyter on PATH offers the kernel that this program is.
func offeredRelease(ctx context.Context, self string) Finding {
	f := Finding{Name: "notebooks", State: "optional", Fix: "metalab install"}
	dir, err := jupyter.Offered(ctx)
	switch {
	case errors.Is(err, exec.ErrNotFound):
		f.What = "there is no jupyter on PATH; editors that have their own need the line below"
		return f
	case err != nil:
		f.What = fmt.Sprintf("jupyter does not list its kernels: %v", err)
		return f
	case dir == "":
		f.What = "the jupyter on PATH does not know the kernel: it is of another environment"
		return f
	}
	s, err := jupyter.ReadSpec(filepath.Join(dir, "kernel.json"))
	if err != nil || !ofRelease(s) {
		f.What = "jupyter offers the kernel of " + dir + ", which is not this program's"
		f.Fix = "metalab install -force   (puts this one in its place)"
		return f
	}
	program := strings.ReplaceAll(s.Argv[0], "{resource_dir}", dir)
	if !samePath(program, self) {
		f.What = "jupyter offers the kernel of " + filepath.Clean(program)
		f.Fix = "metalab install -force   (puts this one in its place)"
		return f
	}
	return Finding{Name: "notebooks", State: "ok", What: "jupyter offers \"metalab\", from " + dir}
}

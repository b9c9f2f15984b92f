package jupyter

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"metalab/kernel/host"
	"metalab/kernel/internal/jupyter/process"
)

// mostPlaces is how many places are remembered.
const mostPlaces = 20

// placesFile is the file in which install records the places from -prefix, a folder per line, the
// latest last.
func placesFile() string { return filepath.Join(host.DefaultStateDir(), "kernels") }

// Places returns the places of -prefix that still have a kernel, the latest first.
func Places() []Place {
	b, err := os.ReadFile(placesFile())
	if err != nil {
		return nil
	}
	var out []Place
	for dir := range strings.Lines(string(b)) {
		if p := (Place{strings.TrimSuffix(dir, "\n")}); filepath.IsAbs(p.Dir) && p.installed() {
			out = append(out, p)
		}
	}
	slices.Reverse(out)
	return out
}

// Remember records that p has a kernel.
func Remember(p Place) error {
	all := slices.DeleteFunc(Places(), func(o Place) bool { return o == p })
	all = append([]Place{p}, all[:min(len(all), mostPlaces-1)]...)
	text := ""
	for _, o := range all {
		text = o.Dir + "\n" + text
	}
	if err := os.MkdirAll(filepath.Dir(placesFile()), 0o700); err != nil {
		return err
	}
	return os.WriteFile(placesFile(), []byte(text), 0o600)
}

func (p Place) installed() bool {
	_, err := os.Stat(p.SpecFile())
	return err == nil
}

// Prefix is the folder that -prefix names to come to p; empty where none does.
func (p Place) Prefix() string {
	prefix, ok := strings.CutSuffix(p.Dir, filepath.Join(string(filepath.Separator), "share",
		"jupyter", "kernels", KernelName))
	if !ok {
		return ""
	}
	return prefix
}

// OfUser reports whether p is the user's place.
func (p Place) OfUser() bool {
	d, err := userData()
	return err == nil && p.Dir == filepath.Join(d, "kernels", KernelName)
}

// Named reports whether the flags say where.
func Named(fs *flag.FlagSet) bool {
	is := false
	fs.Visit(func(f *flag.Flag) { is = is || f.Name == "user" || f.Name == "prefix" })
	return is
}

// Elsewhere is where the kernel is when it is not at p, the user's place: where install -prefix
// put it last, or from where Jupyter takes it. It is p when it is nowhere.
func Elsewhere(ctx context.Context, p Place) Place {
	if p.installed() {
		return p
	}
	if all := Places(); len(all) > 0 {
		return all[0]
	}
	if dir, err := Offered(ctx); err == nil && dir != "" {
		return Place{dir}
	}
	return p
}

// Offered asks Jupyter from which folder it takes the kernel; empty when it does not
// know it.
func Offered(ctx context.Context) (dir string, err error) {
	b, err := process.Output(exec.CommandContext(ctx, "jupyter", "kernelspec", "list", "--json"))
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
	return list.Specs[KernelName].Dir, nil
}

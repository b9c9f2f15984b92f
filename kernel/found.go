package main

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"metalab/kernel/host"
)

// mostPlaces is how many places are remembered.
const mostPlaces = 20

// placesFile is where install notes the places that it was told by -prefix, a folder a line,
// the latest last.
func placesFile() string { return filepath.Join(host.DefaultStateDir(), "kernels") }

// places are those where a kernel was put by -prefix and still is, the latest first.
func places() []place {
	b, err := os.ReadFile(placesFile())
	if err != nil {
		return nil
	}
	var out []place
	for dir := range strings.Lines(string(b)) {
		if p := (place{strings.TrimSuffix(dir, "\n")}); filepath.IsAbs(p.dir) && p.installed() {
			out = append(out, p)
		}
	}
	slices.Reverse(out)
	return out
}

// remember notes that a kernel was put into p.
func remember(p place) error {
	all := slices.DeleteFunc(places(), func(o place) bool { return o == p })
	all = append([]place{p}, all[:min(len(all), mostPlaces-1)]...)
	text := ""
	for _, o := range all {
		text = o.dir + "\n" + text
	}
	if err := os.MkdirAll(filepath.Dir(placesFile()), 0o700); err != nil {
		return err
	}
	return os.WriteFile(placesFile(), []byte(text), 0o600)
}

func (p place) installed() bool {
	_, err := os.Stat(p.spec())
	return err == nil
}

// prefix is the folder that -prefix names to come to p; empty where none does.
func (p place) prefix() string {
	prefix, ok := strings.CutSuffix(p.dir, filepath.Join(string(filepath.Separator), "share",
		"jupyter", "kernels", kernelName))
	if !ok {
		return ""
	}
	return prefix
}

// ofUser reports whether p is the user's place.
func (p place) ofUser() bool {
	d, err := userData()
	return err == nil && p.dir == filepath.Join(d, "kernels", kernelName)
}

// named reports whether the flags say where.
func named(fs *flag.FlagSet) bool {
	is := false
	fs.Visit(func(f *flag.Flag) { is = is || f.Name == "user" || f.Name == "prefix" })
	return is
}

// elsewhere is where the kernel is when it is not at p, the user's place: where install -prefix
// put it last, or from where Jupyter takes it. It is p when it is nowhere.
func elsewhere(ctx context.Context, p place) place {
	if p.installed() {
		return p
	}
	if all := places(); len(all) > 0 {
		return all[0]
	}
	if dir, err := kernelsOfJupyter(ctx); err == nil && dir != "" {
		return place{dir}
	}
	return p
}

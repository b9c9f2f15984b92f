package jupyter

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// KernelName is the kernel's name among Jupyter's kernels.
const KernelName = "metalab"

// DisplayName is what the launcher shows.
const DisplayName = "metalab (Go)"

// A Place is where the kernel is installed: the folder of its kernelspec, which holds all
// that install writes.
type Place struct{ Dir string }

func (p Place) SpecFile() string       { return filepath.Join(p.Dir, "kernel.json") }
func (p Place) Bin(name string) string { return filepath.Join(p.Dir, "bin", name) }
func (p Place) Module() string         { return filepath.Join(p.Dir, "module") }

// Under is where -prefix puts the kernel.
func Under(prefix string) Place {
	return Place{filepath.Join(prefix, "share", "jupyter", "kernels", KernelName)}
}

// PlaceFlags adds the flags that say where; call the result after parsing.
func PlaceFlags(fs *flag.FlagSet) func() (Place, error) {
	user := fs.Bool("user", false, "for this user only (the default)")
	prefix := fs.String("prefix", "",
		"for the Jupyter that is installed under this `folder`, as /usr/local or a virtual environment")
	return func() (Place, error) {
		if *user && *prefix != "" {
			return Place{}, errors.New("-user and -prefix exclude each other")
		}
		if *prefix != "" {
			p, err := filepath.Abs(*prefix)
			if err != nil {
				return Place{}, err
			}
			return Under(p), nil
		}
		d, err := userData()
		if err != nil {
			return Place{}, err
		}
		return Place{filepath.Join(d, "kernels", KernelName)}, nil
	}
}

// userData is Jupyter's folder of the user's data, by Jupyter's own rules.
func userData() (string, error) {
	if d := os.Getenv("JUPYTER_DATA_DIR"); d != "" {
		return filepath.Abs(d)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("%w; name a folder: -prefix D", err)
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library", "Jupyter"), nil
	}
	if d := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(d) {
		return filepath.Join(d, "jupyter"), nil
	}
	return filepath.Join(home, ".local", "share", "jupyter"), nil
}

// LinkedModule is that folder of the kernel that this program is of, else root itself.
func LinkedModule(root string) string {
	exe, err := os.Executable()
	if err != nil {
		return root
	}
	dir := Place{filepath.Dir(filepath.Dir(exe))}.Module()
	if to, err := os.Readlink(filepath.Join(dir, "go.mod")); err == nil && filepath.Dir(to) == root {
		return dir
	}
	return root
}

// InstallHint is the command that installs at p.
func (p Place) InstallHint() string {
	at := ""
	if prefix := p.Prefix(); prefix != "" && !p.OfUser() {
		at = " -prefix " + prefix
	}
	return "go run ./kernel install" + at + "   (in the folder of metalab)"
}

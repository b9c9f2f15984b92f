package guest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	goversion "go/version"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"metalab/kernel/internal/share"
)

// Build compiles a Go file with metalab's packages; out is the compiler's output.
func Build(ctx context.Context, file, program string) (out string, err error) {
	return build(ctx, []string{file}, program, false)
}

func build(
	ctx context.Context, files []string, program string, gpu bool,
) (out string, err error) {
	root, err := SourceRoot()
	if err == nil {
		root, err = filepath.Abs(root)
	}
	if err != nil {
		return "", fmt.Errorf("a solver is compiled with %w", err)
	}
	args := []string{"build", "-buildvcs=false", "-ldflags=-s -w", "-o", program}
	if gpu {
		args = append(args, "-tags", "cuda")
	}
	env := os.Environ()
	_, err = os.Stat(filepath.Join(root, "vendor", "modules.txt"))
	if err == nil { // a release has all that is compiled, whatever the user's settings of Go are
		args = append(args, "-mod=vendor")
		env = append(env, "GOWORK=off", "GOFLAGS=", "GOPROXY=off")
	}
	cmd := exec.CommandContext(ctx, "go", append(args, files...)...)
	cmd.Dir = root
	if gpu {
		include := filepath.Join(root, "gpu", "internal", "driver", "include")
		env = append(env, "CGO_ENABLED=1",
			"CGO_CFLAGS=-I"+include+" "+cmp.Or(os.Getenv("CGO_CFLAGS"), "-O2 -g"))
	}
	cmd.Env = env
	b, err := cmd.CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) {
		return "", ErrNoGo
	}
	if err != nil && ctx.Err() == nil {
		if old := tooOld(ctx, root); old != nil {
			return "", old
		}
	}
	return string(b), err
}

// tooOld returns an error if the Go of this machine is older than the source in root wants, which
// it cannot compile where it cannot fetch a newer one.
func tooOld(ctx context.Context, root string) error {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil
	}
	path, err := exec.LookPath("go")
	if err != nil {
		return nil
	}
	want := ""
	for line := range strings.Lines(string(mod)) {
		if v, ok := strings.CutPrefix(line, "go "); ok {
			want = "go" + strings.TrimSpace(v)
		}
	}
	cmd := exec.CommandContext(ctx, path, "version")
	cmd.Dir, cmd.Env = os.TempDir(), append(os.Environ(), "GOTOOLCHAIN=local", "GOFLAGS=")
	b, err := cmd.Output()
	words := strings.Fields(string(b)) // go version go1.26.1 linux/amd64
	if err != nil || len(words) < 3 || !goversion.IsValid(words[2]) ||
		goversion.Compare(words[2], want) >= 0 {
		return nil
	}
	return fmt.Errorf("a solver is compiled with %s or newer, and %s is %s: go.dev/dl has a newer one",
		want, path, words[2])
}

// Toolchain returns an error where there is no Go that could compile the source in root.
func Toolchain(ctx context.Context, root string) error {
	if _, err := exec.LookPath("go"); err != nil {
		return ErrNoGo
	}
	return tooOld(ctx, root)
}

// ErrNoGo is the error of a solver that cannot be compiled here.
var ErrNoGo = errors.New("a solver is compiled, and there is no Go here: install it from go.dev/dl")

// SourceRoot is the folder of metalab's source that fits this program; see package share.
func SourceRoot() (string, error) { return share.Source() }

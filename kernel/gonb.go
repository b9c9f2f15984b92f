package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"metalab/kernel/lab"
)

// gonbModule is GoNB, at the version of metalab's go.mod.
const gonbModule = "github.com/janpfeifer/gonb"

// saidFile is, within GONB_TMP_DIR, the file into which a cell writes in words how it failed.
const saidFile = "metalab-error"

// gonbChanges are what is changed in GoNB where it is built. As it comes, a cell that fails
// shows what it printed, then "exit status 1", and then that again as its error, and nbconvert
// tells nothing but "exit status 1". With these, what package lab said becomes the error.
var gonbChanges = []struct{ file, old, text string }{
	{
		"internal/jpyexec/jpyexec.go",
		"\texec.cmd = cmd\n",
		"\texec.cmd = cmd\n" +
			"\tsaid := os.Getenv(\"GONB_TMP_DIR\") + \"/" + saidFile + "\"\n" +
			"\t_ = os.Remove(said)\n" +
			"\t_ = os.Setenv(\"" + lab.EnvSaid + "\", said)\n",
	},
	{
		"internal/jpyexec/jpyexec.go",
		"\texec.exitError = cmd.Wait()\n\tif exec.exitError != nil {\n",
		"\texec.exitError = cmd.Wait()\n" +
			"\tif text, err := os.ReadFile(said); err == nil && exec.exitError != nil {\n" +
			"\t\texec.exitError = errors.New(string(text))\n" +
			"\t} else if exec.exitError != nil {\n",
	},
}

// buildGonb builds GoNB at the version of metalab's go.mod, with gonbChanges where they fit
// that version, else as it comes. It returns in words which.
func buildGonb(ctx context.Context, root, path string) (string, error) {
	dir, err := os.MkdirTemp("", "metalab-gonb-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	cmd := exec.CommandContext(ctx, "go", "build", "-o", path, gonbModule)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	words := "built"
	if modfile, err := changedGonb(ctx, root, dir); err == nil {
		cmd.Args = append(cmd.Args[:2:2], "-modfile="+modfile, "-o", path, gonbModule)
	} else {
		words = fmt.Sprintf("built as it comes, so a cell that fails also says exit status 1 (%v)", err)
	}
	if _, err := output(cmd); err != nil {
		return "", fmt.Errorf("building GoNB: %w", err)
	}
	return words, nil
}

// changedGonb puts GoNB's source into a folder, changes it there, and returns the path of a
// go.mod like that in root which takes it from there.
func changedGonb(ctx context.Context, root, dir string) (modfile string, err error) {
	list := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", gonbModule)
	list.Dir = root
	list.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	from, err := output(list)
	if err == nil && from == "" { // not downloaded yet
		get := exec.CommandContext(ctx, "go", "mod", "download", gonbModule)
		get.Dir, get.Env = root, list.Env
		if _, err = output(get); err == nil {
			again := exec.CommandContext(ctx, list.Path, list.Args[1:]...)
			again.Dir, again.Env = root, list.Env
			from, err = output(again)
		}
	}
	if err != nil {
		return "", fmt.Errorf("its source is not found: %w", err)
	}
	to := filepath.Join(dir, "gonb")
	if err := copyGo(from, to); err != nil {
		return "", err
	}
	for _, c := range gonbChanges {
		name := filepath.Join(to, filepath.FromSlash(c.file))
		b, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		if strings.Count(string(b), c.old) != 1 {
			return "", fmt.Errorf("another version of %s", c.file)
		}
		if err := os.WriteFile(name, []byte(strings.Replace(string(b), c.old, c.text, 1)), 0o600); err != nil {
			return "", err
		}
	}
	modfile = filepath.Join(dir, "go.mod")
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return "", err
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		return "", err
	}
	mod = append(mod, "\nreplace "+gonbModule+" => "+quotePath(to)+"\n"...)
	return modfile, errors.Join(os.WriteFile(modfile, mod, 0o600), os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o600))
}

// copyGo copies what a build of a module reads.
func copyGo(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if rel == "docs" || rel == "examples" { // videos, mostly
			return filepath.SkipDir
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o700)
		}
		if strings.HasSuffix(rel, "_test.go") || !d.Type().IsRegular() {
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), b, 0o600)
	})
}

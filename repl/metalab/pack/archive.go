package main

import (
	"archive/tar"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// writeArchive writes a .tar.zst with one folder in it.
func (r *release) writeArchive(to string, files []file) error {
	top := strings.TrimSuffix(filepath.Base(to), ".tar.zst")
	return write(to, func(w io.Writer) error {
		z, err := zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedBestCompression),
			zstd.WithEncoderConcurrency(1))
		if err != nil {
			return err
		}
		t := tar.NewWriter(z)
		made := map[string]bool{}
		var folder func(name string) error
		folder = func(name string) error {
			if name == "." || made[name] {
				return nil
			}
			if err := folder(path.Dir(name)); err != nil {
				return err
			}
			made[name] = true
			return t.WriteHeader(&tar.Header{
				Typeflag: tar.TypeDir, Name: name + "/", Mode: 0o755, ModTime: r.when, Format: tar.FormatPAX,
			})
		}
		for _, f := range files {
			name := path.Join(top, f.path)
			if err := folder(path.Dir(name)); err != nil {
				return err
			}
			err := t.WriteHeader(&tar.Header{
				Typeflag: tar.TypeReg, Name: name, Mode: int64(f.mode), Size: int64(len(f.data)),
				ModTime: r.when, Format: tar.FormatPAX,
			})
			if err == nil {
				_, err = t.Write(f.data)
			}
			if err != nil {
				return err
			}
		}
		if err := t.Close(); err != nil {
			return err
		}
		return z.Close()
	})
}

// control is what Debian knows of the package.
const control = `Package: metalab
Version: %s
Architecture: %s
Maintainer: The metalab maintainers <metalab@localhost>
Section: science
Priority: optional
Installed-Size: %d
%sSuggests: jupyter-notebook, golang-go
Description: laboratory for metaheuristics
 Searches on published benchmark instances that can be stepped, tuned while they
 run, forked, compared by statistics, and kept in records that replay bit for
 bit; at a prompt and in notebooks.
`

// writeDebian writes a package of Debian.
func (r *release) writeDebian(ctx context.Context, to string, t *target, files []file) error {
	if t.debian == "" {
		return errNotHere
	}
	tool, err := exec.LookPath("dpkg-deb")
	if err != nil {
		fmt.Println("no package of Debian: there is no dpkg-deb here")
		return errNotHere
	}
	dir, err := os.MkdirTemp("", "metalab-deb-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	size := 0
	all := make([]file, 0, len(files)+1)
	for _, f := range files {
		size += len(f.data)
		all = append(all, file{"usr/" + f.path, f.mode, f.data})
		if f.path == "share/doc/metalab/LICENSE" {
			all = append(all, file{"usr/share/doc/metalab/copyright", 0o644, f.data})
		}
	}
	needs := ""
	if t.cuda {
		_, v, _ := strings.Cut(t.wheel, "manylinux_")
		major, minor, _ := strings.Cut(v, "_")
		minor, _, _ = strings.Cut(minor, "_")
		needs = "Depends: libc6 (>= " + major + "." + minor + ")\n"
	}
	about := fmt.Appendf(nil, control, r.version, t.debian, size/1024+1, needs)
	all = append(all, file{"DEBIAN/control", 0o644, about})
	if err := writeTree(dir, all); err != nil {
		return err
	}
	_, err = output(ctx, "", []string{fmt.Sprint("SOURCE_DATE_EPOCH=", r.when.Unix())}, tool,
		"--root-owner-group", "-Zgzip", "-z6", "--build", dir, to)
	return err
}

// writeTree writes files below a folder.
func writeTree(dir string, files []file) error {
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f.path))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, f.data, f.mode); err != nil {
			return err
		}
		if err := os.Chmod(name, f.mode); err != nil { // whatever the umask is
			return err
		}
	}
	return nil
}

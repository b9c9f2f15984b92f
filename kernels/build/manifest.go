package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// entry says from what an image was made.
type entry struct {
	Source  string   `json:"source"`        // the .cu file, relative to the repository
	Files   []string `json:"files"`         // it and all it includes, for the reader
	Sources string   `json:"source_sha256"` // of these and the options
	Image   string   `json:"image_sha256"`
	Options string   `json:"options"`
	Nvcc    string   `json:"nvcc"` // the compiler's version
}

// manifest is images/manifest.json: image names and what they were made from.
type manifest map[string]entry

// imageOf returns where the image of a source belongs.
func imageOf(source string) string {
	return path.Join(path.Dir(source), "images", strings.TrimSuffix(path.Base(source), ".cu")+".fatbin")
}

func readManifest(root, dir string) (manifest, error) {
	m := manifest{}
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(dir), "manifest.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("%s/manifest.json: %w", dir, err)
	}
	return m, nil
}

func (m manifest) write(root, dir string) error {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, filepath.FromSlash(dir), "manifest.json"), append(text, '\n'), 0o644)
}

func shaOf(file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	s := sha256.Sum256(text)
	return hex.EncodeToString(s[:]), nil
}

// check returns a sentence for every image that is missing, stale, damaged or without a
// source; none if all is well.
func check(root string) (faults []string, err error) {
	list, err := sources(root)
	if err != nil {
		return nil, err
	}
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	wanted := map[string]bool{} // images, and the folders they lie in
	for _, src := range list {
		img := imageOf(src)
		dir := path.Dir(img)
		wanted[img], wanted[dir] = true, true
		m, err := readManifest(root, dir)
		if err != nil {
			return nil, err
		}
		e, ok := m[path.Base(img)]
		if !ok {
			fault("%s: %s was never compiled", src, img)
			continue
		}
		now, err := sum(root, src)
		if err != nil {
			return nil, err
		}
		if e.Sources != now {
			fault("%s, a header it includes or the compiler's options changed, and %s did not", src, img)
		}
		got, err := shaOf(filepath.Join(root, filepath.FromSlash(img)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			fault("%s: %s is missing", src, img)
		case err != nil:
			return nil, err
		case got != e.Image:
			fault("%s is not the image that its manifest describes", img)
		}
	}
	orphans, err := filepath.Glob(filepath.Join(root, "kernels", "*", "images", "*.fatbin"))
	if err != nil {
		return nil, err
	}
	for _, o := range orphans {
		rel, err := filepath.Rel(root, o)
		if err != nil {
			return nil, err
		}
		if !wanted[filepath.ToSlash(rel)] {
			fault("%s has no source", filepath.ToSlash(rel))
		}
	}
	slices.Sort(faults)
	return faults, nil
}

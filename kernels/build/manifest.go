package main

import (
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

// An entry describes the source of an image.
type entry struct {
	Source  string   `json:"source"`        // the .cu file, relative to the repository
	Files   []string `json:"files"`         // it and all it includes, for the reader
	Sources string   `json:"source_sha256"` // of these and the options
	Image   string   `json:"image_sha256"`  // unpacked
	Options string   `json:"options"`
	Nvcc    string   `json:"nvcc"` // the compiler's version
}

// manifest is the content of images/manifest.json: names of unpacked images, NAME.fatbin, and their
// entries.
type manifest map[string]entry

// imageOf returns where the image of a source belongs, without the ending of what is packed.
func imageOf(source string) string {
	return path.Join(
		path.Dir(source), "images", strings.TrimSuffix(path.Base(source), ".cu")+".fatbin",
	)
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
	return os.WriteFile(
		filepath.Join(root, filepath.FromSlash(dir), "manifest.json"), append(text, '\n'), 0o644,
	)
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
			fault("%s: %s was never compiled", src, img+packed)
			continue
		}
		now, err := sum(root, src)
		if err != nil {
			return nil, err
		}
		if e.Sources != now {
			fault(
				"%s, a header it includes or the compiler's options changed, and %s did not", src, img+packed,
			)
		}
		image, err := readImage(filepath.Join(root, filepath.FromSlash(img+packed)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			fault("%s: %s is missing", src, img+packed)
		case errors.Is(err, errDamaged):
			fault("%s: %v", img+packed, err)
		case err != nil:
			return nil, err
		case shaOf(image) != e.Image:
			fault("%s is not the image that its manifest describes", img+packed)
		}
	}
	images, err := filepath.Glob(filepath.Join(root, "kernels", "*", "images", "*.fatbin*"))
	if err != nil {
		return nil, err
	}
	for _, o := range images {
		rel, err := filepath.Rel(root, o)
		if err != nil {
			return nil, err
		}
		rel = filepath.ToSlash(rel)
		switch img, ok := strings.CutSuffix(rel, packed); {
		case !ok:
			fault(
				"%s does not belong among images, which are NAME.fatbin.gz and all taken into programs", rel,
			)
		case !wanted[img]:
			fault("%s has no source", rel)
		}
	}
	slices.Sort(faults)
	return faults, nil
}

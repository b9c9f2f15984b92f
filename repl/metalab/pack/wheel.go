package main

import (
	"archive/zip"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// metadata is what a wheel says of itself, before README; see the core metadata specification of
// packaging.python.org, and the one of the binary distribution format for the rest.
const metadata = `Metadata-Version: 2.1
Name: metalab
Version: %s
Summary: A laboratory for metaheuristics: step a search, tune it while it runs, replay it
License: Apache-2.0
License-File: LICENSE
License-File: NOTICES.txt
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Framework :: Jupyter
Classifier: Intended Audience :: Science/Research
Classifier: Topic :: Scientific/Engineering
Requires-Python: >=3.8
Description-Content-Type: text/markdown

`

func (r *release) wheelName(t *target) string {
	return fmt.Sprintf("metalab-%s-py3-none-%s.whl", r.version, t.wheel)
}

// writeWheel writes a wheel: bin becomes scripts, modules of Python are imported, and share lies
// under the environment's folder, where its Jupyter looks for kernels.
func (r *release) writeWheel(path string, t *target, files []file) error {
	stem := "metalab-" + r.version
	info, data := stem+".dist-info/", stem+".data/"
	var all []file
	var readme []byte
	for _, f := range files {
		to := data + "data/" + f.path
		if name, ok := strings.CutPrefix(f.path, "bin/"); ok {
			to = data + "scripts/" + name
		} else if name, ok := strings.CutPrefix(f.path, modules); ok {
			to = name
		}
		all = append(all, file{to, f.mode, f.data})
		switch name := filepath.Base(f.path); {
		case filepath.Dir(f.path) != "share/doc/metalab":
		case name == "README.md":
			readme = f.data
		case name == "LICENSE", name == "NOTICES.txt":
			all = append(all, file{info + name, 0o644, f.data})
		}
	}
	tags := ""
	for platform := range strings.SplitSeq(t.wheel, ".") {
		tags += "Tag: py3-none-" + platform + "\n"
	}
	all = append(all,
		file{info + "METADATA", 0o644, fmt.Appendf(nil, metadata+"%s", r.version, readme)},
		file{info + "WHEEL", 0o644, []byte("Wheel-Version: 1.0\nGenerator: metalab\n" +
			"Root-Is-Purelib: false\n" + tags)})
	var list strings.Builder
	for _, f := range all {
		sum := sha256.Sum256(f.data)
		fmt.Fprintf(&list, "%s,sha256=%s,%d\n", f.path, base64.RawURLEncoding.EncodeToString(sum[:]),
			len(f.data))
	}
	fmt.Fprintf(&list, "%sRECORD,,\n", info)
	all = append(all, file{info + "RECORD", 0o644, []byte(list.String())})
	return write(path, func(w io.Writer) error { return writeZip(w, all, r.when) })
}

func writeZip(w io.Writer, files []file, when time.Time) error {
	z := zip.NewWriter(w)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestCompression)
	})
	for _, f := range files {
		h := &zip.FileHeader{Name: f.path, Method: zip.Deflate, Modified: when}
		h.SetMode(f.mode)
		to, err := z.CreateHeader(h)
		if err == nil {
			_, err = to.Write(f.data)
		}
		if err != nil {
			return err
		}
	}
	return z.Close()
}

// write makes a file of what f writes.
func write(path string, f func(io.Writer) error) error {
	to, err := os.Create(path)
	if err != nil {
		return err
	}
	err = f(to)
	if cerr := to.Close(); err == nil {
		err = cerr
	}
	return err
}

package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// options are the options of nvcc for every kernel; they count as part of the source.
var options = []string{
	"-std=c++17", "-O3", "-fmad=false", "-fatbin",
	"-gencode", "arch=compute_80,code=sm_80",
	"-gencode", "arch=compute_90,code=sm_90",
	"-gencode", "arch=compute_75,code=compute_75",
	"-Werror", "cross-execution-space-call",
}

// sources lists the .cu files under root/kernels, relative to root with slashes, sorted.
func sources(root string) ([]string, error) {
	var list []string
	err := filepath.WalkDir(filepath.Join(
		root, "kernels",
	), func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && e.Name() == "testdata" {
			return filepath.SkipDir
		}
		if !e.IsDir() && filepath.Ext(p) == ".cu" {
			rel, err := filepath.Rel(root, p)
			if err != nil {
				return err
			}
			list = append(list, filepath.ToSlash(rel))
		}
		return nil
	})
	slices.Sort(list)
	return list, err
}

// include matches a header in quotes: ours. Those in angle brackets are the toolkit's.
var include = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"`)

// closure returns source and every file that it includes by quotes, directly or not, sorted.
// A header is looked for beside the file that names it, then in kernels, as nvcc does.
func closure(root, source string) ([]string, error) {
	seen := map[string]bool{}
	var visit func(file string) error
	visit = func(file string) error {
		if seen[file] {
			return nil
		}
		seen[file] = true
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
		if err != nil {
			return err
		}
		for _, m := range include.FindAllSubmatch(text, -1) {
			name := string(m[1])
			found, err := find(root, path.Join(path.Dir(file), name), path.Join("kernels", name))
			if err != nil {
				return err
			}
			if found == "" {
				return fmt.Errorf("%s includes %q, which is neither beside it nor in kernels", file, name)
			}
			if err := visit(found); err != nil {
				return err
			}
		}
		return nil
	}
	if err := visit(source); err != nil {
		return nil, err
	}
	list := make([]string, 0, len(seen))
	for f := range seen {
		list = append(list, f)
	}
	slices.Sort(list)
	return list, nil
}

// find returns the first of the names that is a file, "" for none.
func find(root string, names ...string) (string, error) {
	for _, n := range names {
		switch _, err := os.Stat(filepath.Join(root, filepath.FromSlash(n))); {
		case err == nil:
			return n, nil
		case !errors.Is(err, fs.ErrNotExist):
			return "", err
		}
	}
	return "", nil
}

// sum returns the SHA-256 of everything that determines an image: the options and, file by file,
// name and code. Changed comments do not matter.
func sum(root, source string) (string, error) {
	files, err := closure(root, source)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintln(h, strings.Join(options, " "))
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(f)))
		if err != nil {
			return "", err
		}
		text = code(text)
		fmt.Fprintf(h, "%s %d\n", f, len(text))
		h.Write(text)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// code is a text without comments, in whose place there is a space, without white space at the ends
// of lines, and without empty lines. Line ends are \n, whatever a checkout made of them.
func code(text []byte) []byte {
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	bare := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		n := 1 // bytes of what stands at i
		switch rest := text[i:]; {
		case bytes.HasPrefix(rest, []byte("//")):
			i, n = i+upTo(rest, "\n"), 0
			bare = append(bare, ' ')
		case bytes.HasPrefix(rest, []byte("/*")):
			i, n = i+2+upTo(rest[2:], "*/")+2, 0
			bare = append(bare, ' ')
		case rest[0] == '"' || rest[0] == '\'':
			for n < len(rest) && rest[n] != rest[0] && rest[n] != '\n' {
				if rest[n] == '\\' {
					n++
				}
				n++
			}
			n = min(n+1, len(rest))
		}
		if n > 0 {
			bare = append(bare, text[i:i+n]...)
			i += n
		}
		i = min(i, len(text))
	}
	out := make([]byte, 0, len(bare))
	for line := range bytes.Lines(bare) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			out = append(append(out, line...), '\n')
		}
	}
	return out
}

// upTo is where the end stands in a text, or the text's length.
func upTo(text []byte, end string) int {
	if at := bytes.Index(text, []byte(end)); at >= 0 {
		return at
	}
	return len(text)
}

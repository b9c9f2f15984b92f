package bundle

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// building is a program that is being compiled.
type building struct {
	what Program
	root string // of the sources
	dir  string // of temporary files

	flags []string // of Go, that put other modules in the place of some
}

// fontModule has the fonts of gonum.org/v1/plot: four megabytes, of which our figures use one.
const fontModule = "codeberg.org/go-fonts/liberation"

// replace compiles with modules in the place of others that have less: see putFonts and trimGonum.
func (p *building) replace(ctx context.Context) error {
	fonts, gonum := filepath.Join(p.dir, "fonts"), filepath.Join(p.dir, "gonum")
	if err := p.putFonts(ctx, fonts); err != nil {
		return err
	}
	if err := p.trimGonum(ctx, gonum); err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(p.root, "go.mod"))
	if err != nil {
		return err
	}
	sum, err := os.ReadFile(filepath.Join(p.root, "go.sum"))
	if err != nil {
		return err
	}
	for module, dir := range map[string]string{fontModule: fonts, gonumModule: gonum} {
		mod = fmt.Appendf(mod, "\nreplace %s => %s\n", module, dir)
		// The language is that of the module.
		out, err := golang(ctx, p.root, nil, "list", "-m", "-f", "module {{.Path}}\ngo {{.GoVersion}}",
			module)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), out, 0o600); err != nil {
			return err
		}
	}
	for name, text := range map[string][]byte{"go.mod": mod, "go.sum": sum} {
		if err := os.WriteFile(filepath.Join(p.dir, name), text, 0o600); err != nil {
			return err
		}
	}
	p.flags = []string{"-modfile", filepath.Join(p.dir, "go.mod")}
	return nil
}

// putFonts makes a module of fonts that has the regular and the bold one of our figures, under all
// names: gonum links every one.
func (p *building) putFonts(ctx context.Context, to string) error {
	out, err := golang(ctx, p.root, nil, "list", "-m", "-f", "{{.Dir}}", fontModule)
	if err != nil {
		return err
	}
	from := strings.TrimSpace(string(out))
	kept := map[string]bool{"liberationsansregular": true, "liberationsansbold": true}
	packages, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range packages {
		name := e.Name()
		if !e.IsDir() || !strings.HasPrefix(name, "liberation") {
			continue
		}
		if kept[name] {
			err = os.CopyFS(filepath.Join(to, name), os.DirFS(filepath.Join(from, name)))
		} else {
			as := "liberationsansregular"
			if strings.Contains(name, "bold") {
				as = "liberationsansbold"
			}
			text := fmt.Sprintf("package %s\n\nimport %q\n\nvar TTF = %s.TTF\n", name, fontModule+"/"+as, as)
			if err = os.MkdirAll(filepath.Join(to, name), 0o700); err == nil {
				err = os.WriteFile(filepath.Join(to, name, "data.go"), []byte(text), 0o600)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// cold are packages in which calls are not put in line, where a page with a prompt spends no time
// that is felt: what a search, an iteration or a loop of the interpreter runs through is not among
// them. That saves a fourteenth of the compressed engine.
var cold = []string{
	"codeberg.org/...", "encoding/gob", "encoding/json", "git.sr.ht/...", "go/...",
	"golang.org/...", "gonum.org/v1/plot/...", "html/...", "image/...", "math/big",
	"metalab/kernel/...", "metalab/repl/...", "metalab/solvers/bench", "metalab/solvers/papers",
	"regexp/...", "text/...",
}

// list asks Go about all packages of the program.
func (p *building) list(ctx context.Context, format string, flags ...string) ([]byte, error) {
	args := append([]string{"list", "-deps", "-buildvcs=false", "-f", format}, flags...)
	return golang(ctx, p.root, nil, append(append(args, p.flags...), string(p.what))...)
}

// hash is a fingerprint of all that the program is compiled from.
func (p *building) hash(ctx context.Context, version string) (string, error) {
	out, err := p.list(ctx, "{{if not .Standard}}{{$d := .Dir}}{{$p := .ImportPath}}"+
		"{{range .GoFiles}}{{$p}}\t{{$d}}/{{.}}\n{{end}}"+
		"{{range .EmbedFiles}}{{$p}}\t{{$d}}/{{.}}\n{{end}}{{end}}")
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	fmt.Fprintln(sum, version, cold, "with notices")
	for line := range strings.Lines(string(out)) {
		pkg, file, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			continue
		}
		b, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(sum, "%s/%s %d\n", pkg, filepath.Base(file), len(b))
		sum.Write(b)
	}
	return hex.EncodeToString(sum.Sum(nil))[:16], nil
}

// compile returns the program as WebAssembly.
func (p *building) compile(ctx context.Context, say Progress) ([]byte, error) {
	const note = "compile the engine of pages"
	say(0, 1, note)
	for _, pkg := range cold {
		if p.what == Prompt {
			p.flags = append(p.flags, "-gcflags="+pkg+"=-l")
		}
	}
	out, err := p.list(ctx, "{{if .Stale}}{{.ImportPath}}{{end}}", "-trimpath")
	if err != nil {
		return nil, err
	}
	stale := map[string]bool{}
	for _, name := range strings.Fields(string(out)) {
		stale[name] = true
	}
	to := filepath.Join(p.dir, "engine.wasm")
	done, total := int64(0), int64(len(stale)+1)
	begun := func(pkg string) bool {
		if stale[pkg] {
			done++
			say(done, total, note)
		}
		return stale[pkg]
	}
	args := []string{"build", "-v", "-buildvcs=false", "-trimpath", "-ldflags=-s -w", "-o", to}
	_, err = golang(ctx, p.root, begun, append(append(args, p.flags...), string(p.what))...)
	if err != nil {
		return nil, fmt.Errorf("the engine of pages: %w", err)
	}
	say(total, total, note)
	return os.ReadFile(to)
}

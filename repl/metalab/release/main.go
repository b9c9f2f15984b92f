// Command release makes a release of metalab, up to what only a person may do: it tags nothing and
// uploads nothing.
//
//	go run ./repl/metalab/release -n v0.2.0   # what it would do
//	go run ./repl/metalab/release v0.2.0
//
// It checks that the tree is clean and the version new. In a clone it makes what is Unreleased in
// CHANGELOG.md the version's section, writes the version into CITATION.cff, the program and the
// list of its public face, runs the tests, and packs the release, see metalab/repl/metalab/pack; in
// a second clone, in another folder, it packs it again, and compares all files. Then it takes over
// the commit into the tree and the files into the folder of -o, and prints the two lines that tag
// and upload them. Where a step fails the tree is as it was.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	r := &release{to: os.Stdout}
	flag.BoolVar(&r.dry, "n", false, "say what would be done, and do nothing")
	flag.StringVar(&r.out, "o", "dist", "the `folder` that the files are written to")
	flag.StringVar(&r.date, "date", time.Now().UTC().Format(time.DateOnly), "the `day` of the release")
	flag.StringVar(&r.targets, "targets", "", "some targets of pack, with commas; empty: all")
	flag.StringVar(&r.tests, "test", "./...", "the `packages` that are tested")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "release: which version? as in: go run ./repl/metalab/release v0.2.0")
		os.Exit(2)
	}
	r.version = flag.Arg(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := r.make(ctx, "."); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// A release is one that is being made.
type release struct {
	version, date  string
	out            string // of the files
	targets, tests string
	dry            bool
	to             io.Writer

	root  string // of the tree
	notes string // the section of the changelog
	files map[string]string
}

// make makes the release of the tree that the folder at is in.
func (r *release) make(ctx context.Context, at string) error {
	if _, err := parts(r.version); err != nil {
		return err
	}
	if _, err := time.Parse(time.DateOnly, r.date); err != nil {
		return fmt.Errorf("-date is %q, want a day as 2026-11-26", r.date)
	}
	var err error
	if r.out, err = filepath.Abs(r.out); err != nil {
		return err
	}
	if r.root, err = output(ctx, at, "git", "rev-parse", "--show-toplevel"); err != nil {
		return err
	}
	if err := r.check(ctx); err != nil {
		return err
	}
	if err := r.cut(); err != nil {
		return err
	}
	if keys := lacking(r.files[citationFile]); keys != nil {
		fmt.Fprintf(r.to, "%s has no %s: its owner fills in what there is, before the release\n",
			citationFile, strings.Join(keys, ", "))
	}
	if r.dry {
		r.tell()
		return nil
	}
	dir, err := os.MkdirTemp("", "metalab-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	one, two := filepath.Join(dir, "one"), filepath.Join(dir, "a", "longer", "path", "two")
	if err := r.commit(ctx, one); err != nil {
		return err
	}
	for _, args := range [][]string{{"vet", r.tests}, {"test", r.tests}} {
		if err := r.run(ctx, one, "go", args...); err != nil {
			return fmt.Errorf("go %s: %w; the tree is as it was", args[0], err)
		}
	}
	if err := r.run(ctx, dir, "git", "clone", "-q", one, two); err != nil {
		return err
	}
	made := filepath.Join(dir, "made", "one")
	again := filepath.Join(dir, "made", "two")
	for _, p := range [][2]string{{one, made}, {two, again}} {
		// Without the folder in them packages are compiled once, for both and for the program.
		err := r.run(ctx, p[0], "go", "run", "-trimpath", "-buildvcs=false", "./repl/metalab/pack",
			"-o", p[1], "-targets", r.targets)
		if err != nil {
			return fmt.Errorf("pack: %w; the tree is as it was", err)
		}
	}
	names, err := same(made, again)
	if err != nil {
		return fmt.Errorf("%w; the tree is as it was", err)
	}
	return r.takeOver(ctx, one, made, names)
}

// check refuses a tree that is not as it was committed, and a version that is there.
func (r *release) check(ctx context.Context) error {
	status, err := output(ctx, r.root, "git", "status", "--porcelain")
	if err != nil {
		return err
	}
	if status != "" {
		return fmt.Errorf("the tree has changes that are not committed: %s",
			strings.Join(strings.Fields(status)[1:2], " "))
	}
	tag, err := output(ctx, r.root, "git", "tag", "--list", r.version)
	if err != nil {
		return err
	}
	if tag != "" {
		return fmt.Errorf("there is a tag %s already", r.version)
	}
	if _, err := os.Stat(r.out); err == nil {
		return fmt.Errorf("%s is there already: name another folder by -o", r.out)
	}
	return nil
}

// cut makes the texts of the files that name the version.
func (r *release) cut() error {
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(r.root, name))
		if err != nil {
			return "" // what is looked for in it is missing then
		}
		return string(b)
	}
	source := read(constantFile)
	last, err := lastRelease(source)
	if err != nil {
		return err
	}
	if err := after(r.version, last); err != nil {
		return err
	}
	changelog, notes, err := cutChangelog(read(changelogFile), r.version, r.date)
	if err != nil {
		return err
	}
	citation, err := cutCitation(read(citationFile), r.version, r.date)
	if err != nil {
		return err
	}
	face := read(faceFile)
	if listed, err := lastRelease(face); err != nil || listed != last {
		return fmt.Errorf("%s lists the release %q, and %s has %s", faceFile, listed, constantFile, last)
	}
	r.notes = notes
	r.files = map[string]string{
		changelogFile: changelog, citationFile: citation, constantFile: cutConstant(source, r.version),
		faceFile: cutConstant(face, r.version),
	}
	return nil
}

// tell says what would be done.
func (r *release) tell() {
	fmt.Fprintf(r.to, "%s of %s, from %s:\n", r.version, r.date, r.root)
	fmt.Fprintf(r.to, "  %s: %d lines below Unreleased become the section %s\n", changelogFile,
		strings.Count(r.notes, "\n")+1, r.version)
	fmt.Fprintf(r.to, "  %s, %s and %s get the version\n", citationFile, constantFile, faceFile)
	fmt.Fprintf(r.to, "  go vet %s and go test %[1]s in a clone\n", r.tests)
	fmt.Fprintf(r.to, "  go run ./repl/metalab/pack in two clones, and all files compared\n")
	fmt.Fprintf(r.to, "  a commit in the tree, and the files in %s\n", r.out)
	fmt.Fprintf(r.to, "Then type:\n%s", r.lines("HEAD"))
}

// commit clones the tree and commits the version there. The tag is in the clone alone, so that its
// programs say that they are the release.
func (r *release) commit(ctx context.Context, to string) error {
	if err := r.run(ctx, r.root, "git", "clone", "-q", r.root, to); err != nil {
		return err
	}
	for name, text := range r.files {
		if err := os.WriteFile(filepath.Join(to, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	who := []string{}
	for _, key := range []string{"user.name", "user.email"} {
		value, err := output(ctx, r.root, "git", "config", key)
		if err != nil {
			return fmt.Errorf("git config %s: who makes the release? %w", key, err)
		}
		who = append(who, "-c", key+"="+value)
	}
	args := append(slices.Clone(who), "commit", "-q", "-a", "-m", r.version)
	if err := r.run(ctx, to, "git", args...); err != nil {
		return err
	}
	return r.run(ctx, to, "git", "tag", r.version)
}

// takeOver brings commit and files to where they belong.
func (r *release) takeOver(ctx context.Context, clone, made string, names []string) error {
	if err := os.CopyFS(r.out, os.DirFS(made)); err != nil {
		return err
	}
	notes := filepath.Join(r.out, "NOTES.md")
	if err := os.WriteFile(notes, []byte(r.notes+"\n"), 0o644); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"fetch", "-q", "--no-tags", clone, "HEAD"}, {"merge", "-q", "--ff-only", "FETCH_HEAD"},
	} {
		if err := r.run(ctx, r.root, "git", args...); err != nil {
			return fmt.Errorf("the files are in %s, the commit is not in the tree: git %s: %w", r.out,
				args[0], err)
		}
	}
	head, err := output(ctx, r.root, "git", "rev-parse", "HEAD")
	if err != nil {
		return err
	}
	fmt.Fprintf(r.to, "%s is made twice with the same bytes: %d files in %s\nNow type:\n%s", r.version,
		len(names), r.out, r.lines(head))
	return nil
}

// lines are what a person types.
func (r *release) lines(commit string) string {
	return fmt.Sprintf("  git tag -a %[1]s -m %[1]s %[2]s && git push origin HEAD %[1]s\n"+
		"  gh release create %[1]s --verify-tag --title %[1]s --notes-file %[3]s/NOTES.md "+
		"%[3]s/metalab-* %[3]s/SHA256SUMS\n", r.version, commit, r.out)
}

// same compares two folders and returns the names of their files; what was compiled for them lies
// in folders within them, and is not compared.
func same(a, b string) (names []string, err error) {
	list := func(dir string) (names []string, err error) {
		all, err := os.ReadDir(dir)
		for _, e := range all {
			if e.IsDir() {
				if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
					return nil, err
				}
				continue
			}
			names = append(names, e.Name())
		}
		return names, err
	}
	if names, err = list(a); err != nil {
		return nil, err
	}
	other, err := list(b)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(names, other) {
		return nil, fmt.Errorf("two builds have unlike files: %v and %v", names, other)
	}
	if len(names) == 0 {
		return nil, errors.New("pack wrote no file")
	}
	for _, name := range names {
		x, err := os.ReadFile(filepath.Join(a, name))
		if err != nil {
			return nil, err
		}
		y, err := os.ReadFile(filepath.Join(b, name))
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(x, y) {
			return nil, fmt.Errorf("two builds in two folders have unlike bytes: %s", name)
		}
	}
	return names, nil
}

// run carries out a program, which writes where the release does.
func (r *release) run(ctx context.Context, dir, program string, args ...string) error {
	fmt.Fprintf(r.to, "%s %s\n", program, strings.Join(args, " "))
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, r.to, r.to
	return cmd.Run()
}

// output is what a program prints, less the space around it.
func output(ctx context.Context, dir, program string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	b, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = fmt.Errorf("%s %s: %w: %s", program, args[0], err, strings.TrimSpace(string(exit.Stderr)))
	}
	return strings.TrimSpace(string(b)), err
}

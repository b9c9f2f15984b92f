// Command site writes the prompt as a page into a folder, with its engine beside it:
//
//	go run ./kernel/browser/site FOLDER
//
// makes FOLDER/prompt.html, metalab-prompt-HASH.js, and NOTICES.txt with the licences of what is in
// the engine.
//
// The page works from a disk and from any folder of a web server. .ci/site makes the course of
// notebooks around it.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	"metalab/kernel/browser/bundle"
	"metalab/kernel/guest"
	"metalab/solvers/record"
)

func main() {
	lessons := flag.String("lessons", "", "the address of the lessons, to which the page leads")
	inline := flag.Bool("inline", false, "the engine stands in the page, and in no file beside it")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: go run ./kernel/browser/site [-inline] "+
			"[-lessons ADDRESS] FOLDER")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := write(ctx, flag.Arg(0), *lessons, *inline); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// write writes the page and its engine into a folder.
func write(ctx context.Context, dir, lessons string, inline bool) error {
	root, err := guest.SourceRoot()
	if err != nil {
		return fmt.Errorf("the engine of a page is compiled from %w", err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return err
	}
	var page bundle.PromptPage
	page.Inline, page.Lessons = inline, lessons
	said := int64(-1)
	page.Engine, err = bundle.BuildProgram(ctx, bundle.Prompt, root,
		filepath.Join(cache, "metalab", "engines"), func(done, total int64, note string) {
			if tenth := 10 * done / max(total, 1); tenth != said {
				said = tenth
				fmt.Fprintf(os.Stderr, "%s: %d of %d\n", note, done, total)
			}
		})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := page.Write(&b); err != nil {
		return err
	}
	path := filepath.Join(dir, "prompt.html")
	put := func(w io.Writer) error { _, err := w.Write(b.Bytes()); return err }
	if err := record.Atomic(path, put); err != nil {
		return err
	}
	text, err := bundle.Notices(ctx, bundle.Prompt, root)
	if err != nil {
		return err
	}
	put = func(w io.Writer) error { _, err := w.Write(text); return err }
	if err := record.Atomic(filepath.Join(dir, bundle.NoticesFile), put); err != nil {
		return err
	}
	if !inline {
		if _, err := page.Engine.CopyTo(dir); err != nil {
			return err
		}
	}
	fmt.Printf("%s, %d bytes; the engine has %d\n", path, b.Len(), page.Engine.Size)
	return nil
}

// Command make makes the parts of the site that are neither Hugo's nor nbconvert's; see package
// site, and .ci/site, which calls it.
package main

import (
	"flag"
	"fmt"
	"os"

	"metalab/kernel/guest"
	"metalab/notebooks/internal/site"
)

const usage = `usage: make theme FOLDER                     the files of the theme alone
       make prepare [flags] -bodies B FOLDER    Hugo's project, from the cells of notebooks in B
       make finish -bodies B FOLDER             what needs the pages that Hugo made in FOLDER
       make crawl FOLDER                        say what links are dead
`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	var o site.Options
	fs := flag.NewFlagSet("make", flag.ExitOnError)
	fs.Usage = func() { fmt.Fprint(os.Stderr, usage) }
	fs.StringVar(&o.Bodies, "bodies", "", "")
	fs.BoolVar(&o.Math, "math", false, "")
	fs.BoolVar(&o.Search, "search", false, "")
	_ = fs.Parse(args[1:])
	if fs.NArg() != 1 {
		fs.Usage()
		os.Exit(2)
	}
	o.Folder = fs.Arg(0)
	var err error
	if o.Root, err = guest.SourceRoot(); err != nil {
		return err
	}
	switch args[0] {
	case "theme":
		return site.CopyTheme(o.Folder)
	case "prepare":
		_, err := site.Prepare(o)
		return err
	case "finish":
		pages, err := site.Collect(o.Root, o.Bodies)
		if err != nil {
			return err
		}
		if err := site.Finish(o.Folder, pages); err != nil {
			return err
		}
		fmt.Printf("site: %d pages, %s\n", len(pages), site.Version(o.Root))
		return nil
	case "crawl":
		problems, err := site.Crawl(o.Folder)
		for _, p := range problems {
			fmt.Println(p)
		}
		if err == nil && len(problems) > 0 {
			err = fmt.Errorf("%d problems", len(problems))
		}
		return err
	}
	fs.Usage()
	os.Exit(2)
	return nil
}

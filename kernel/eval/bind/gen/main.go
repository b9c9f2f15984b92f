// Gen writes the Go file that binds a package to the prompt:
//
//	gen [-o file] [-p package] import/path
//
// With -check it writes nothing and fails when the file is not current. See
// package metalab/kernel/eval/bind.
package main

import (
	"flag"
	"fmt"
	"os"

	"metalab/kernel/eval/bind/binding"
)

func main() {
	out := flag.String("o", "", "the `file` to write; the screen when empty")
	name := flag.String("p", os.Getenv("GOPACKAGE"), "name of the `package` that the file belongs to")
	check := flag.Bool("check", false, "only see whether the file is current")
	flag.Parse()
	if err := run(*out, *name, *check, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// run does what main was asked for.
func run(out, name string, check bool, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("want one import path, have %d arguments", len(args))
	}
	if check {
		return binding.Check(".", args[0], out)
	}
	if name == "" {
		name = "bind"
	}
	text, err := binding.Generate(".", args[0], name)
	if err != nil {
		return err
	}
	if out == "" {
		_, err = os.Stdout.Write(text)
		return err
	}
	return os.WriteFile(out, text, 0o644)
}

package program

import (
	"context"
	"os"
	"path/filepath"

	"metalab/kernel/internal/jupyter"
	"metalab/kernel/internal/jupyter/install"
	"metalab/kernel/internal/jupyter/interpret"
	"metalab/kernel/internal/jupyter/session"
)

// SpecFolder is where the kernel of a release is described, below the folder of bin and share.
const SpecFolder = "share/jupyter/kernels/" + jupyter.KernelName

// WriteSpec describes the kernel of a release, which the program is, in a folder: its kernel.json
// and its logos.
func WriteSpec(dir, program string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := install.SpecOf(program).Write(filepath.Join(dir, "kernel.json")); err != nil {
		return err
	}
	return jupyter.WriteLogos(dir)
}

// Release carries out a command of a release's program, whose name is the first of args.
func Release(args []string) int {
	f := map[string]func(context.Context, []string) error{
		"kernel": interpret.Run, "host": session.Host, "guard": session.Guard,
		"install": install.Release, "doctor": install.ReleaseDoctor,
	}[args[0]]
	return carryOut("metalab", f, args)
}

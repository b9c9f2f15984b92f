package install

import (
	"context"
	"fmt"
	"os/exec"
	"strings"

	"metalab/gpu"
	"metalab/kernel/internal/jupyter"
	"metalab/kernel/internal/jupyter/process"
)

// gpuOfKernel says what the kernel at p can compute on. That program is asked, for this one
// may have been built otherwise: go run builds it without the layer of GPUs.
func gpuOfKernel(ctx context.Context, p jupyter.Place) Finding {
	words, err := process.Output(exec.CommandContext(ctx, p.Bin("metalab-kernel"), "gpu"))
	if err != nil {
		return Finding{
			Name: "GPU", State: "optional",
			What: "the kernel looks for it when it is installed", Fix: p.InstallHint(),
		}
	}
	f := Finding{Name: "GPU", State: "ok", What: words}
	if strings.HasSuffix(words, cpuInstead) {
		f.State = "optional"
	}
	return f
}

// cpuInstead ends what is said of GPUs where there is none to be used.
const cpuInstead = "; runs use the CPU"

// gpuWords says what this program can compute on beside the CPU.
func gpuWords() string {
	if err := gpu.Available(); err != nil {
		return process.LastLine(err.Error()) + cpuInstead
	}
	ds, err := gpu.Devices()
	if err != nil || len(ds) == 0 {
		return "the driver is there, but no device" + cpuInstead
	}
	return fmt.Sprintf("%d found", len(ds))
}

// GPU is kernel gpu: it prints what the program can compute on.
func GPU(context.Context, []string) error {
	fmt.Println(gpuWords())
	return nil
}

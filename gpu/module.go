package gpu

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Module is a loaded image of kernels.
type Module struct {
	resource
	h handle
}

// Module loads an image: PTX text, which the driver compiles for this device, a cubin, or a fatbin,
// from which the driver picks the part that fits.
func (d *Device) Module(image []byte) (*Module, error) {
	const op = "load a module"
	form, err := imageForm(image)
	if err != nil {
		return nil, refuse(op, d.info.Ordinal, "%v", err)
	}
	m := &Module{}
	err = d.call(op+" ("+form+")", func() (err error) {
		if m.h, err = drv.moduleLoad(image); err != nil {
			return explainLoad(err, form, image)
		}
		m.own(d, "module", func() error { return drv.moduleFree(m.h) })
		return nil
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// explainLoad adds the PTX compiler's log.
func explainLoad(err error, form string, image []byte) error {
	var r result
	if form != "PTX" || !errors.As(err, &r) || codes[int(r)].sticky {
		return err
	}
	if log := strings.TrimSpace(drv.moduleLog(image)); log != "" {
		return fmt.Errorf("%w\n%s", err, log)
	}
	return err
}

// imageForm recognises an image by its first bytes.
func imageForm(image []byte) (string, error) {
	const fatbin = 0xba55ed50
	switch {
	case len(image) == 0:
		return "", errors.New("the image is empty")
	case bytes.HasPrefix(image, []byte("\x7fELF")):
		return "cubin", nil
	case len(image) >= 4 && binary.LittleEndian.Uint32(image) == fatbin:
		return "fatbin", nil
	case bytes.Contains(image, []byte(".version")) && bytes.Contains(image, []byte(".target")):
		return "PTX", nil
	case bytes.HasPrefix(image, []byte("version https://git-lfs")):
		return "", errors.New("the image is a Git LFS pointer, not the file it points to")
	case bytes.Contains(image, []byte("__global__")):
		return "", errors.New("this is CUDA C source: compile it first (nvcc -fatbin)")
	default:
		return "", errors.New(
			"the image is neither PTX (no .version and .target) nor a cubin nor a fatbin",
		)
	}
}

// Free unloads the module. Its kernels must have ended, and cannot be launched again.
func (m *Module) Free() error { return m.release() }

// Kernels returns the names of the module's kernels, sorted; none if the driver cannot tell (before
// CUDA 12.4).
func (m *Module) Kernels() (names []string, err error) {
	err = m.d.call("list kernels", func() error {
		if err := m.ok(); err != nil {
			return err
		}
		names = drv.moduleFunctions(m.h)
		slices.Sort(names)
		return nil
	})
	return names, err
}

// Kernel returns the kernel with a name. In C++ sources it must be extern "C".
func (m *Module) Kernel(name string) (*Kernel, error) {
	k := &Kernel{module: m, name: name, op: "launch " + name}
	err := m.d.call("find kernel "+name, func() (err error) {
		if err = m.ok(); err != nil {
			return err
		}
		if k.h, err = drv.moduleFunction(m.h, name); err == result(codeNotFound) {
			return m.noKernel(name)
		}
		if err != nil {
			return err
		}
		return k.describe()
	})
	if err != nil {
		return nil, err
	}
	return k, nil
}

// noKernel names what there is instead; on the thread.
func (m *Module) noKernel(name string) error {
	e := wrap("find kernel "+name, m.d.info.Ordinal, result(codeNotFound)).(*Error)
	e.Hint = `declare it extern "C", or C++ changes its name`
	if names := drv.moduleFunctions(m.h); len(names) > 0 {
		slices.Sort(names)
		e.Hint = "the module has " + strings.Join(names, ", ") + "; " + e.Hint
	}
	return e
}

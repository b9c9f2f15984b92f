package gpu

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ImagesVar is an environment variable that names a folder of images to take in place of the built-in
// ones: the folder kernels of a source tree in which go run ./kernels/build was run. Changed
// kernels, or ones compiled for another chip, can so be tried in a program as it is.
const ImagesVar = "METALAB_KERNELS"

// Image is the compiled image of kernels/FAMILY/NAME.cu: images/NAME.fatbin of the built-in files,
// or FAMILY/images/NAME.fatbin of the folder that [ImagesVar] names.
func Image(builtin fs.FS, family, name string) ([]byte, error) {
	if dir := os.Getenv(ImagesVar); dir != "" {
		b, err := os.ReadFile(filepath.Join(dir, family, "images", name+".fatbin"))
		if err != nil {
			return nil, fmt.Errorf("gpu: %s is set: %w", ImagesVar, err)
		}
		return b, nil
	}
	b, err := fs.ReadFile(builtin, "images/"+name+".fatbin")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("gpu: kernels/%s/%s.cu is not compiled: where nvcc is, run go run ./kernels/build", family, name)
	}
	return b, err
}

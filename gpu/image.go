package gpu

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// ImagesVar is an environment variable with a folder of images that replace the built-in ones: the
// folder kernels of a source tree after go run ./kernels/build. It lets a program use changed
// kernels, or kernels for another chip, without a new build.
const ImagesVar = "METALAB_KERNELS"

// unpacked keeps the images that were unpacked, by the SHA-256 of what they were unpacked from: the
// file of a name may be another at the next call.
var unpacked struct {
	sync.Mutex
	images map[[sha256.Size]byte][]byte
}

// Image returns the compiled image of kernels/FAMILY/NAME.cu, unpacked: images/NAME.fatbin.gz of
// the built-in files, or FAMILY/images/NAME.fatbin.gz of the folder in [ImagesVar]. It unpacks an
// image once per process and returns the same bytes to all callers, which must not change them.
func Image(builtin fs.FS, family, name string) ([]byte, error) {
	if dir := os.Getenv(ImagesVar); dir != "" {
		p := filepath.Join(dir, family, "images", name+".fatbin.gz")
		packed, err := os.ReadFile(p)
		if err != nil {
			return nil, fmt.Errorf("gpu: %s is set: %w", ImagesVar, err)
		}
		return unpack(packed, p)
	}
	packed, err := fs.ReadFile(builtin, "images/"+name+".fatbin.gz")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf(
			"gpu: kernels/%s/%s.cu is not compiled: where nvcc is, run go run ./kernels/build", family, name,
		)
	}
	if err != nil {
		return nil, err
	}
	return unpack(packed, "the built-in kernels/"+family+"/images/"+name+".fatbin.gz")
}

// unpack returns the image that was packed by gzip; where names it in an error.
func unpack(packed []byte, where string) ([]byte, error) {
	key := sha256.Sum256(packed)
	unpacked.Lock()
	defer unpacked.Unlock()
	if image, ok := unpacked.images[key]; ok {
		return image, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("gpu: the image %s is damaged: %w", where, err)
	}
	image, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("gpu: the image %s is damaged: %w", where, err)
	}
	if unpacked.images == nil {
		unpacked.images = map[[sha256.Size]byte][]byte{}
	}
	image = slices.Clip(image) // whoever appends to it gets a copy
	unpacked.images[key] = image
	return image, nil
}

package gpu_test

import (
	"context"
	"fmt"

	"metalab/gpu"
)

// Launch a kernel on the first GPU. It needs a GPU, so tests only compile it.
func Example() {
	const image = "the text of a PTX file, or a cubin or fatbin, with the kernel saxpy"
	d, err := gpu.Open(context.Background(), 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer d.Close()
	m, err := d.Module([]byte(image))
	if err != nil {
		fmt.Println(err)
		return
	}
	k, err := m.Kernel("saxpy")
	if err != nil {
		fmt.Println(err)
		return
	}
	x, err := gpu.Upload(d, []float32{1, 2, 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	y, err := gpu.Alloc[float32](d, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := k.Launch(gpu.Linear(3, 256), y, x, float32(2), int32(3)); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(y.Download())
}

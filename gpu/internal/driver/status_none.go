//go:build !(cuda && cgo && linux)

package driver

// Read says that this program was built without CUDA.
func Read() Status { return Status{State: NotBuilt} }

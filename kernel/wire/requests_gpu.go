package wire

// GPURequest names a GPU.
type GPURequest struct {
	Device int `json:"device,omitempty"`
}

// UploadRequest puts a small array into a GPU's memory. Large ones are sent as bytes, by
// Client.Upload.
type UploadRequest struct {
	As     string `json:"as,omitempty"`     // empty: the next free name
	Values string `json:"values,omitempty"` // numbers with commas; empty: N zeros
	Type   string `json:"type,omitempty"`   // of the elements; empty: float32
	N      int    `json:"n,omitempty"`
	Device int    `json:"device,omitempty"`
}

// ValuesRequest asks for the first elements of an array in a GPU's memory.
type ValuesRequest struct {
	Array string `json:"array"`
	N     int    `json:"n,omitempty"` // 0: 20
}

// ModuleRequest loads kernels: PTX text, a cubin or a fatbin, from a file or as they are.
type ModuleRequest struct {
	Path   string `json:"path,omitempty"` // absolute
	Image  []byte `json:"image,omitempty"`
	As     string `json:"as,omitempty"` // empty: the next free name
	Device int    `json:"device,omitempty"`
}

// LaunchRequest runs a kernel.
type LaunchRequest struct {
	Kernel string `json:"kernel"`         // module.kernel
	Args   string `json:"args,omitempty"` // with commas: names of arrays, numbers, and numbers of a type, as float32(2)
	Grid   string `json:"grid,omitempty"` // blocks, as 4 or 4x2x1; empty: 1
	Block  string `json:"block,omitempty"`
	Shared int    `json:"shared,omitempty"` // bytes of dynamic shared memory a block
	Coop   bool   `json:"coop,omitempty"`   // the blocks may wait for each other
}

// FreeRequest names an array or a module; "all" is all of them.
type FreeRequest struct {
	Name string `json:"name"`
}

package wire

import "metalab/kernel/reply"

// gpuVerbs are about the machine's GPUs.
var gpuVerbs = []Verb{
	typed[Empty, reply.DevicesReply](Verb{
		Name: "devices", Group: "gpu", Browser: true,
		Doc:     "list what can compute: cores, and GPUs with memory, driver and compute capability",
		Example: "devices",
	}),
	typed[Empty, reply.DoctorReply](Verb{
		Name: "doctor", Group: "gpu",
		Doc:     "say what is between this program and a GPU, what is missing and how to mend it",
		Example: "doctor",
	}),
	typed[GPURequest, reply.GPUReply](Verb{
		Name: "gpu", Group: "gpu",
		Doc:     "show a GPU and the arrays and modules that the session has on it",
		Example: "gpu; gpu 1",
		Args: []Arg{{
			Name: "device", Kind: KindInt, Default: "0", Place: true,
			Doc: "the number of the GPU",
		}},
	}),
	typed[UploadRequest, reply.ArrayReply](Verb{
		Name: "upload", Group: "gpu", Doc: "put an array into the GPU's memory: numbers, or n zeros",
		Example: "upload 1,2,3 as x; upload n=1000 type=int32 as y",
		Args: []Arg{
			{Name: "values", Kind: KindWord, Place: true, Doc: "numbers with commas between them"},
			{
				Name: "as", Kind: KindName, Word: "as",
				Doc: "the array's name; that of an array replaces it; the next free one when left out",
			},
			{
				Name: "type", Kind: KindWord, Default: "float32",
				Doc: "int8 to int64, uint8 to uint64, float32 or float64",
			},
			{Name: "n", Kind: KindInt, Doc: "so many zeros, where no values are given"},
			argGPU,
		},
	}),
	typed[ValuesRequest, reply.ArrayReply](Verb{
		Name: "values", Group: "gpu",
		Doc:     "show the first elements of an array in a GPU's memory",
		Example: "values x; values x 100",
		Args: []Arg{
			{Name: "array", Kind: KindWord, Required: true, Place: true, Doc: "the array"},
			{Name: "n", Kind: KindInt, Default: "20", Place: true, Doc: "at most so many"},
		},
	}),
	typed[ModuleRequest, reply.ModuleReply](Verb{
		Name: "module", Group: "gpu",
		Doc: "load kernels from a file of PTX, a cubin or a fatbin; or compile those in a file of Go, " +
			"functions whose first parameter is a cuda.T, without nvcc",
		Example: "module saxpy.ptx as m",
		Args: []Arg{
			{Name: "path", Kind: KindPath, Required: true, Place: true, Doc: "the file"},
			{
				Name: "as", Kind: KindName, Word: "as",
				Doc: "the module's name; the next free one when left out",
			},
			{
				Name: "kernel", Kind: KindWord,
				Doc: "of a file of Go this function alone, with what it uses; all when left out",
			},
			{Name: "image", Kind: KindBytes, Doc: "what the file would hold"},
			{Name: "source", Kind: KindBytes, Doc: "what a file of Go would hold"},
			argGPU,
		},
	}),
	typed[LaunchRequest, reply.LaunchReply](Verb{
		Name: "launch", Group: "gpu",
		Doc:     "run a kernel, wait for it and say how long it took on the device",
		Example: "launch m.saxpy y,x,float32(2),3 grid=1 block=256",
		Args: []Arg{
			{
				Name: "kernel", Kind: KindWord, Required: true, Place: true,
				Doc: "the kernel, as module.kernel",
			},
			{
				Name: "args", Kind: KindWord, Place: true,
				Doc: "its arguments with commas between them: names of arrays, integers, and numbers of a " +
					"type, as float32(2); those of a kernel in Go are as its Go has them, a slice is an array",
			},
			{Name: "grid", Kind: KindWord, Default: "1", Doc: "blocks, as 4 or 4x2x1"},
			{Name: "block", Kind: KindWord, Default: "1", Doc: "threads of a block, as 256 or 16x16x1"},
			{Name: "shared", Kind: KindInt, Default: "0", Doc: "bytes of dynamic shared memory a block"},
			{Name: "coop", Kind: KindTruth, Default: "false", Doc: "the blocks may wait for each other"},
		},
	}),
	typed[FreeRequest, reply.NoteReply](Verb{
		Name: "free", Group: "gpu", Doc: "free an array or a module, or all", Example: "free x; free all",
		Args: []Arg{{
			Name: "name", Kind: KindWord, Required: true, Place: true,
			Doc: "the array or the module; all: every one",
		}},
	}),
}

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
	Kernel string `json:"kernel,omitempty"`
	Source []byte `json:"source,omitempty"`
	Device int    `json:"device,omitempty"`
}

// LaunchRequest runs a kernel.
type LaunchRequest struct {
	Kernel string `json:"kernel"` // module.kernel
	// separated by commas: names of arrays, numbers, and typed numbers, such as float32(2)
	Args   string `json:"args,omitempty"`
	Grid   string `json:"grid,omitempty"` // blocks, as 4 or 4x2x1; empty: 1
	Block  string `json:"block,omitempty"`
	Shared int    `json:"shared,omitempty"` // bytes of dynamic shared memory a block
	Coop   bool   `json:"coop,omitempty"`   // the blocks may wait for each other
}

// FreeRequest names an array or a module; "all" is all of them.
type FreeRequest struct {
	Name string `json:"name"`
}

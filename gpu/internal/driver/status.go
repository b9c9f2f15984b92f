package driver

// State says how far the search for the driver came.
type State int

// The states. Only Loaded means that calls reach a driver.
const (
	NotBuilt   State = iota // the program was built without the tag cuda (or without cgo)
	NotFound                // no libcuda.so.1
	InitFailed              // there is one, but its cuInit failed
	Loaded                  // calls go to the driver
)

// Status is what the loader found.
type Status struct {
	State   State
	Path    string   // the library that was opened
	Detail  string   // why none was, in the dynamic linker's words
	Init    int      // the result of the driver's own cuInit
	Version int      // of CUDA that the driver speaks: 1000*major + 10*minor; 0 if unknown
	Missing []string // the symbols that the loaded driver lacks
}

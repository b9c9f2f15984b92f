package gpu

import "fmt"

// A Version is a version of CUDA in the driver's numbering: 1000*major + 10*minor.
type Version int

// String returns the version in its usual form, such as 13.0.
func (v Version) String() string { return fmt.Sprintf("%d.%d", int(v)/1000, int(v)%1000/10) }

// An Info describes a device. All sizes are in bytes.
type Info struct {
	Ordinal        int     `json:"ordinal"`          // its number, from 0
	Name           string  `json:"name"`             // such as NVIDIA H200
	UUID           string  `json:"uuid"`             // GPU-…; empty if the driver hides it
	Memory         int64   `json:"memory"`           // total
	Driver         Version `json:"driver"`           // the version of CUDA that the driver supports
	Major          int     `json:"major"`            // compute capability, such as 9.0
	Minor          int     `json:"minor"`            // its second number
	SMs            int     `json:"sms"`              // multiprocessors
	Warp           int     `json:"warp"`             // threads of a warp, 32
	MaxBlock       int     `json:"max_block"`        // threads of a block, at most
	MaxThreadsSM   int     `json:"max_threads_sm"`   // resident threads of a multiprocessor, at most
	SharedBlock    int     `json:"shared_block"`     // shared memory of a block without a request
	SharedBlockMax int     `json:"shared_block_max"` // shared memory of a block, at most
	L2             int     `json:"l2"`               // level 2 cache
	ClockKHz       int     `json:"clock_khz"`        // of the multiprocessors, at most; 0 if unknown
	PCIBus         int     `json:"pci_bus"`          // number of the bus it is on
	Cooperative    bool    `json:"cooperative"`      // whether it can launch cooperative grids
}

// Capability returns the compute capability, such as 9.0.
func (in Info) Capability() string { return fmt.Sprintf("%d.%d", in.Major, in.Minor) }

// String returns the device's line in a list of devices.
func (in Info) String() string {
	return fmt.Sprintf(
		"%d: %s, %s, compute capability %s, %d multiprocessors, CUDA %v", in.Ordinal, in.Name,
		Bytes(in.Memory), in.Capability(), in.SMs, in.Driver,
	)
}

// Bytes is a number of bytes that prints in readable units (1 KiB = 1024 bytes).
type Bytes int64

// String returns b with at most one decimal, such as 1.5 MiB.
func (b Bytes) String() string {
	v, unit := float64(b), 0
	for v >= 1024 || v <= -1024 {
		v /= 1024
		unit++
	}
	if unit == 0 {
		return fmt.Sprintf("%d bytes", int64(b))
	}
	return fmt.Sprintf("%.1f %ciB", v, "KMGTPE"[unit-1])
}

// Devices returns the GPUs that this process can open. An empty list is no error: a program with
// CUDA finds none if there is no GPU or no driver. It returns an error if the program was built
// without CUDA ([ErrNoCUDA]), or if there is a driver that does not work; [Doctor] says more.
func Devices() ([]Info, error) {
	if drv == nil {
		return nil, noCUDA("list devices", -1)
	}
	if err := usable("list devices"); err != nil {
		if IsUnavailable(err) {
			return nil, nil
		}
		return nil, err
	}
	n, err := drv.count()
	if err != nil {
		return nil, wrap("list devices", -1, err)
	}
	list := make([]Info, n)
	for i := range list {
		if list[i], err = drv.info(i); err != nil {
			return nil, wrap("describe device", i, err)
		}
	}
	return list, nil
}

// Available returns nil if at least one GPU is usable, and the reason if none is.
func Available() error {
	list, err := Devices()
	if err != nil {
		return err
	}
	if len(list) > 0 {
		return nil
	}
	return noDevice("look for a GPU", -1)
}

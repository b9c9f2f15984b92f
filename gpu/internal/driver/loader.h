// What loader.c found when it looked for the driver.
#ifndef METALAB_LOADER_H
#define METALAB_LOADER_H

#include "include/cuda.h"

enum {
	METALAB_DRIVER_UNTRIED,
	METALAB_DRIVER_NOT_FOUND,   // no libcuda.so.1
	METALAB_DRIVER_INIT_FAILED, // its cuInit failed, see init
	METALAB_DRIVER_LOADED,
};

struct metalab_driver {
	int state;        // one of the above
	int init;         // what the driver's own cuInit returned
	int version;      // of the interface, as 1000*major + 10*minor; 0 if unknown
	char path[512];   // the library that was opened
	char detail[512]; // why none was
};

// metalab_driver_status loads the driver once and says how that went.
const struct metalab_driver *metalab_driver_status(void);

// metalab_driver_missing returns the i-th symbol that the loaded driver lacks, or NULL.
const char *metalab_driver_missing(int i);

// metalab_thread returns a number that no two living threads share: an address in the
// thread's own memory, which costs no system call.
uintptr_t metalab_thread(void);

#endif

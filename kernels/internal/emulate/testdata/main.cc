#include "fibres.h"

#include "kernel.cu"

enum { SHAPE, NUMBERS, SUMS, BUFFERS };
static std::vector<char> buffer[BUFFERS];
static std::string name;

static void body() {
	if (name != "sums") _Exit(2);
	sums((const shape *)buffer[SHAPE].data(), (const float *)buffer[NUMBERS].data(),
		(double *)buffer[SUMS].data());
}

int main(int, char **arg) { return emulate(arg, name, buffer, body); }

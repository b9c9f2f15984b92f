#include "textflag.h"

// func stackTop() uintptr
TEXT ·stackTop(SB), NOSPLIT, $0-8
	MOVD 8(g), R0
	MOVD R0, ret+0(FP)
	RET

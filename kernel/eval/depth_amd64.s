#include "textflag.h"

// func stackTop() uintptr
TEXT ·stackTop(SB), NOSPLIT, $0-8
	MOVQ (TLS), AX
	MOVQ 8(AX), AX
	MOVQ AX, ret+0(FP)
	RET

// Runs one launch of a kernel of ball.cu.
#include "fibres.h"

#include "kernel.cu"

#define OWN SHAPE, WEIGHTS, X, TOP, PRESENT, UNTIL,
#include "testdata/emulate.h"

static void body() {
	const job o = *as<job>(JOB);
	ball q = *as<ball>(SHAPE);
	q.weights = as<double>(WEIGHTS), q.x = as<double>(X), q.top = as<double>(TOP);
	q.present = as<double>(PRESENT), q.until = as<int64_t>(UNTIL);
	walk *w = walks_of();
	if (name == "ball_load") ball_load(o, q);
	else if (name == "ball_single" || name == "ball_single_readonly")
		ball_single(o, q, w, deltas_of(), parts_of());
	else if (name == "ball_double" || name == "ball_double_readonly")
		ball_double(o, q, w, deltas_of(), parts_of());
	else if (name == "ball_move") ball_move(o, q, w, parts_of());
	else if (name == "ball_hash") ball_hash(o, q, w);
	else _Exit(2);
}

int main(int, char **arg) { return emulate(arg, name, buffer, body); }

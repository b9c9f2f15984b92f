// Package words is the language of the prompt: it cuts text into commands, reads a
// command by the table of verbs in kernel/wire, completes what is being typed, and
// writes the help.
//
//	open acs pr1002 as a seed=42 ants=256;  step a 100;  set a q0=0.98
//	step a 10s;  step a until gap<1;  plot a tour to tour.svg   # a comment
//
// A command is a verb and its arguments, separated by blanks. An argument is given by
// its place, as name=value, or after its word ("as b"). Commands end at a semicolon or
// at the end of the line; quotes ("..." or '...') keep blanks, semicolons and # inside
// a word. A line that is not a command is Go; see IsCommand.
package words

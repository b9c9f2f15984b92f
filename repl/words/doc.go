// Package words is what the prompt knows of its language beside the parser in
// kernel/wire: which lines are commands and which are Go, what completes the word that
// is being typed, and the help. All of it comes from the one table of verbs.
package words

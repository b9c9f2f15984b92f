package record

// Program is what texts call the program of the prompt and of workers: repl, as a clone makes it.
// The program of releases sets it to metalab before anything else, in all of its processes.
var Program = "repl"

// Typed is a command of the program with its arguments, as texts name it.
func Typed(words string) string { return Program + " " + words }

// Released reports whether this is the program of releases, beside which there may be no clone.
func Released() bool { return Program != "repl" }

// Started is how a person starts the program from a shell.
func Started() string {
	if Released() {
		return Program
	}
	return "go run ./repl"
}

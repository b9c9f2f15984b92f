package prompt

import (
	"os"
	"testing"

	"metalab/kernel/host/machines"
	_ "metalab/kernel/host/rooms" // all of them
	"metalab/kernel/host/serve"
)

// envRepl makes the test binary the prompt itself, with these words as its arguments.
const envRepl = "METALAB_TEST_REPL"

func TestMain(m *testing.M) {
	serve.Main()
	Worker = machines.Worker
	if os.Getenv(envRepl) != "" {
		os.Exit(Main(os.Args[1:]))
	}
	os.Exit(m.Run())
}

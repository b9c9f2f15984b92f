package main

import "metalab/kernel/lab/front"

// saidFile is, within GONB_TMP_DIR, the file into which a cell writes in words how it failed.
const saidFile = "metalab-error"

// A gonbChange is a piece of text of GoNB, which stands once in its file, and what takes its
// place where GoNB is built.
type gonbChange struct{ file, old, text string }

// gonbChanges are what is changed in GoNB. What they do is in package kernel/cells, which they
// call.
var gonbChanges = []gonbChange{
	// As it comes, a cell that fails shows what it printed, then "exit status 1", and then that
	// again as its error, and nbconvert tells nothing but "exit status 1". With these, what
	// package lab said becomes the error.
	{
		"internal/jpyexec/jpyexec.go",
		"\texec.cmd = cmd\n",
		"\texec.cmd = cmd\n" +
			"\tsaid := os.Getenv(\"GONB_TMP_DIR\") + \"/" + saidFile + "\"\n" +
			"\t_ = os.Remove(said)\n" +
			"\t_ = os.Setenv(\"" + front.EnvSaid + "\", said)\n",
	},
	{
		"internal/jpyexec/jpyexec.go",
		"\texec.exitError = cmd.Wait()\n\tif exec.exitError != nil {\n",
		"\texec.exitError = cmd.Wait()\n" +
			"\tif text, err := os.ReadFile(said); err == nil && exec.exitError != nil {\n" +
			"\t\texec.exitError = errors.New(string(text))\n" +
			"\t} else if exec.exitError != nil {\n",
	},

	// Messages of pages of the notebook and of the host.
	{
		"internal/dispatcher/comms.go",
		"import (\n",
		"import (\n\t\"metalab/kernel/cells\"\n\n",
	},
	{
		"internal/dispatcher/comms.go",
		"\tcase \"comm_open\":\n",
		"\tcase \"comm_open\":\n" +
			"\t\tif kind, reply, ours := cells.Here.Comm(msg.ComposedMsg().Content); ours {\n" +
			"\t\t\treturn msg.Publish(kind, reply)\n" +
			"\t\t}\n",
	},

	// A message that is none of Jupyter's does not end the kernel.
	{
		"internal/kernel/kernel.go",
		"import (\n",
		"import (\n\t\"metalab/kernel/cells\"\n\n",
	},
	{
		"internal/kernel/kernel.go",
		"\t\t\t} else {\n\t\t\t\tmsg = k.FromWireMsg(zmqMsg)\n",
		"\t\t\t} else if !cells.Signed(zmqMsg.Frames, k.sockets.Key) {\n" +
			"\t\t\t\tklog.Errorf(\"a message on %q that is not signed with the key of this kernel\", socketName)\n" +
			"\t\t\t\tcontinue\n" +
			"\t\t\t} else {\n\t\t\t\tmsg = k.FromWireMsg(zmqMsg)\n",
	},
}

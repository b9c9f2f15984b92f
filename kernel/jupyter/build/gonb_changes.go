package build

import (
	"metalab/kernel/lab/front"
)

// saidFile is, within GONB_TMP_DIR, the file into which a cell writes in words how it failed.
const saidFile = "metalab-error"

// A gonbChange is a piece of text of GoNB, which stands once in its file, and what takes its
// place where GoNB is built.
type gonbChange struct{ file, old, text string }

// gonbImport makes a file of GoNB import package kernel/cells.
func gonbImport(file string) gonbChange {
	return gonbChange{file, "import (\n", "import (\n\t\"metalab/kernel/cells\"\n\n"}
}

// gonbChanges are what is changed in GoNB. What they do is in package kernel/cells, which they
// call.
var gonbChanges = []gonbChange{
	gonbImport("internal/jpyexec/jpyexec.go"),
	{
		"internal/goexec/execcode.go", "import (\n",
		"import (\n\t\"context\"\n\t\"metalab/kernel/cells\"\n\n",
	},
	gonbImport("internal/goexec/errorpublish.go"),
	gonbImport("internal/dispatcher/dispatcher.go"),
	gonbImport("internal/dispatcher/comms.go"),
	gonbImport("internal/kernel/kernel.go"),

	// As it comes, a cell that fails shows what it printed, then "exit status 1", and then that
	// again as its error, and nbconvert tells nothing but "exit status 1". With these, what
	// package lab said becomes the error. Commands (!ls) have no pipes for what cells show, and
	// stay as they are.
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
			"\tif exec.exitError != nil && exec.useNamedPipes {\n" +
			"\t\ttext, _ := os.ReadFile(said)\n" +
			"\t\texec.exitError = errors.New(cells.Ended(exec.exitError.Error(), string(text), " +
			"exec.Msg.Kernel().Interrupted.Load()))\n" +
			"\t} else if exec.exitError != nil {\n",
	},

	// A cell that Stop has ended says so: as it comes, GoNB notes only interrupts that are signals.
	{
		"internal/dispatcher/dispatcher.go",
		"\t\t\tmsg.Kernel().CallInterruptSubscribers()\n",
		"\t\t\tmsg.Kernel().Interrupted.Store(true)\n\t\t\tmsg.Kernel().CallInterruptSubscribers()\n",
	},

	// A panic is a line, in place of what the Go runtime writes.
	{
		"internal/goexec/execcode.go",
		"\tvar stderr io.Writer = stderrWithAnnotator\n",
		"\ttrace := cells.NewTrace(stderrWithAnnotator, msg.Kernel().ExecCounter, func(line int) " +
			"(cell, inCell int) {\n" +
			"\t\tif line < 1 || line > len(fileToCellIdAndLine) || fileToCellIdAndLine[line-1].Line == " +
			"NoCursorLine {\n" +
			"\t\t\treturn 0, 0\n" +
			"\t\t}\n" +
			"\t\treturn fileToCellIdAndLine[line-1].Id, fileToCellIdAndLine[line-1].Line + 1\n" +
			"\t})\n" +
			"\tvar stderr io.Writer = trace\n",
	},
	{
		"internal/goexec/execcode.go",
		"\tif exitErr := jpyExec.ExitError(); exitErr != nil {\n",
		"\tif exitErr := trace.End(jpyExec.ExitError()); exitErr != nil {\n",
	},

	// What the compiler says is a line for each mistake, without paths, and says what to do.
	{
		"internal/goexec/errorpublish.go",
		"// JupyterErrorSplit takes",
		"// Failure is what is known of how a cell failed.\n" +
			"func Failure(cell int, code string, err error) cells.Failure {\n" +
			"\tf := cells.Failure{Cell: cell, Code: code, Text: err.Error()}\n" +
			"\tvar nbErr *GonbError\n" +
			"\tif errors.As(err, &nbErr) {\n" +
			"\t\tfor _, l := range nbErr.Lines {\n" +
			"\t\t\tf.Lines = append(f.Lines, cells.LineOf(l.CellInfo, l.Message))\n" +
			"\t\t}\n" +
			"\t}\n" +
			"\treturn f\n" +
			"}\n\n" +
			"// JupyterErrorSplit takes",
	},
	{
		"internal/dispatcher/dispatcher.go",
		"\t\tname, value, traceback := goexec.JupyterErrorSplit(executionErr)\n",
		"\t\tname, value, traceback := cells.Here.Explain(goexec.Failure(msg.Kernel().ExecCounter, " +
			"code, executionErr))\n",
	},

	// What stands in quotes is completed too, and gopls is ready when the reader is: as it comes,
	// GoNB waits twelve seconds before it looks whether gopls listens, and the first question
	// fails while gopls loads the packages.
	{
		"internal/dispatcher/dispatcher.go",
		"\tklog.V(2).Infof(\"complete_request: cursorPos(utf16)=%d\", cursorPos)\n",
		"\tif words, from, to, ok := cells.Here.Complete(code, cursorPos); ok {\n" +
			"\t\treply.Matches, reply.CursorStart, reply.CursorEnd = words, from, to\n" +
			"\t\treturn\n" +
			"\t}\n" +
			"\tcells.Warmed()\n" +
			"\tcode = cells.Quiet(code)\n",
	},
	// What stands in quotes, or in a line of the prompt, is told of as help does.
	{
		"internal/dispatcher/dispatcher.go",
		"\tklog.V(1).Infof(\"inspect_request: cursorPos(utf16)=%d, detailLevel=%d\", cursorPos, " +
			"detailLevel)\n",
		"\tklog.V(1).Infof(\"inspect_request: cursorPos(utf16)=%d, detailLevel=%d\", cursorPos, " +
			"detailLevel)\n" +
			"\tif text, ours := cells.Here.Inspect(code, cursorPos); ours {\n" +
			"\t\tanswer := &kernel.InspectReply{\n" +
			"\t\t\tStatus: \"ok\", Found: text != \"\",\n" +
			"\t\t\tData: kernel.MIMEMap{}, Metadata: make(kernel.MIMEMap),\n" +
			"\t\t}\n" +
			"\t\tif text != \"\" {\n" +
			"\t\t\tanswer.Data[string(protocol.MIMETextPlain)] = text\n" +
			"\t\t}\n" +
			"\t\treturn msg.Reply(\"inspect_reply\", answer)\n" +
			"\t}\n" +
			"\tcode = cells.Quiet(code)\n",
	},

	// Lines of the prompt stand in cells, and the value of the last expression is shown.
	{
		"internal/dispatcher/dispatcher.go",
		"\tlines := strings.Split(code, \"\\n\")\n",
		"\tlines := strings.Split(cells.Typed(code), \"\\n\")\n",
	},
	{
		"internal/dispatcher/dispatcher.go",
		"\t\t\texecutionErr = goExec.ExecuteCell(msg, msg.Kernel().ExecCounter, lines, specialLines)\n",
		"\t\t\tshown, changed := cells.Shown(lines)\n" +
			"\t\t\texecutionErr = goExec.ExecuteCell(msg, msg.Kernel().ExecCounter, shown, " +
			"specialLines)\n" +
			"\t\t\tif changed && executionErr != nil && cells.NoValue(goexec.Failure(" +
			"msg.Kernel().ExecCounter, code, executionErr)) {\n" +
			"\t\t\t\texecutionErr = goExec.ExecuteCell(msg, msg.Kernel().ExecCounter, lines, " +
			"specialLines)\n" +
			"\t\t\t}\n",
	},
	{
		"internal/goexec/execcode.go",
		"\ts.Definitions = updatedDecls\n",
		"\ts.Definitions = updatedDecls\n" +
			"\tif s.gopls != nil {\n" +
			"\t\tcells.Warm(s.CodePath(), func(line, column int) bool {\n" +
			"\t\t\twords, _, err := s.gopls.Complete(context.Background(), s.CodePath(), line, column)\n" +
			"\t\t\treturn err == nil && len(words) > 0\n" +
			"\t\t})\n" +
			"\t}\n",
	},
	{
		"internal/goexec/goplsclient/exec.go",
		"\t\t\tcase <-time.After(ConnectTimeout):\n",
		"\t\t\tcase <-time.After(100 * time.Millisecond):\n",
	},
	{
		"internal/goexec/goplsclient/exec.go",
		"\t\t<-time.After(ConnectTimeout)\n",
		"\t\t<-time.After(100 * time.Millisecond)\n",
	},

	// Messages of pages of the notebook and of the host.
	{
		"internal/dispatcher/comms.go",
		"\tcase \"comm_open\":\n",
		"\tcase \"comm_open\":\n" +
			"\t\tif kind, reply, ours := cells.Here.Comm(msg.ComposedMsg().Content); ours {\n" +
			"\t\t\treturn msg.Publish(kind, reply)\n" +
			"\t\t}\n",
	},

	// Widgets: comms of other targets than GoNB's own, which comm_info_request finds and comm_close
	// closes. They act while a cell runs and after it ended.
	{
		"internal/kernel/messages.go",
		"// OnInputFn is the callback function. It receives",
		"// PublishComm publishes a message about a comm as answer to msg, with metadata, and with\n" +
			"// buffers, which are sent as they are.\n" +
			"func PublishComm(msg Message, msgType string, content any, metadata map[string]any,\n" +
			"\tbuffers [][]byte) error {\n" +
			"\tm, ok := msg.(*MessageImpl)\n" +
			"\tif !ok {\n" +
			"\t\treturn errors.Errorf(\"cannot publish %q through a message of type %T\", msgType, msg)\n" +
			"\t}\n" +
			"\tcomposed, err := NewComposed(msgType, m.Composed)\n" +
			"\tif err != nil {\n" +
			"\t\treturn err\n" +
			"\t}\n" +
			"\tcomposed.Content, composed.Metadata = content, metadata\n" +
			"\tparts, err := m.kernel.ToWireMsg(composed)\n" +
			"\tif err != nil {\n" +
			"\t\treturn err\n" +
			"\t}\n" +
			"\tframes := append([][]byte{}, m.Identities...)\n" +
			"\tframes = append(frames, []byte(\"<IDS|MSG>\"))\n" +
			"\tframes = append(append(frames, parts...), buffers...)\n" +
			"\treturn m.kernel.sockets.IOPubSocket.RunLocked(func(socket zmq4.Socket) error {\n" +
			"\t\treturn socket.SendMulti(zmq4.NewMsgFrom(frames...))\n" +
			"\t})\n" +
			"}\n\n" +
			"// OnInputFn is the callback function. It receives",
	},
	{
		"internal/dispatcher/dispatcher.go",
		"\t\tcase \"comm_open\", \"comm_msg\", \"comm_comm_close\", \"comm_info_request\":\n" +
			"\t\t\t// Handle in a separate goroutine.\n",
		"\t\tcase \"comm_open\", \"comm_msg\", \"comm_close\", \"comm_info_request\":\n" +
			"\t\t\tif cells.Here.Widgets.Message(msgType, msg.ComposedMsg().Content,\n" +
			"\t\t\t\tfunc(kind string, content any, metadata map[string]any, buffers [][]byte) error {\n" +
			"\t\t\t\t\treturn kernel.PublishComm(msg, kind, content, metadata, buffers)\n" +
			"\t\t\t\t}, msg.Reply) {\n" +
			"\t\t\t\treturn\n" +
			"\t\t\t}\n" +
			"\t\t\t// Handle in a separate goroutine.\n",
	},
	{
		"internal/dispatcher/dispatcher.go",
		"\tswitch msgType {\n\tcase \"kernel_info_request\":\n",
		"\tcells.Here.Widgets.Busy(func() { _ = kernel.PublishKernelStatus(msg, kernel.StatusBusy) })\n" +
			"\tdefer cells.Here.Widgets.Busy(nil)\n" +
			"\tswitch msgType {\n\tcase \"kernel_info_request\":\n",
	},
	gonbImport("internal/jpyexec/namedpipes_dispatch.go"),
	{
		"internal/jpyexec/namedpipes_dispatch.go",
		"\tvar err error\n\tif data.DisplayID != \"\" {\n",
		"\tcells.Here.Widgets.Shown(msgData.Data, func(kind string, content any,\n" +
			"\t\tmetadata map[string]any, buffers [][]byte) error {\n" +
			"\t\treturn kernel.PublishComm(exec.Msg, kind, content, metadata, buffers)\n" +
			"\t})\n" +
			"\tvar err error\n\tif data.DisplayID != \"\" {\n",
	},

	// A message that is none of Jupyter's does not end the kernel.
	{
		"internal/kernel/kernel.go",
		"\t\t\t} else {\n\t\t\t\tmsg = k.FromWireMsg(zmqMsg)\n",
		"\t\t\t} else if !cells.Signed(zmqMsg.Frames, k.sockets.Key) {\n" +
			"\t\t\t\tklog.Errorf(\"a message on %q that is not signed with the key of this " +
			"kernel\", socketName)\n" +
			"\t\t\t\tcontinue\n" +
			"\t\t\t} else {\n\t\t\t\tmsg = k.FromWireMsg(zmqMsg)\n",
	},
}

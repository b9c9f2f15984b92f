// Package agents serves a session of metalab to agents, programs that speak the Model Context
// Protocol (MCP) over standard input and output: metalab mcp.
//
// # What an agent finds
//
// Tools are made from the table of verbs of package wire: a verb's name, its sentence, and a schema
// of its arguments. Those that read other machines, run code, or end what is others' are left out;
// see tools. A tool answers with the text that the prompt prints, the same as JSON, and a figure as
// a PNG. Records, journals and tables of experiments are resources. A long call sends progress
// where the client asks for it, and a call that is cancelled ends as ^C ends a step at the prompt.
//
// # What it may do
//
// The session is a host process of its own, with a state folder of its own, unless another session
// is named. Journals name the agent that asked. Files are read and written in one folder alone, and
// nowhere where none is given: links are resolved before the host opens a file. Budgets of
// iterations and of CPU seconds bound the whole session; a step ends exactly at the first, other
// calls a moment after. The source that a record holds is run only where the command line says
// -code.
//
// A session that is named may have other clients; its budgets then count what they use, too.
package agents

// Package agents serves a session of metalab to agents, programs that speak the Model Context
// Protocol (MCP) over standard input and output: metalab mcp.
//
// # An agent's view
//
// Tools derive from the table of verbs of package wire: a verb's name, its sentence, and a schema
// of its arguments. Verbs that read other machines, run code, or end the work of others are
// omitted; see tools. A tool answers with the text of the prompt, the same as JSON, and a figure as
// a PNG. Records, journals and tables of experiments are resources. A long call sends progress if
// the client asks for it, and a cancelled call ends as ^C ends a step at the prompt.
//
// # Permissions
//
// The session is a host process of its own, with a state folder of its own, unless the command line
// names another session. Journals name the agent. The session reads and writes files only in the
// given folder, or nowhere without one: it resolves links before the host opens a file. Budgets of
// iterations and of CPU seconds bound the whole session; a step ends exactly at the first, other
// calls a moment after. A record's source runs only if the command line says -code.
//
// A named session may have other clients; its budgets then include theirs.
package agents

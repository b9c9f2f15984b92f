// Package words is the language of the prompt: how a line is cut into words, what it asks, what
// completes the word that is being typed, and the help.
//
//   - [Lines] cuts a text into commands and these into tokens. The parser, completion and
//     scripts all read these tokens, so that they agree on where a command ends.
//   - [Parse] makes of a command a [Call]: a verb and its arguments. [Ask] sends it to
//     a host.
//   - [Complete] offers what may stand in the place of the last word, from the table of verbs
//     and from what the session knows ([Knowledge]).
//   - [Help] tells about a word: a verb, an argument, a solver, a parameter, a run.
//   - [IsCommand] tells commands from Go, which the prompt takes too.
//
// All of it comes from the one table of verbs, wire.Verbs: a new verb needs nothing here. A new
// kind of argument (wire.Kind) is read in parser.store and completed in completion.value.
package words

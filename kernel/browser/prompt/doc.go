// Package prompt is the prompt in a page: the words of the terminal's, on a host in the same
// program. [Session] carries out what is typed, completes it, and says what happens meanwhile; the
// page draws that. Go that is typed is for another worker, repl/browser/interpreter, which the page
// starts then; see interpreted.go. The seeds of repeats are made by sessions in other workers; see
// seeds.go. There is neither terminal nor socket. Package kernel/browser/metalab serves it in the
// program that pages load, package bundle writes the page.
package prompt

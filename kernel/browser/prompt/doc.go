// Package prompt is the prompt in a page: the words of the terminal's, on a host in the same
// program. [Session] carries out what is typed, completes it, and says what happens meanwhile; the
// page draws that. It has neither terminal nor socket. Command kernel/browser/metalab is the
// program that pages load, package bundle writes the page.
package prompt

// Package reference generates the pages of the reference from the tables of the program: the verbs
// from wire.Verbs, the solvers and their parameters from the variants' declarations, package lab
// and the replies from their sources. So a page agrees with the program. Pages returns them as
// Markdown; the command write writes them into a folder:
//
//	go run ./kernel/reference/write FOLDER
//
// .ci/site generates them with the site; the repository does not contain them. Links between them
// are relative; links to files of the repository begin with a slash.
//
// # Adding a page
//
// A function that returns Pages, in a file of its own, and its name in the list of Pages. A test
// fails if a page cannot be reached from index.md.
package reference

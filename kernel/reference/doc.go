// Package reference makes the pages of the reference from the tables of the program: the verbs from
// wire.Verbs, the solvers and their parameters from what each variant declares, package lab and the
// replies from their sources. So a page says what the program does. Pages returns them as Markdown;
// the command write puts them into a folder:
//
//	go run ./kernel/reference/write FOLDER
//
// They are made with the site (.ci/site) and are not kept in the repository. Links between them are
// relative; links to files of the repository begin with a slash.
//
// # Adding a page
//
// A function that returns Pages, in a file of its own, and its name in the list of Pages. A test
// fails when a page is not reached from index.md.
package reference

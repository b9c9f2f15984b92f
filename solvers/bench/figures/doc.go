// Package figures keeps tables of figures that were measured once, with the machine, the date
// and the command: what a package reaches, and what was tried and left out. They are the
// evidence behind parameters and choices, and stand here so that the packages' documentation
// need not carry them.
//
// The verb bench prints them (bench lists their names), and README.md of this folder shows all
// on one page. What can be measured again by one command as a table with goals is in package
// bench.
//
// # The files
//
// A table is a file NAME.txt: a head of "key: value" lines, in which a line that is indented
// goes on with the value before it, then an empty line, then the table. Its first line names
// the columns; columns are separated by "|", and blanks around them do not count. A file:
//
//	title:   Gap after 1 s of ils by the breadth of its chains
//	about:   solvers/ils
//	machine: one core of an EPYC
//	date:    2026-11-22
//	command: bench tours
//	revisions: ils/queue 3
//	unit:    %
//	note:    Medians of six seeds.
//
//	breadth | pr1002 | pr2392
//	5,3,1   | 0.27   | 0.40
//	4,3,3   | 0.34   | 0.20
//
// revisions are the variants that were measured and the revision that the algorithm of each had, or
// none where no variant was; where rows differ in them they stand in a last column of that name
// instead. A row of another revision than today's is marked, as it says nothing of today's.
//
// All keys but unit and note are needed; several notes are several paragraphs. Machine, date or
// command may say that they were not noted, where a table is older than that rule. about is the
// folder of the package whose figures these are, and orders the page.
//
// To add a table write its file and run
//
//	go generate ./solvers/bench/figures
//
// which writes README.md anew; a test holds it to the files.
package figures

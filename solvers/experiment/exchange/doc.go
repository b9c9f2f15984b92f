// Package exchange carries the results of experiments to other programs, and theirs here.
//
// # Out
//
//	Parquet      four tables in a folder, for pandas, R, Polars, DuckDB
//	IOHprofiler  a folder that IOHanalyzer and IOHinspector open
//	CSV          a row for each unit, for spreadsheets
//	LaTeX        a table of medians for a paper, with the rules of booktabs
//
// The tables of [Parquet], whose columns are the fields of the types:
//
//	runs.parquet         Run: a row for each unit, with its result
//	descriptors.parquet  Descriptor: the parameters of each unit
//	trace.parquet        Trace: the best so far of each unit
//	positions.parquet    Position: the best solution of each unit; none of imported runs, nor of
//	                     those that were made before the store kept solutions
//
// They are joined by unit, the number of the unit. What is not known is null. TRIED.md names the
// programs, with their versions, that have read them.
//
// # The layout of IOHprofiler
//
// A folder for each label, in it for each instance a JSON file about its runs and a folder with
// their traces, as IOHexperimenter writes them. Functions are numbered from 1 in the order of the
// instances and have the instances' names; the instance number, which tells variants of a function
// apart, is 1. Runs are told apart by their order, which is that of the seeds. What is counted as
// evaluations is what the solver counts, or its iterations where it counts nothing. Readers
// recognise the beginning of a run by an evaluation 1: where the first row of a trace is a later
// one, it stands at 1, too. The readers have 16 bits for dimensions: IOHinspector does not open
// instances of more than 65,535 cities.
//
// # In
//
// What CSV and IOHprofiler wrote is read again as what it was: the columns sense and own, and the
// attribute own, say which values are better and which parameters are those of a problem of
// somebody's own, whose values do not compare with others.
//
// [ReadCSV] reads a row for each run, whose columns are mapped by name; [ReadIOHprofiler] reads
// a folder of the layout above. [Add] puts what was read into an experiment, as units that are
// done, whose solver is the other program's name and whose backend is [Backend]. So they stand in
// the same tables, tests and figures.
package exchange

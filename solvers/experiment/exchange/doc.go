// Package exchange exports the results of experiments to other programs, and imports theirs.
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
// They are joined by unit, the number of the unit. Unknown values are null. TRIED.md lists the
// programs that have read them, with their versions.
//
// # The layout of IOHprofiler
//
// A folder for each label, in it for each instance a JSON file about its runs and a folder with
// their traces, as IOHexperimenter writes them. Functions are numbered from 1 in the order of the
// instances and have the instances' names; the instance number, which tells variants of a function
// apart, is 1. Runs are told apart by their order, which is that of the seeds. Evaluations are
// those that the solver counts, or its iterations if it counts nothing. Readers recognise the
// beginning of a run by an evaluation 1: if the first row of a trace is a later one, it also
// appears at 1. The readers have 16 bits for dimensions: IOHinspector does not open instances of
// more than 65,535 cities.
//
// # In
//
// Files of CSV and IOHprofiler are read back without loss: the columns sense and own, and the
// attribute own, say which values are better and which parameters belong to a user's problem, whose
// values do not compare with others.
//
// [ReadCSV] reads a row for each run, whose columns are mapped by name; [ReadIOHprofiler] reads a
// folder of the layout above. [Add] adds the results to an experiment, as finished units whose
// solver is the other program's name and whose backend is [Backend]. So they appear in the same
// tables, tests and figures.
package exchange

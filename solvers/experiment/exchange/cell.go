package exchange

import csvcell "metalab/solvers/experiment/exchange/cell"

// Cell is a text as a cell of a CSV file, see [csvcell.Text].
func Cell(s string) string { return csvcell.Text(s) }

// Cells is Cell for the fields of a line.
func Cells(fields []string) []string { return csvcell.Texts(fields) }

// uncell is the text of a cell that Cell wrote.
func uncell(s string) string { return csvcell.Back(s) }

package exchange

import "metalab/solvers/experiment/exchange/cell"

// Cell is a text as a cell of a CSV file, see [cell.Text].
func Cell(s string) string { return cell.Text(s) }

// Cells is Cell for the fields of a line.
func Cells(fields []string) []string { return cell.Texts(fields) }

// uncell is the text of a cell that Cell wrote.
func uncell(s string) string { return cell.Back(s) }

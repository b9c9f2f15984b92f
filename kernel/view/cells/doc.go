// Package cells is a canvas of gonum/plot whose pixels are the cells of a
// terminal: lines are braille dots (two by four a cell), fills and images are
// half blocks, and text is text, so that the labels of a plot stay crisp and can
// be searched and copied.
//
// A cell is [Width] by [Height] points, so that dots are square and a character
// of Liberation Mono at 10 points is exactly one cell wide: plots whose fonts are
// set to it (see [Font]) are laid out without any rounding.
//
// What is drawn in black or in a dark grey takes the terminal's own ink, so that
// it can be read on dark and on light backgrounds alike. Strokes that are almost
// transparent, as the lines of a grid, are left out.
package cells

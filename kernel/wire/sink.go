package wire

// Graphics is a way to show or to store a picture: one of svg, png, pdf, cells, kitty, iterm, sixel
// and none. Package view, which clients need not link, has names for them.
type Graphics string

// A Sink says what a figure is made of. It is plain data, so that a client sends its own to the
// host that draws.
type Sink struct {
	Graphics Graphics `json:"graphics"`

	// Of a terminal: the cells that the picture takes, at least 1 (0: 80 by 24), the size of a cell
	// in pixels (0: 10 by 20), and the colours it shows: 0 for none, 256, or 24 for 24 bits.
	Cols  int `json:"cols,omitempty"`
	Rows  int `json:"rows,omitempty"`
	CellW int `json:"cell_w,omitempty"`
	CellH int `json:"cell_h,omitempty"`
	Depth int `json:"depth,omitempty"`

	// Grow lets a sheet of several rows of plots take more rows than Rows.
	Grow bool `json:"grow,omitempty"`

	// ASCII draws cells with the characters of ASCII alone.
	ASCII bool `json:"ascii,omitempty"`

	// Tmux wraps pictures of pixels so that tmux passes them on, which needs its
	// option allow-passthrough.
	Tmux bool `json:"tmux,omitempty"`

	// Background is the colour behind the picture as "#rrggbb", white when empty.
	// On a dark one the ink is light. Cells always have the terminal's own.
	Background string `json:"background,omitempty"`

	Size Size `json:"size,omitzero"` // of svg, png and pdf
	DPI  int  `json:"dpi,omitempty"` // of png; 0: 144

	// Colors is how many colours a png has at most, up to 256; 0: all. It is a fraction as
	// large with few.
	Colors int `json:"colors,omitempty"`

	// Kept is a png as a notebook keeps it, small and sharp; Quick makes that one coarser, in a
	// third of the time: another one follows it soon.
	Kept  bool `json:"kept,omitempty"`
	Quick bool `json:"quick,omitempty"`
}

// Size is the size of a picture in points, 1/72 inch. Zero stands for the figure's own.
type Size struct {
	W float64 `json:"w,omitempty"`
	H float64 `json:"h,omitempty"`
}

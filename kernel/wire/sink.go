package wire

// Graphics is the form of a picture: one of svg, png, pdf, cells, kitty, iterm, sixel and none.
// Package view, which clients need not link, has names for them.
type Graphics string

// A Sink is the target of a figure. It is plain data, so that a client can send its own to the host
// that draws.
type Sink struct {
	Graphics Graphics `json:"graphics"`

	// The size of the picture in a terminal in cells, at least 1 (0: 80 by 24), the size of a cell in
	// pixels (0: 10 by 20), and the terminal's colours: 0 for none, 256, or 24 for 24 bits.
	Cols  int `json:"cols,omitempty"`
	Rows  int `json:"rows,omitempty"`
	CellW int `json:"cell_w,omitempty"`
	CellH int `json:"cell_h,omitempty"`
	Depth int `json:"depth,omitempty"`

	// Grow lets a sheet with several rows of plots use more rows than Rows.
	Grow bool `json:"grow,omitempty"`

	// ASCII draws cells with ASCII characters only.
	ASCII bool `json:"ascii,omitempty"`

	// Tmux wraps pictures of pixels so that tmux passes them on; tmux needs its option
	// allow-passthrough.
	Tmux bool `json:"tmux,omitempty"`

	// Background is the colour behind the picture as "#rrggbb", white when empty. On a dark one the
	// ink is light. Cells always have the terminal's own background.
	Background string `json:"background,omitempty"`

	Size Size `json:"size,omitzero"` // of svg, png and pdf
	DPI  int  `json:"dpi,omitempty"` // of png; 0: 144

	// Colors is the largest number of colours of a png, up to 256; 0: all. Few colours make it much
	// smaller.
	Colors int `json:"colors,omitempty"`

	// Kept requests a png for a notebook, small and sharp. Quick makes that one coarser, in a third of
	// the time, for a picture that another one will follow soon.
	Kept  bool `json:"kept,omitempty"`
	Quick bool `json:"quick,omitempty"`
}

// Size is the size of a picture in points, 1/72 inch. Zero stands for the figure's own size.
type Size struct {
	W float64 `json:"w,omitempty"`
	H float64 `json:"h,omitempty"`
}

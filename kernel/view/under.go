package view

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"metalab/kernel/view/cells"
)

// fewEdges is a number of edges that every canvas shows.
const fewEdges = 200

// below reserves the room for a line of text below a map of so many edges, if they may be too
// many to be drawn.
func below(edges int) []plot.GlyphBox {
	if edges <= fewEdges {
		return nil
	}
	return []plot.GlyphBox{{X: 0.5, Y: 0, Rectangle: vg.Rectangle{Min: vg.Point{Y: -row}}}}
}

// under writes a line below a map: what is left out, and how to have it, where there is room.
func under(c draw.Canvas, to target, plt *plot.Plot, text, hint string) {
	style := draw.TextStyle{
		Font: to.font(markSize), Color: ink, Handler: plt.X.Label.TextStyle.Handler, XAlign: draw.XCenter,
	}
	if width := c.Size().X / to.slack(); style.Width(text+hint) <= width {
		text += hint
	} else {
		text = cut(style, text, width)
	}
	y := c.Min.Y - row + 3
	if to.cells {
		y = vg.Length(int((c.Min.Y-1)/cells.Height)) * cells.Height
	}
	c.FillText(style, vg.Point{X: c.Center().X, Y: y}, text)
}

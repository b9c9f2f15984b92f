// Package reply holds the answers of a host: replies as data, as text and as HTML. Public:
// solvers/internal/api/api.txt lists the declarations that programs may rely on.
//
// The host sends a [Reply], a struct, as JSON. String returns the text for a prompt, HTML the form
// for a notebook or a page; the client computes both from the data alone. A reply with a shorter
// text for narrow screens is also a [Fitter]. Many replies share [Status] (of a run), [Param] (a
// parameter), [Point] (of a history), [Change] (of a journal) and [Num] (a number that is null in
// JSON if unknown).
//
// A new reply gets its own file, such as waves.go. Older ones share files: their data is in
// replies*.go, their text in text*.go, their HTML in html*.go. Text and HTML mostly show the same
// rows: a method rows returns them, table formats them as text and htmlTable as HTML. Pass names
// from outside through [Printable] in text, and through [Escape] in HTML; a test fills every reply
// with hostile names and checks that.
//
// The package imports nothing of ours but solvers/record: every cell of a notebook links it.
package reply

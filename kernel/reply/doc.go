// Package reply is what a host answers: replies as data, as text and as HTML.
//
// A [Reply] is a struct that is sent as JSON. Its String is the text that a prompt prints, its HTML
// what a notebook or a page shows; both are made by the client, from the data alone. A reply with a
// shorter text for narrow screens is a [Fitter], too. The parts that many replies share are
// [Status] (of a run), [Param] (a parameter), [Point] (of a history), [Change] (of a journal) and
// [Num] (a number that is null in JSON when it is not known).
//
// A reply has its own file, as waves.go, which is best for new ones, or is in files with others:
// its data in replies*.go, its text in text*.go, its HTML in html*.go. Text and HTML are mostly
// made from the same rows: a method rows returns them, table formats them as text and htmlTable as
// HTML. Names in text that come from outside go through [Printable], in HTML through [Escape]; a
// test fills every reply with hostile names and checks that.
//
// The package imports nothing of ours but solvers/record: every cell of a notebook links it.
package reply

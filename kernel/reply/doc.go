// Package reply is what a host answers: replies as data, as text and as HTML.
//
// A [Reply] is a struct that is sent as JSON. Its String is the text that a prompt prints, its
// HTML what a notebook or a page shows; both are made by the client, from the data alone. A
// reply that has less to say on a narrow screen is a [Fitter], too. The parts that many replies
// share are [Status] (how a run stands), [Param] (a parameter), [Point] (of a history), [Change]
// (of a journal) and [Num] (a number that is null in JSON when it is not known).
//
// A reply has a file of its own, or stands with those of its kind: its data in replies*.go, its
// text in text*.go, its HTML in html*.go; new ones are best kept in one file, as waves.go. Text
// and HTML are mostly made of the same rows: a method rows returns them, table lays them out as
// text and htmlTable as HTML. Names in text that come from outside go through [Printable], in
// HTML through [Escape]; a test fills every reply with hostile names and checks that.
//
// The package imports nothing of ours but solvers/record: every cell of a notebook links it.
package reply

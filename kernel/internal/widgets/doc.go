// Package widgets is the kernel's side of Jupyter's widgets: it speaks version 2 of their
// protocol, so that a front end which has ipywidgets shows sliders, fields, buttons and pictures
// without any JavaScript of ours.
//
// A [Model] is the state of a control. It lives in the kernel's process, not in a cell's program,
// which ends: so a control works while a cell runs and after it ended. The [Manager] tells front
// ends of models and of what changes in them, no more than 20 times a second and the last value
// always, and hears what a hand changes in a page. All windows see the same models, and a page that
// is loaded anew asks for their states.
//
// [Saved] is what a notebook keeps of models, from which pages without a kernel show them.
//
// The protocol: https://github.com/jupyter-widgets/ipywidgets, packages/schema, messages.md. What
// this package says is compared in its tests, field by field, with what ipywidgets 8.1.5 says for
// the same controls.
package widgets

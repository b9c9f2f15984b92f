// Package widgets is the kernel's side of Jupyter's widgets: it speaks version 2 of their protocol,
// so that a front end which has ipywidgets shows sliders, fields, buttons and pictures without any
// JavaScript of ours.
//
// A [Model] is the state of a control. It lives in the kernel's process, not in a cell's program,
// which ends: so a control works while a cell runs and after it ended. The [Manager] reports models
// and their changes to front ends, no more than 20 times a second and always the last value, and
// receives changes that a user makes in a page. All windows see the same models, and a reloaded
// page asks for their states.
//
// [Saved] is the part of models that a notebook stores, from which pages without a kernel show
// them.
//
// The protocol: https://github.com/jupyter-widgets/ipywidgets, packages/schema, messages.md. Tests
// compare this package's messages, field by field, with those of ipywidgets 8.1.5 for the same
// controls.
package widgets

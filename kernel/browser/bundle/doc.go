// Package bundle writes records as pages that make their runs again in a reader's browser, and
// builds what such a page needs for it: the engine, one file that pages of one folder share.
//
//	e, err := bundle.Build(ctx, root, cache, progress)
//	err = bundle.Page{Record: rec, Instance: inst, Engine: e}.Write(w)
//
// # The engine's file
//
// It is called metalab-HASH.js, where HASH is of the sources and the version of Go. It is a script
// and not a .wasm, for a page that is opened from a disk may load scripts that lie beside it and
// nothing else; it holds package browser/engine as WebAssembly, compressed, and the wasm_exec.js of
// the Go that compiled it, both in base64. Where there is no Go, a file that was built elsewhere is
// named, see [Open].
//
// # The page
//
// page.html is the template, page.css its style. The scripts are engine.js (loading the engine, and
// workers), draw.js (live figures) and page.js (the page's own); worker.js is what a worker is
// besides the engine. Without JavaScript the figures, parameters and changes of the record are read
// all the same. A page asks no server for anything but the engine's file, and works under any path.
//
// # The prompt
//
// [PromptPage] is a page with a prompt; its engine, the program [Prompt], is a file of its own,
// metalab-prompt-HASH.js. prompt.html, prompt.css and prompt.js are the page, memfs.js the files
// that Go finds there, promptworker.js the worker; promptfiles.js has the files that are taken home
// or dropped on the page, promptkeep.js what the browser keeps from one opening to the next;
// promptlive.js shows what is more than text, and promptseeds.js has the seeds of repeats made by
// more workers. Go that is typed there is carried out by the same program, started once more in a
// second worker; promptgo.js lets the two talk.
package bundle

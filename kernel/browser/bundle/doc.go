// Package bundle writes records as pages that replay their runs in a reader's browser, and builds
// the engine that such a page needs: one file that pages of one folder share.
//
//	e, err := bundle.Build(ctx, root, cache, progress)
//	err = bundle.Page{Record: rec, Instance: inst, Engine: e}.Write(w)
//
// # The engine's file
//
// Its name is metalab-HASH.js, where HASH covers the sources and the version of Go. It is a script
// and not a .wasm, since a page opened from a disk may load only scripts beside it. It holds
// package browser/engine as WebAssembly, compressed, and the wasm_exec.js of the Go that compiled
// it, both in base64. Without Go, [Open] reads a file built elsewhere.
//
// # The page
//
// page.html is the template, page.css its style. The scripts are engine.js (loading the engine, and
// workers), draw.js (live figures) and page.js (the page's own); worker.js is a worker's part
// besides the engine. Without JavaScript the page still shows the figures, parameters and changes
// of the record. A page asks no server for anything but the engine's file, and works under any
// path.
//
// # The prompt
//
// [PromptPage] is a page with a prompt; its engine, the program [Prompt], is a file of its own,
// metalab-prompt-HASH.js. prompt.html, prompt.css and prompt.js are the page, memfs.js the files
// that Go finds there, promptworker.js the worker; promptfiles.js handles files that users download
// or drop on the page, promptkeep.js the data that the browser stores between visits; promptlive.js
// shows interactive replies, and promptseeds.js runs the seeds of repeats on more workers. A second
// instance of the same program, in another worker, runs Go that users type; promptgo.js connects
// the two.
package bundle

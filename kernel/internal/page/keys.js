// Keys that are pressed in a page in a notebook's cell stay there.
//
// A notebook listens for its shortcuts at the document, and decides by the element that has the
// focus whether a key is one: "d d" deletes a cell, "5" makes it a heading. Of a tree of
// elements of its own, as our pages are, it sees neither the element nor that the focus moves
// from one to another. So keys are caught before they reach the document, and our elements get
// copies that do not leave their tree. What the browser itself does at a key, as to type a digit
// or to move on by Tab, goes on.

// keepKeys keeps the keys that are pressed within a tree from the page around it.
function keepKeys(tree) {
  const key = Symbol.for("metalab keys")
  if (!globalThis[key]) {
    const trees = globalThis[key] = new WeakSet()
    const keep = e => {
      const path = e.composedPath()
      if (!path.some(n => trees.has(n)) || saves(e)) return
      e.stopImmediatePropagation()
      const {key, code, location, repeat, isComposing, ctrlKey, shiftKey, altKey, metaKey} = e
      const copy = new KeyboardEvent(e.type, {key, code, location, repeat, isComposing, ctrlKey, shiftKey, altKey, metaKey, bubbles: true, cancelable: true})
      if (!path[0].dispatchEvent(copy)) e.preventDefault()
    }
    for (const kind of ["keydown", "keypress", "keyup"]) addEventListener(kind, keep, true)
  }
  globalThis[key].add(tree)
}

// saves reports whether a key saves the notebook, which it may from everywhere.
function saves(e) { return (e.ctrlKey || e.metaKey) && !e.altKey && !e.shiftKey && e.key.toLowerCase() === "s" }

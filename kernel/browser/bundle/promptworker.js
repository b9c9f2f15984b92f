// The worker of a prompt: files in memory and Go's wasm_exec.js stand before this. Its first message
// is the compiled engine; later ones are [id, request], [id] to give one up, [key, answer, true] to
// a call that Go made, {name, bytes}, a file of the reader's, {path, bytes}, an autosave that the page
// has kept, and {keep: true}, which is answered with the autosaves that were changed.
let ask = [], ready = false, running = null

self.metalabSay = (id, text) => {
  spill()
  if (id !== "") return postMessage([id, text, running.exports.mem.buffer.byteLength, changes()])
  ready = true
  postMessage(["ready", "{}", running.exports.mem.buffer.byteLength, []])
  ask.forEach(m => self.metalabAsk(...m))
  ask = []
}

self.onmessage = e => {
  if (e.data instanceof WebAssembly.Module) {
    const go = new Go()
    go.argv = ["metalab", self.metalabIs || "prompt"]
    go.env = {HOME: "/files", METALAB_STATE: "/state", XDG_RUNTIME_DIR: "/state", TMPDIR: "/tmp", METALAB_DATA: "/files", XDG_CACHE_HOME: "/state", LANG: "C.UTF-8"}
    if (self.metalabPrint) go.env.TMPDIR = "/files" // what Go writes there, the runs find
    WebAssembly.instantiate(e.data, go.importObject).then(i => {
      running = i
      return go.run(i)
    }).then(
      () => postMessage(["", "the engine ended"]), err => postMessage(["", String(err)]))
  } else if (e.data.keep) postMessage(["kept", "", 0, drained(saved, "")])
  else if (e.data.path) putSaved(e.data.path, e.data.bytes)
  else if (!Array.isArray(e.data)) put(e.data.name, e.data.bytes)
  else if (e.data.length === 3) self.metalabAnswer(e.data[0], e.data[1])
  else if (e.data.length === 2) {
    if (ready) self.metalabAsk(...e.data)
    else ask.push(e.data)
  } else if (ready) self.metalabStop(e.data[0])
  else ask = ask.filter(m => m[0] !== e.data[0])
}

// A worker: Go's wasm_exec.js stands before this. Its first message is the compiled engine, later
// ones are [id, request] and [id] to give one up.
let ask = [], ready = false, running = null

self.metalabSay = (id, text) => {
  if (id !== "") return postMessage([id, text, running.exports.mem.buffer.byteLength])
  ready = true
  ask.forEach(m => self.metalabAsk(...m))
  ask = []
}

self.onmessage = e => {
  if (!Array.isArray(e.data)) {
    const go = new Go()
    WebAssembly.instantiate(e.data, go.importObject).then(i => {
      running = i
      return go.run(i)
    }).then(
      () => postMessage(["", "the engine ended"]), err => postMessage(["", String(err)]))
  } else if (e.data.length === 2) {
    if (ready) self.metalabAsk(...e.data)
    else ask.push(e.data)
  } else if (ready) self.metalabStop(e.data[0])
  else ask = ask.filter(m => m[0] !== e.data[0])
}

// The engine, as a page has it: its file is loaded when it is first wanted, and works in workers.

// bytesOf64 turns base64 into bytes.
function bytesOf64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text)
  const raw = atob(text), bytes = new Uint8Array(raw.length)
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i)
  return bytes
}

// unpacked turns base64 of gzip into a stream of what was compressed.
function unpacked(text) {
  const bytes = bytesOf64(text)
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")))
}

// arrived is the engine's file, once its script ran: {hash, go, raw, exec, wasm}.
let arrived = null, arrival = null

self.metalabEngine = file => {
  arrived = file
  arrival = null
}

// beside loads a file that lies beside the page; it is what it leaves behind.
function beside(name, what, left, hint = "") {
  return new Promise((done, fail) => {
    const s = document.createElement("script")
    s.src = name
    s.onload = () => left() ? done(left()) : fail(new Error(`${name} is no engine of metalab`))
    s.onerror = () => fail(new Error(`${what} is not beside this page: put the file ${name} there${hint}`))
    document.head.append(s)
  })
}

// fileOf loads the engine's file that lies beside the page, unless it is there.
async function fileOf(name) {
  return arrived || beside(name, "the engine", () => arrived, ", or choose it here")
}

// compiled is the engine, once for all workers.
function compiled(name) {
  arrival = arrival || fileOf(name).then(async file => ({
    file, module: await WebAssembly.compile(await unpacked(file.wasm).arrayBuffer()),
  }))
  arrival.catch(() => { arrival = null })
  return arrival
}

class Stopped extends Error {}

class Refused extends Error {
  constructor(event) {
    super(event.error)
    this.wanted = event.wanted
  }
}

// A Bench is a worker with the engine, which has the record of the page open.
class Bench {
  constructor(name, opening) {
    this.name = name
    this.opening = opening
    this.worker = null
    this.asked = new Map()
    this.last = 0
    this.memory = 0 // bytes that the engine has
  }

  // start starts the worker and opens the record; it returns what the engine says of it.
  start() {
    this.opened = this.opened || this.begin()
    this.opened.catch(() => { this.opened = null })
    return this.opened
  }

  async begin() {
    const {file, module} = await compiled(this.name)
    const script = URL.createObjectURL(new Blob([atob(file.exec), "\n", workerScript], {type: "text/javascript"}))
    this.worker = new Worker(script)
    this.worker.onmessage = e => this.hear(...e.data)
    this.worker.onerror = e => this.end(new Error(e.message || "the engine failed"))
    this.worker.postMessage(module)
    return (await this.ask(this.opening)).opened
  }

  hear(id, text, memory) {
    this.memory = memory
    if (id === "") return this.end(new Error(text))
    const asked = this.asked.get(id)
    if (!asked) return
    const event = JSON.parse(text)
    if (event.kind === "progress") return void asked.each(event)
    this.asked.delete(id)
    if (event.kind === "done") asked.done(event)
    else asked.fail(event.stopped ? new Stopped("stopped") : new Refused(event))
  }

  // ask asks the engine for something; each gets its events.
  ask(request, each = () => {}) {
    const id = String(++this.last)
    return new Promise((done, fail) => {
      this.asked.set(id, {done, fail, each})
      this.worker.postMessage([id, JSON.stringify(request)])
    })
  }

  // do is ask of an engine that has the record open.
  async do(request, each) {
    await this.start()
    return this.ask(request, each)
  }

  // stop gives up what was asked for: an engine that does not hear, in a long iteration, is ended.
  stop() {
    for (const id of this.asked.keys()) this.worker.postMessage([id])
    const waiting = [...this.asked.keys()]
    setTimeout(() => {
      if (waiting.some(id => this.asked.has(id))) this.end(new Stopped("stopped"))
    }, 1500)
  }

  // end ends the worker; what was asked for fails.
  end(why) {
    if (this.worker) this.worker.terminate()
    this.worker = this.opened = null
    for (const a of this.asked.values()) a.fail(why)
    this.asked.clear()
  }
}

// Go at the prompt of a page: the engine once more, in a worker of its own, which is started when Go
// is first typed. What it asks of the runs goes to the prompt's worker.

// A Gopher is the worker of Go.
class Gopher extends Desk {
  async begin() {
    const {file, module} = await compiled(this.name)
    this.calls = new Map() // of the prompt's engine that Go made: their ids there, by their keys
    await this.work(file, module, `self.metalabIs = "go"; self.metalabPrint = text => postMessage(["print", JSON.stringify(text), 0, []])`)
    give(this, [...files].map(([name, bytes]) => ({name, bytes})))
  }

  hear(id, text, memory, changed) {
    if (id === "") return this.gone(text)
    this.memory = memory || this.memory
    if (changed && changed.length) {
      changes(changed)
      spread(changed, this)
    }
    if (id === "ready") return this.ready()
    const said = JSON.parse(text)
    if (id === "print") print(said)
    else if (id === "note") print("· " + said, "told")
    else if (id === "call") this.call(said)
    else if (id === "drop") {
      if (desk && this.calls.has(said)) desk.withdraw(this.calls.get(said))
    } else this.answered(id, said)
  }

  // call asks the prompt's engine for what Go wants of it.
  async call({key, verb, body}) {
    let answer
    try {
      await begin()
      this.calls.set(key, String(desk.last + 1))
      const done = await desk.ask({do: "call", verb, body}, shown)
      answer = {raw: done.raw}
    } catch (err) {
      answer = {text: err.message, code: err.code || "host"}
    }
    this.calls.delete(key)
    if (verb === "watch") picture()
    if (this.worker) this.worker.postMessage([key, JSON.stringify(answer), true])
  }

  // gone says that Go has ended.
  gone(why) {
    gopher = null
    print(`Go has ended (${why}), and its variables with it; the runs are there, and the next line of Go starts another.`, "wrong")
    this.end(new Stopped("stopped"))
  }
}

// startGo starts Go, unless it is there.
async function startGo() {
  gopher = gopher || new Gopher(engineName, null)
  const g = gopher
  try {
    await g.start()
  } catch (err) {
    if (gopher === g) gopher = null
    throw err
  }
  return g
}

// goes lets Go do what the prompt's engine wishes, and tells it what came of that.
async function goes({key, do: what, text, cols}) {
  const went = {key}
  try {
    const done = await (await startGo()).ask({do: what, text, cols}, shown)
    went.more = Boolean(done.more)
    went.text = done.text
  } catch (err) {
    went.error = err.message
    went.stopped = err instanceof Stopped
  }
  if (desk) desk.ask({do: "went", went}).catch(() => {})
}

// completeGo offers completions of Go.
const completeGo = async text => (await startGo()).ask({do: "complete", text})

// Where a page cannot reach the host, a cell that runs lab.Relay passes on what it asks,
// through Jupyter's own connection, in GoNB's messages: texts at addresses.

class Relay {
  constructor(session) {
    this.session = session
    this.id = Array.from(crypto.getRandomValues(new Uint32Array(2)), n => n.toString(36)).join("")
    this.who = "sliders"
    this.kind = "relay"
    this.waiting = new Map()
    this.calls = 0
    this.comm = null
  }

  // find looks for a cell that relays, again and again, and resolves when there is one.
  async find() {
    for (;; await pause(1000)) {
      const comm = globalThis.gonb_comm
      if (!comm) continue
      if (comm !== this.comm) {
        this.comm = comm
        comm.subscribe(`/metalab/${this.session}/say`, (_, text) => this.hear(JSON.parse(text)))
      }
      try {
        const hello = await this.call("hello", {}, 1500)
        this.who = hello.who
        return hello
      } catch { /* nobody relays yet */ }
    }
  }

  // call asks and waits for the answer.
  call(path, body, limit = 60000) {
    return new Promise((done, fail) => {
      const id = ++this.calls
      const timer = setTimeout(() => {
        this.waiting.delete(id)
        fail(new Refusal(504, {message: "the cell that relays does not answer"}))
      }, limit)
      this.waiting.set(id, {done, fail, timer})
      this.comm.send(`/metalab/${this.session}/ask`, JSON.stringify({from: this.id, id, path, body: body ?? {}}))
    })
  }

  hear(m) {
    if (m.bye) {
      for (const w of this.waiting.values()) {
        clearTimeout(w.timer)
        w.fail(new Refusal(504, {message: "the cell that relays has ended"}))
      }
      this.waiting.clear()
      this.state && this.state("gone", "the cell that relays has ended: run it again")
      return
    }
    if (m.events) {
      if (this.heard) m.events.forEach(this.heard)
      return
    }
    const w = m.to === this.id && this.waiting.get(m.id)
    if (!w) return
    this.waiting.delete(m.id)
    clearTimeout(w.timer)
    if (m.error) w.fail(new Refusal(422, m.error))
    else w.done(m.body)
  }

  ask(path, body) { return this.call(path, body) }

  figure(q) { return this.call("figure", q) }

  async record(run, form) { return new Blob([(await this.call("record", {run, form})).text]) }

  // events calls heard for every event until the cell ends.
  async events(heard, state) {
    this.heard = heard
    this.state = state
    state("live")
  }
}

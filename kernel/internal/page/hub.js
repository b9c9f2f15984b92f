// The stream of events, one for a browser: it allows six connections to a host, and each
// stream holds one for as long as a page is open. The pages of an origin agree by a lock on
// who reads the stream and tells the others; when that page is closed, another goes on from
// the event that came last. The cells of a page share their part.

class Hub {
  constructor(link) {
    this.link = link
    this.listeners = new Set()
    this.state = null // what was said of the stream: {state, why}
    this.last = ""    // id of the latest event
    this.leading = false
  }

  add(heard, state) {
    this.listeners.add({heard, state})
    if (this.state) state(this.state.state, this.state.why)
  }

  // say passes on what came: an event with its id, or the state of the stream.
  say(m) {
    if (m.id) this.last = m.id
    if (m.state) this.state = m
    for (const l of [...this.listeners]) {
      if (m.state) l.state(m.state, m.why)
      else l.heard(m.event)
    }
  }

  async run() {
    if (!navigator.locks || !globalThis.BroadcastChannel) return this.read(m => this.say(m))
    const name = `metalab ${this.link.base || location.origin}`
    const channel = new BroadcastChannel(name)
    channel.onmessage = ({data: m}) => {
      if (m.ask) return void (this.leading && this.state && channel.postMessage({...this.state, id: this.last}))
      if (!this.leading) this.say(m)
    }
    channel.postMessage({ask: true})
    await navigator.locks.request(name, async () => {
      this.leading = true
      await this.read(m => {
        this.say(m)
        if (!m.refused) channel.postMessage(m) // another page may have a token that is good
      })
    })
    channel.close()
  }

  // read reads the stream for as long as there is a host.
  async read(say) {
    for (let failures = 0; failures < 7;) { // for ten seconds or so
      try {
        const r = await this.link.post("events", {}, {headers: this.last ? {"Last-Event-ID": this.last} : {}})
        failures = 0
        say({state: "live"})
        await this.events(r.body, say)
      } catch (e) {
        if (e instanceof Refusal) return say({state: "gone", why: e.message, refused: true})
      }
      say({state: "lost"})
      await pause(Math.min(250 * 2 ** failures++, 3000))
    }
    say({state: "gone", why: "the host has ended"})
  }

  // events reads events until the stream breaks.
  async events(body, say) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader()
    for (let text = ""; ;) {
      const {value, done} = await reader.read()
      if (done) return
      const events = (text + value).split("\n\n")
      text = events.pop()
      for (const event of events) {
        let data = "", id = ""
        for (const line of event.split("\n")) {
          if (line.startsWith("id: ")) id = line.slice(4)
          else if (line.startsWith("data: ")) data += line.slice(6)
        }
        if (data) say({id, event: JSON.parse(data)})
        else if (id) this.last = id
      }
    }
  }
}

// hubOf is the hub of the page for a host.
function hubOf(link) {
  const key = Symbol.for("metalab")
  const hubs = globalThis[key] = globalThis[key] || new Map()
  let hub = hubs.get(link.base)
  if (!hub || (hub.state && hub.state.state === "gone")) {
    hub = new Hub(link)
    hubs.set(link.base, hub)
    hub.run().catch(e => console.error(e))
  }
  return hub
}

// Workers: who makes units elsewhere, of the broker that the session used last.

// Workers are what a page knows of them. No event tells of workers, so it asks again and again:
// often where there is a broker, seldom where there is none.
class Workers {
  constructor(model) {
    this.link = model.link
    this.broker = ""
    this.line = ""
    this.list = []
    this.views = new Set()
    this.timer = 0
    this.gone = false
    document.addEventListener("visibilitychange", () => this.read())
    model.views.add((what, e) => {
      if (what === "state" && e.state === "gone") this.gone = true
      else if (what === "experiment" && !this.broker || what === "state" && e.state === "live") this.read()
    })
  }

  // read asks at once, unless an answer is under way.
  async read() {
    clearTimeout(this.timer)
    if (this.busy || this.gone || document.hidden) return
    this.busy = true
    try {
      const r = await this.link.ask("do/workers", {})
      this.broker = r.broker
      this.line = r.line || ""
      this.list = r.workers || []
    } catch { // a broker that does not answer has no workers that could be shown
      this.list = []
    }
    this.busy = false
    for (const v of this.views) v()
    this.timer = setTimeout(() => this.read(), this.broker ? 2000 : 10000)
  }

  // order tells a worker to drain or stop.
  async order(name, what) {
    const r = await this.link.ask("do/worker", {name, do: what})
    this.read()
    return r.note
  }
}

// workStateOf is how a worker stands, in words, and the class of its badge.
function workStateOf(w) {
  if (w.draining) return ["drains", "is-failed"]
  if (w.making.length) return ["working", "is-running"]
  return w.cores + w.gpus ? ["waiting", ""] : ["gets no units", "is-failed"] // of another version
}

// memoryText is an amount of memory that is given in MB.
const memoryText = mb => mb == null ? "–" : mb < 1000 ? `${Math.round(mb)}${thin}MB` : `${(mb / 1000).toFixed(1)}${thin}GB`

// workerRowOf is the row of a worker, and the one below it that says why it gets no units.
function workerRowOf(workers, name) {
  const texts = {machine: el("span"), cores: el("span"), making: el("span"), made: el("span"), failed: el("span"), speed: el("span"), memory: el("span"), heard: el("span")}
  const badge = el("b.badge"), why = el("td.why", {colspan: 11}), below = el("tr.below", {hidden: true}, why)
  const button = (what, label, title) => el("button", {type: "button", title, "aria-label": `${what} worker ${name}`, onclick: saving(async () => say(await workers.order(name, what)))}, label)
  const drain = button("drain", "Drain", "it ends when its units under way are made")
  const stop = button("stop", "Stop", "it ends now; its units under way go to others")
  const row = el("tr", {"data-worker": name}, el("td", null, el("b", null, name)), el("td", null, badge), el("td.wide.what", null, texts.machine), el("td.n.mid", null, texts.cores),
    el("td.n", {"data-label": "under way"}, texts.making), el("td.n", {"data-label": "made"}, texts.made), el("td.n.mid", null, texts.failed), el("td.n.mid", null, texts.speed), el("td.n.mid", null, texts.memory), el("td.n.mid", null, texts.heard),
    el("td", null, el("div.bar", null, drain, stop)))
  const show = w => {
    const [word, cls] = workStateOf(w)
    setText(badge, word)
    badge.className = `badge ${cls}`
    setText(texts.machine, w.machine)
    texts.machine.title = w.build
    setText(texts.cores, w.gpus ? `${w.cores} + ${w.gpus}${thin}GPU${w.gpus > 1 ? "s" : ""}` : String(w.cores))
    setText(texts.making, String(w.making.length))
    texts.making.title = w.making.join("\n")
    setText(texts.made, number(w.made))
    setText(texts.failed, w.failed ? number(w.failed) : "–")
    texts.failed.className = w.failed ? "bad" : ""
    setText(texts.speed, w.speed == null ? "–" : number(w.speed, 3))
    setText(texts.memory, memoryText(w.memory_mb))
    setText(texts.heard, w.heard_s == null ? "–" : `${Math.round(w.heard_s)}${thin}s ago`)
    drain.disabled = w.draining
    setText(why, (w.why || []).join("; "))
    below.hidden = !(w.why && w.why.length)
  }
  return {parts: [row, below], show}
}

// workersOf is the list of all.
function workersOf(workers) {
  const rows = el("tbody"), none = el("p.quiet", null, "No worker has joined."), line = el("code"), where = el("span.quiet")
  const head = el("tr", null, el("th", null, "worker"), el("th", null, "state"), el("th.wide", null, "machine"), el("th.n.mid", null, "cores"), el("th.n", null, "under way"), el("th.n", null, "made"), el("th.n.mid", null, "failed"),
    el("th.n.mid", {title: "units a minute since it joined"}, "a minute"), el("th.n.mid", null, "memory"), el("th.n.mid", {title: "by the broker's clock"}, "heard"), el("th", null, ""))
  const table = el("table", null, el("thead", null, head), rows)
  const box = el("section.card.runs.workers", {"aria-label": "workers"}, table, el("div.foot", null, none, where, el("span.quiet", null, "another joins by ", line)))
  let shown = new Map(), order = ""
  const show = () => {
    const names = workers.list.map(w => w.name).join(" ")
    if (names !== order) { // rows that stay are kept, with the focus in them
      order = names
      shown = new Map(workers.list.map(w => [w.name, shown.get(w.name) || workerRowOf(workers, w.name)]))
      const want = [...shown.values()].flatMap(r => r.parts)
      for (const e of [...rows.children]) if (!want.includes(e)) e.remove()
      want.forEach((e, i) => {
        if (rows.children[i] !== e) rows.insertBefore(e, rows.children[i] || null)
      })
    }
    for (const w of workers.list) shown.get(w.name).show(w)
    table.hidden = !workers.list.length
    none.hidden = !!workers.list.length
    setText(where, `broker ${workers.broker}`)
    setText(line, workers.line)
  }
  workers.views.add(show)
  return {box}
}

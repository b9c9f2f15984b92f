// What a page knows of the runs. It asks once and then listens; views are told when
// something that they show is another.

class Run {
  constructor(status) {
    this.name = status.run
    this.status = status
    this.params = []
    this.journal = []
    this.show = null    // kind, measures, seed and so on
    this.rate = null    // iterations a second, lately
    this.marks = []     // [iteration, seconds] of the last two seconds of iterating
    this.views = new Set()
  }

  going() { return this.status.state === "running" || this.status.state === "stepping" }

  take(status) {
    this.status = {...this.status, repeat: undefined, ...status}
    const now = [this.status.iteration, this.status.wall_s]
    const last = this.marks[this.marks.length - 1]
    if (last && now[1] > last[1]) this.marks.push(now)
    else if (!last || now[0] < last[0]) this.marks = [now]
    while (this.marks.length > 2 && now[1] - this.marks[1][1] > 1.5) this.marks.shift()
    const [i, s] = this.marks[0]
    if (now[1] > s) this.rate = (now[0] - i) / (now[1] - s)
  }

  // tell tells the views: what is "status", "params", "journal" or "closed".
  tell(what, detail) { for (const v of this.views) v(what, detail) }

  param(name) { return this.params.find(p => p.name === name) }

  // knows tells whether the journal has a change.
  knows(change) { return this.journal.some(c => c.at === change.at && c.name === change.name) }
}

class Model {
  // only is the name of the one run that the page shows; without it the page shows all.
  constructor(link, only) {
    this.link = link
    this.only = only
    this.runs = new Map()
    this.views = new Set()
    this.adopting = new Map() // what is under way, by run
  }

  tell(what, detail) { for (const v of this.views) v(what, detail) }

  // start loads the runs, and listens from then on.
  async start() {
    let ready
    const loaded = new Promise(done => { ready = done })
    const early = []
    let hear = e => early.push(e)
    const stream = this.link.events(e => hear(e), (state, why) => {
      if (state === "gone") this.end()
      this.tell("state", {state, why})
      if (state === "live") this.load().then(ready, ready)
    })
    await loaded
    hear = e => this.hear(e)
    early.forEach(hear)
    stream.catch(e => console.error(e)) // it goes on for as long as the page
  }

  async load() {
    const list = await this.link.ask("do/runs", {})
    const names = new Set()
    for (const status of list.runs) {
      if (this.only && status.run !== this.only) continue
      names.add(status.run)
      await this.adopt(status)
    }
    for (const name of [...this.runs.keys()]) if (!names.has(name)) this.drop(name)
    this.tell("runs")
  }

  // adopt takes in a run, new or known, with all that is shown of it. Events that come
  // meanwhile wait.
  adopt(status) {
    const name = status.run
    let under = this.adopting.get(name)
    if (!under) {
      under = {wait: []}
      this.adopting.set(name, under)
      under.done = this.fetch(this.runs.get(name) || new Run(status), status).finally(() => {
        this.adopting.delete(name)
        if (this.runs.has(name)) under.wait.forEach(e => this.hear(e))
      })
    }
    return under.done
  }

  async fetch(run, status) {
    try {
      const q = {run: status.run}
      // The journal first: a change that comes between the answers is news then, and is taken in.
      const journal = await this.link.ask("do/journal", q)
      const [params, show] = await Promise.all([this.link.ask("do/params", q), this.link.ask("do/show", q)])
      run.params = params.params
      run.journal = journal.changes
      run.show = show
      run.status = status
      run.take(show)
    } catch (e) {
      if (e instanceof Refusal && e.code === "run") return this.drop(status.run)
      throw e
    }
    const known = this.runs.has(run.name)
    this.runs.set(run.name, run)
    for (const what of ["params", "journal", "status"]) run.tell(what)
    if (!known) this.tell("runs", run)
  }

  drop(name) {
    const run = this.runs.get(name)
    if (!run) return
    this.runs.delete(name)
    run.status = {...run.status, state: "closed"}
    run.tell("closed")
    this.tell("runs")
  }

  // end marks the runs as ended with their session.
  end() {
    for (const run of this.runs.values()) {
      run.status = {...run.status, state: "ended", repeat: undefined}
      run.tell("status", "state")
    }
  }

  hear(e) {
    if (e.experiment) this.tell("experiment", e)
    if (e.kind === "notice") return this.tell("notice", e)
    if (e.kind === "lost") {
      this.tell("lost")
      return void this.load()
    }
    if (!e.status || (this.only && e.status.run !== this.only)) return
    const run = this.runs.get(e.status.run), under = this.adopting.get(e.status.run)
    if (under && e.kind !== "opened") return void under.wait.push(e)
    if (e.kind === "closed") return this.drop(e.status.run)
    if (e.kind === "opened" || !run) return void this.adopt(e.status).catch(e => console.error(e))
    run.take(e.status)
    if (e.kind === "change" && e.change && !run.knows(e.change)) {
      run.journal.push(e.change)
      const p = e.change.change === "set" && run.param(e.change.name)
      if (p) p.value = e.change.new
      run.tell("journal", e.change)
      if (p) run.tell("params", e.change)
    }
    if (e.kind === "state") run.note = e.note
    run.tell("status", e.kind)
  }

  // set changes a parameter. News may overtake the answer: of a change that is known from there, what
  // is known since counts, which may be a later one of somebody else.
  async set(run, name, value) {
    const {changes} = await this.link.ask("do/set", {run: run.name, params: {[name]: value}})
    for (const c of changes) if (!run.knows(c)) run.param(c.name).value = c.new
  }
}

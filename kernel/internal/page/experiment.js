// Experiments: the list of all, and one in full. A page shows them; the prompt and cells make them.

// leftOf is how many units have neither result nor error.
const leftOf = x => x.units - x.done - x.failed

// standOf is how an experiment stands, in a word, and the class of its badge.
function standOf(x) {
  if (x.going || x.elsewhere) return ["running", "is-running"]
  if (x.ended) return ["ended with the session", ""]
  if (leftOf(x) > 0) return ["open", ""]
  if (!x.units) return ["no units yet", ""]
  return x.failed ? ["ended, with failures", "is-failed"] : ["finished", "is-done"]
}

// Experiments are what a page knows of all of them. It asks when an event names one, and now and
// then while units are left that another session may be making.
class Experiments {
  constructor(model) {
    this.link = model.link
    this.list = []
    this.far = new Map() // the latest event about one that goes on, by name
    this.views = new Set()
    this.busy = this.again = false
    this.read = throttle(1000, () => this.load())
    const idle = setInterval(() => {
      if (!document.hidden && this.list.some(x => !x.going && leftOf(x) > 0)) this.read()
    }, 5000)
    model.views.add((what, e) => {
      if (what === "experiment") this.hear(e)
      else if (what === "lost" || (what === "state" && e.state === "live")) this.read()
      else if (what === "state" && e.state === "gone") {
        clearInterval(idle)
        this.end()
      }
    })
  }

  // end marks what went on as ended with the session.
  end() {
    this.far.clear()
    this.list = this.list.map(x => ({...x, ended: x.going, going: false, elsewhere: false}))
    this.tell("list")
  }

  get(name) { return this.list.find(x => x.name === name) }

  tell(what, name) { for (const v of this.views) v(what, name) }

  hear(e) {
    if (e.total) {
      this.far.set(e.experiment, e)
      this.tell("far", e.experiment)
    } else this.far.delete(e.experiment)
    this.read()
  }

  async load() {
    this.again = this.busy
    if (this.busy) return
    this.busy = true
    try {
      this.list = (await this.link.ask("experiments", {})).experiments || []
      for (const x of this.list) if (!x.going) this.far.delete(x.name)
      this.tell("list")
    } catch { /* the host says elsewhere that it has gone */ }
    this.busy = false
    if (this.again) this.read()
  }
}

// meterOf is a bar of how much of an experiment is made. show takes what is known of it, and the
// latest event.
function meterOf() {
  const done = el("span.done"), failed = el("span.failed")
  const box = el("div.meter", {role: "progressbar", "aria-valuemin": 0}, done, failed)
  const show = (x, far) => {
    const share = far ? Math.max(far.share || 0, (x.done + x.failed) / Math.max(x.units, 1)) : (x.done + x.failed) / Math.max(x.units, 1)
    const bad = x.failed / Math.max(x.units, 1)
    done.style.width = `${100 * Math.max(share - bad, 0)}%`
    failed.style.width = `${100 * bad}%`
    box.setAttribute("aria-valuemax", x.units)
    box.setAttribute("aria-valuenow", x.done + x.failed)
    box.setAttribute("aria-label", `${x.name}: ${x.done} of ${x.units} units done, ${x.failed} failed`)
  }
  return {box, show}
}

// remaining is the estimate of an experiment that goes on.
function remaining(x, far) {
  const left = far ? far.left_s : x.left_s
  return x.going && left > 0 ? `about ${seconds(left)} left` : ""
}

// experimentsOf is the list of all. chosen is called with the name of one.
function experimentsOf(experiments, chosen) {
  const rows = el("tbody")
  const box = el("section.card.runs.experiments", {"aria-label": "experiments"}, el("table", null,
    el("thead", null, el("tr", null, el("th", null, "experiment"), el("th", null, "state"), el("th", null, "units"), el("th.n", null, "failed"), el("th.mid", null, "left"), el("th.mid", null, "began"), el("th.wide", null, "what"))), rows))
  let shown = new Map(), order = "", selected = null

  function rowOf(x) {
    const badge = el("b.badge"), count = el("span.count"), failed = el("span"), left = el("span"), what = el("td.wide.what", null, x.plan)
    const meter = meterOf()
    const row = el("tr", {"data-experiment": x.name, onclick: () => chosen(x.name)},
      el("td", null, el("button.pick", {type: "button"}, x.name)), el("td", null, badge), el("td", null, el("div.units", null, meter.box, count)),
      el("td.n", null, failed), el("td.mid", null, left), el("td.mid", null, x.began), what)
    const show = () => {
      const now = experiments.get(x.name), far = experiments.far.get(x.name)
      if (!now) return
      const [word, cls] = standOf(now)
      setText(badge, word)
      badge.className = `badge ${cls}`
      meter.show(now, far)
      setText(count, `${now.done + now.failed}/${now.units}`)
      setText(failed, now.failed ? String(now.failed) : "–")
      failed.className = now.failed ? "bad" : ""
      setText(left, now.going ? remaining(now, far) || "–" : leftOf(now) ? `${leftOf(now)} units` : "–")
      setText(what, now.plan)
      what.title = now.plan
    }
    return {row, show}
  }

  function show() {
    const names = experiments.list.map(x => x.name).join(" ")
    if (names !== order) {
      order = names
      shown = new Map(experiments.list.map(x => [x.name, rowOf(x)]))
      rows.replaceChildren(...[...shown.values()].map(r => r.row))
    }
    for (const r of shown.values()) r.show()
    select(selected)
  }
  function select(name) {
    selected = name
    for (const [n, r] of shown) r.row.setAttribute("aria-selected", String(n === name))
  }
  experiments.views.add((what, name) => {
    if (what === "list") show()
    else if (shown.has(name)) shown.get(name).show()
  })
  return {box, select}
}

// experimentOf shows one in full.
function experimentOf(link, experiments, name) {
  const badge = el("b.badge"), far = el("p.far"), last = el("p.quiet"), plan = el("p.quiet"), meter = meterOf()
  const table = tableCardOf(link, name), figures = chartsOf(link, name), failures = failuresOf(name), units = unitsOf(link, name)
  let stamp = "", gone = false, busy = false, again = false, cost = 0

  const show = () => {
    const x = experiments.get(name)
    if (!x) return
    const [word, cls] = standOf(x), event = experiments.far.get(name)
    setText(badge, word)
    badge.className = `badge ${cls}`
    meter.show(x, event)
    const parts = [`${number(x.done)} of ${number(x.units)} units done`]
    if (x.failed) parts.push(`${number(x.failed)} failed`)
    if (leftOf(x)) parts.push(`${number(leftOf(x))} left`)
    setText(far, [...parts, remaining(x, event)].filter(Boolean).join(", "))
    const said = event && event.note ? event.note.replace(`experiment ${name}`, "").replace(/^; /, "") : ""
    setText(last, said ? `latest: ${said}` : x.elsewhere ? "another session makes it" : leftOf(x) && !x.going ? `experiment ${name} go makes what is left` : "")
    setText(plan, x.plan)
  }

  // read asks for the table when there is another one; longer the longer the host takes.
  async function read() {
    if (gone || document.hidden) return
    again = busy
    if (busy) return
    busy = true
    const began = performance.now()
    try {
      const p = await link.ask("experiment", {name, seen: stamp})
      if (!p.same && !gone) {
        stamp = p.stamp
        table.show(p)
        figures.show(p)
        failures.show(p)
        units.show(p)
      }
    } catch (e) {
      if (e instanceof Refusal && e.code) table.failed(e)
    }
    cost = performance.now() - began
    setTimeout(() => {
      busy = false
      if (again) read()
    }, Math.max(500, 3 * cost))
  }
  const view = (what, of) => {
    if (what === "far" && of !== name) return
    show()
    if (what === "list") read()
  }
  experiments.views.add(view)
  const visible = () => read()
  document.addEventListener("visibilitychange", visible)
  show()
  read()
  const csv = async () => save(await link.unit(name, 0, "csv"), `${name}.csv`)
  const box = el("div.experiment", null,
    el("section.card.run", {"aria-label": `experiment ${name}`},
      el("div.head", null, el("b.name", null, name), badge, el("div.bar", null, el("button", {type: "button", title: "a line for each unit", onclick: saving(csv)}, "All units as CSV"))),
      plan, meter.box, far, last, table.box),
    figures.box, failures.box, units.box)
  return {
    box,
    stop: () => {
      gone = true
      figures.stop()
      experiments.views.delete(view)
      document.removeEventListener("visibilitychange", visible)
    },
  }
}

// save gives a Blob to the browser as a file.
function save(blob, file) {
  const url = URL.createObjectURL(blob)
  el("a", {href: url, download: file}).click()
  setTimeout(() => URL.revokeObjectURL(url), 10000)
}

// saving is a listener that says what went wrong.
const saving = f => async () => {
  try {
    await f()
  } catch (e) {
    say(e.message, true)
  }
}

// tabsOf makes tabs; choose is called with the name of one.
function tabsOf(names, choose) {
  const tabs = el("div.tabs", {role: "tablist"})
  alongTabs(tabs)
  const select = name => chooseTab(tabs, name)
  for (const [name, label, title] of names) {
    tabs.append(el("button", {type: "button", role: "tab", title, "data-figure": name, onclick: () => {
      select(name)
      choose(name)
    }}, label))
  }
  return {box: tabs, select}
}

const cell = (spec, text) => el(spec, null, text)

// pText is a p-value.
const pText = p => p == null ? "–" : p < 0.0001 ? "< 0.0001" : String(Number(p.toPrecision(2)))

// tableCardOf is the table, or what there is within equal wall times.
function tableCardOf(link, name) {
  const holder = el("div.scroll", {tabindex: "0", role: "region", "aria-label": "table"}), words = el("p.quiet.words")
  let doing = "table", latest = null
  const tabs = tabsOf([["table", "table"], ["best", "equal wall times", "medians within equal wall times, with the devices"]], what => {
    doing = what
    draw()
  })
  tabs.select("table")

  function rowsOf(p) {
    const gaps = p.rows.some(r => r.gap_median != null), tested = p.rows.some(r => r.p != null)
    const left = p.rows.some(r => r.left), failed = p.rows.some(r => r.failed)
    const head = [["th", "instance"], ["th", "setting"], ["th.n", "seeds"], ["th.n.mid", "mean"], ["th.n", "median"], ["th.n.mid", "best"], gaps && ["th.n", "median gap"], ["th.n.mid", "time"], tested && ["th.n", "p"], tested && ["th.n.mid", "A12"], left && ["th.n", "left"], failed && ["th.n", "failed"], ["th.mid", "device"]]
    const body = p.rows.map(r => [["td", r.instance], ["td.row", r.label], ["td.n", r.seeds], ["td.n.mid", number(r.mean, 7)], ["td.n", number(r.median, 7)], ["td.n.mid", number(r.best, 7)], gaps && ["td.n", percent(r.gap_median)], ["td.n.mid", seconds(r.wall_s)], tested && ["td.n", pText(r.p)], tested && ["td.n.mid", r.effect == null ? "–" : r.effect.toFixed(2)], left && ["td.n", r.left || ""], failed && ["td.n.bad", r.failed || ""], ["td.mid.device", r.device || ""]])
    return [head, body]
  }

  function withinOf(p) {
    const n = p.rows[0].times.length
    const head = [["th", "instance"], ["th", "setting"], ["th.n", "seeds"], ...Array.from({length: n}, () => ["th.n", "within"]), ["th.mid", "device"]]
    const body = []
    p.rows.forEach((r, i) => {
      if (!i || p.rows[i - 1].instance !== r.instance) body.push([["td.at", r.instance], ["td.at", ""], ["td.at", ""], ...r.times.map(t => ["td.n.at", seconds(t)]), ["td.mid.at", ""]])
      body.push([["td", r.instance], ["td.row", r.label], ["td.n", r.seeds], ...r.within.map(v => ["td.n", v == null ? "–" : Math.abs(v) < 1000 ? v.toFixed(3) : number(v, 7)]), ["td.mid.device", r.device || ""]])
    })
    return [head, body]
  }

  const fill = p => {
    if (!p.rows || !p.rows.length) {
      holder.replaceChildren()
    } else {
      const [head, body] = doing === "best" ? withinOf(p) : rowsOf(p)
      const line = cells => el("tr", null, cells.filter(Boolean).map(([spec, text]) => cell(spec, text)))
      holder.replaceChildren(el("table", null, el("thead", null, line(head)), el("tbody", null, body.map(line))))
    }
    setText(words, [p.test, p.note].filter(Boolean).join(". "))
  }

  async function draw() {
    if (doing === "table") return latest && fill(latest)
    try {
      const p = await link.ask("experiment", {name, do: "best"})
      if (doing === "best") fill(p)
    } catch (e) {
      failed(e)
    }
  }
  const failed = e => {
    holder.replaceChildren()
    setText(words, e.message.replace(/^experiment: /, ""))
  }
  return {
    box: el("div.results", null, tabs.box, holder, words),
    show: p => {
      latest = p
      draw()
    },
    failed,
  }
}

// The dashboard: all experiments, who makes their units elsewhere, and all runs of the session, one of them
// in full, and the runs that are ticked compared. The ticket comes behind the # of the address, which browsers do not send, and is
// taken out of it at once.

const main = document.getElementById("main")
const colour = i => `var(--run-${i % 6})` // of runs, as in figures

const scheme = matchMedia("(prefers-color-scheme: dark)")
const theme = () => document.body.classList.toggle("dark", scheme.matches)
scheme.addEventListener("change", theme)
theme()

const note = document.getElementById("note")
let noteTimer = 0
function say(text, bad, stays) {
  setText(note, text)
  note.hidden = !text
  note.classList.toggle("bad", !!bad)
  clearTimeout(noteTimer)
  if (text && !stays) noteTimer = setTimeout(() => say(""), 8000)
}

const keep = "metalab-token" // in the tab's own storage, so that reloading the page goes on

// A place of the page is its address behind the #, as "run/a" or "experiment/e1": Back leads to the one
// before. A ticket has no stroke.
const placeNow = () => location.hash.includes("/") ? location.hash.slice(1) : ""
const placeFor = (kind, name) => `${kind}/${encodeURIComponent(name)}`

// goTo puts a place into the address, as a new entry of the history unless the page chose it itself.
function goTo(place, chosen) {
  if (place === placeNow()) return
  history[chosen ? "pushState" : "replaceState"](null, "", place ? "#" + place : location.pathname)
}

async function letIn() {
  const link = new Loopback("")
  const ticket = placeNow() ? "" : location.hash.slice(1)
  if (ticket) history.replaceState(null, "", location.pathname)
  let stored = null
  try {
    stored = JSON.parse(sessionStorage.getItem(keep))
  } catch { /* none */ }
  if (ticket) {
    const hello = await link.enter({ticket})
    stored = {token: link.token, who: link.who, session: hello.session, machine: hello.machine}
    sessionStorage.setItem(keep, JSON.stringify(stored))
  } else if (stored) {
    link.token = stored.token
    link.who = stored.who
  } else {
    throw new Refusal(401, {message: "page: no ticket came with this address: type dashboard at the prompt, or run lab.Dashboard() in a cell"})
  }
  return {link, hello: stored}
}

async function begin() {
  let link, hello
  try {
    ({link, hello} = await letIn())
  } catch (e) {
    sessionStorage.removeItem(keep)
    document.getElementById("link").textContent = "not let in"
    return say(e instanceof Refusal ? e.message.replace(/^page: /, "") : "The session has ended.", true, true)
  }
  document.title = `metalab · ${hello.session}`
  setText(document.getElementById("session"), `${hello.session} · ${hello.machine} · you are ${hello.who}`)
  const model = new Model(link)
  const face = faceOf(model)
  model.views.add((what, d) => {
    if (what === "notice") say(d.note, !d.experiment)
    if (what !== "state") return
    const l = document.getElementById("link")
    l.className = `link is-${d.state}`
    setText(l, {live: "live", lost: "connection lost, trying again", gone: "ended"}[d.state])
    main.classList.toggle("gone", d.state === "gone")
    for (const part of main.children) part.inert = d.state === "gone"
    if (d.state === "gone") say(`This page has no session any more (${d.why.replace(/^page: /, "")}). Runs were autosaved; type dashboard in a new session.`, true, true)
  })
  await model.start()
  face.show()
}

function faceOf(model) {
  let selected = null, current = null, comparing = null, ticked = new Set(), order = ""
  const table = el("tbody")
  const list = el("section.card.runs", {"aria-label": "runs"}, el("table", null,
    el("thead", null, el("tr", null, el("th", {title: "compare"}, el("span.heard", null, "compare")), el("th", null, "run"), el("th.mid", null, "solver"), el("th.mid", null, "instance"), el("th.wide", null, "backend"), el("th", null, "state"),
      el("th.n", null, "iteration"), el("th.n.wide", null, "best"), el("th.n", null, "gap"), el("th.n.mid", null, "speed"))), table))
  const detail = el("div.detail"), versus = el("div.versus"), none = el("p.empty", null, "No run is open. At the prompt: ", el("code", null, "open acs E1k.0 as a; go a"))
  const experiments = new Experiments(model), studies = experimentsOf(experiments, name => choose("experiment", name))
  const workers = new Workers(model), crew = workersOf(workers)
  let begun = false // the runs are known
  let wanted = placeNow() // what the address names, until it is shown
  let whole = false, listed = false // all runs, and all experiments, are known
  let studied = null // the name of the experiment that is shown in full, instead of a run

  // Swatches have the colours of the comparisons' curves.
  function swatches() {
    const runs = [...model.runs.values()].filter(r => ticked.has(r.name))
    for (const row of table.children) {
      const run = model.runs.get(row.dataset.run)
      const names = runs.filter(r => run && r.status.instance === run.status.instance).map(r => r.name)
      const i = names.indexOf(row.dataset.run)
      row.style.setProperty("--c", i < 0 || names.length < 2 ? "transparent" : colour(i))
    }
  }

  function rowOf(run) {
    const cells = {on: el("span"), state: el("b.badge"), iteration: el("span"), best: el("span"), gap: el("span"), rate: el("span")}
    const tick = el("input.check", {type: "checkbox", checked: ticked.has(run.name), "aria-label": `compare ${run.name}`, onclick: e => e.stopPropagation(), onchange: e => {
      if (e.target.checked) ticked.add(run.name)
      else ticked.delete(run.name)
      compare()
    }})
    const row = el("tr", {"aria-selected": String(run.name === selected), "data-run": run.name, onclick: () => choose("run", run.name)},
      el("td", null, tick), el("td", null, el("span.swatch"), el("button.pick", {type: "button"}, run.name)),
      el("td.mid", null, `${run.status.solver}/${run.status.variant}`), el("td.mid", null, run.status.instance), el("td.wide", null, cells.on), el("td", null, cells.state),
      el("td.n", null, cells.iteration), el("td.n.wide", null, cells.best), el("td.n", null, cells.gap), el("td.n.mid", null, cells.rate))
    const show = throttle(200, () => {
      const s = run.status
      const p = s.state === "paused" && s.repeat
      setText(cells.on, placeOf(s))
      setText(cells.state, p ? `repeat ${Math.floor(p.done)}/${p.seeds}` : s.state)
      cells.state.title = p && p.left_s > 0 ? `${seconds(p.left_s)} left` : s.trouble || ""
      cells.state.className = `badge is-${s.state}`
      setText(cells.iteration, number(s.iteration))
      setText(cells.best, number(s.best, 7))
      setText(cells.gap, percent(s.gap))
      setText(cells.rate, run.going() ? rate(run.rate) : "–")
    })
    run.views.add(show)
    show()
    return row
  }

  // choose shows what its reader has chosen, at an address of its own.
  function choose(kind, name) {
    goTo(placeFor(kind, name), true)
    if (kind === "run") select(name)
    else study(name)
  }

  // follow shows what the address says, and reports whether it is there.
  function follow() {
    const [kind, rest = ""] = placeNow().split("/")
    let name = rest
    try {
      name = decodeURIComponent(rest)
    } catch { /* it is no name of ours */ }
    if (kind === "run" && model.runs.has(name)) select(name)
    else if (kind === "experiment" && experiments.get(name)) study(name)
    else return false
    return true
  }
  addEventListener("popstate", follow)

  function select(name) {
    if (name === selected && current) return
    selected = name
    studied = null
    studies.select(null)
    for (const row of table.children) row.setAttribute("aria-selected", String(row.dataset.run === name))
    if (current) current.stop()
    current = null
    const run = model.runs.get(name)
    if (run) {
      current = runOf(model, run)
      detail.replaceChildren(current.box)
    } else detail.replaceChildren()
  }

  // study shows an experiment in full.
  function study(name) {
    if (name === studied) return
    select(null)
    studied = name
    studies.select(name)
    current = experimentOf(model.link, experiments, name)
    detail.replaceChildren(current.box)
  }

  function compare() {
    swatches()
    const runs = [...model.runs.values()].filter(r => ticked.has(r.name))
    const names = runs.map(r => r.name).join(" ")
    if (comparing && comparing.names === names) return
    if (comparing) comparing.stop()
    comparing = null
    versus.replaceChildren()
    // Values of different instances have no axis in common.
    const groups = Object.values(Object.groupBy(runs, r => r.status.instance)).filter(g => g.length > 1)
    if (!groups.length) return
    const all = groups.map(g => comparisonOf(model, g))
    comparing = {names, stop: () => all.forEach(c => c.stop())}
    versus.replaceChildren(...all.map(c => c.box))
  }

  function show() {
    const names = [...model.runs.keys()]
    for (const n of ticked) if (!model.runs.has(n)) ticked.delete(n)
    const some = experiments.list.length > 0
    none.classList.toggle("quiet", some)
    begun = true
    if (order !== names.join(" ")) {
      // A second run is there to be compared; later ones are ticked by whom it concerns.
      const fresh = names.filter(n => !order.split(" ").includes(n))
      if (names.length <= 4) fresh.forEach(n => ticked.add(n))
      order = names.join(" ")
      table.replaceChildren(...[...model.runs.values()].map(rowOf))
    }
    const parts = [some && studies.box, workers.broker && crew.box, names.length ? list : none, (names.length || some) && detail, names.length && versus].filter(Boolean)
    if (parts.length !== main.children.length || parts.some((p, i) => main.children[i] !== p)) main.replaceChildren(...parts)
    if (studied && !experiments.get(studied)) {
      studied = null
      if (current) current.stop()
      current = null
      detail.replaceChildren()
    }
    if (wanted && follow()) wanted = ""
    else if (wanted && whole && (wanted.startsWith("run/") || listed)) {
      say(`${wanted.replace("/", " ")}, which the address names, is not here any more`, true)
      wanted = ""
    }
    if (!wanted && !studied && !model.runs.has(selected)) {
      select(names.length ? names[names.length - 1] : null)
      if (!names.length && some) study(experiments.list[0].name)
    }
    const shown = studied ? placeFor("experiment", studied) : selected ? placeFor("run", selected) : ""
    if (!wanted) goTo(shown, false)
    compare()
  }
  model.views.add(what => { if (what === "runs") show() })
  experiments.views.add(what => {
    if (what !== "list") return
    listed = true
    if (begun) show()
  })
  workers.views.add(() => { if (begun) show() })
  return {
    show: () => {
      whole = true
      show()
    },
  }
}

// placeOf is the backend of a run, with the numbers of its GPUs on a machine that has several. A
// run that is moved to others tells so by its status.
function placeOf(status) { return status.gpus ? `${status.backend}:${status.gpus}` : status.backend }

// runOf shows a run in full.
function runOf(model, run) {
  const panels = panelsOf(model.link, run)
  const journal = el("ol.journal")
  const write = throttle(200, () => {
    const lines = run.journal.slice(-200).reverse().map(c => el("li", null, el("span.at", {title: "iteration"}, number(c.i)), el("span", null, changeText(c), " ", el("span.who", null, c.who ? `by ${c.who}` : ""))))
    journal.replaceChildren(...(lines.length ? lines : [el("li.quiet", null, "nothing was changed")]))
  })
  const place = el("span", null, placeOf(run.status))
  const facts = el("dl.facts")
  const show = run.show || {}
  for (const [name, value] of [["algorithm", show.title], ["after", show.source], ["instance", `${run.status.instance}, ${number(show.size)} ${show.kind === "tsp" || show.kind === "atsp" ? "cities" : "places"}`], ["best known", number(run.status.optimum, 9)], ["seed", show.seed], ["preset", show.preset], ["backend", placeOf(run.status)]]) {
    if (value != null && value !== "") facts.append(el("dt", null, name), el("dd", null, name === "backend" ? place : String(value)))
  }
  const keep = (form, ending) => saving(async () => save(await model.link.record(run.name, form), `${run.name}-${run.status.instance}-${run.status.iteration}.${ending}`))
  const view = what => {
    if (what === "journal") write()
    setText(place, placeOf(run.status))
  }
  run.views.add(view)
  write()
  const box = el("div.columns", null,
    el("section.card.run", {"aria-label": `run ${run.name}`},
      el("div.head", null, el("b.name", null, run.name), el("span.quiet", null, `${run.status.solver}/${run.status.variant} on ${run.status.instance}`), barOf(model, run, say)),
      statusOf(run, true), panels.box, controlsOf(model, run)),
    el("div.side", null,
      el("section.card", null, el("h2", null, "Journal"), journal),
      el("section.card", null, el("h2", null, "Record"), facts, el("div.bar", null,
        el("button", {type: "button", title: "one JSON object a line; repl replays it bit for bit", onclick: keep("record", "run")}, "Download the record"),
        el("button", {type: "button", title: "the points of the history", onclick: keep("csv", "csv")}, "CSV")))))
  return {
    box,
    stop: () => {
      panels.stop()
      run.views.delete(view)
    },
  }
}

// changeText is an entry of the journal in words.
function changeText(c) {
  if (c.change === "set") return [el("b", null, c.name), ` ${valueText(c.old)} → ${valueText(c.new)}`]
  if (c.change === "fork") return ["fork", c.on ? ` on ${c.on}` : "", Object.entries(c.with || {}).map(([n, v]) => ` ${n}=${valueText(v)}`).join("")]
  return [c.name || c.change]
}

// comparisonOf shows runs over each other, and side by side in figures.
function comparisonOf(model, runs) {
  const figure = figureOf(model.link, runs, "best", 0.5, `the best values of ${runs.map(r => r.name).join(", ")}`)
  const rows = el("tbody"), words = el("div")
  let gone = false, busy = false, again = false
  const read = throttle(1500, async () => {
    if (gone || document.hidden) return
    if (busy) {
      again = true
      return
    }
    busy = true
    try {
      const r = await model.link.ask("do/compare", {runs: runs.map(x => x.name)})
      rows.replaceChildren(...r.sides.map((s, i) => {
        const c = el("span.swatch")
        c.style.setProperty("--c", colour(i))
        const first = r.sides[0], other = s.solver !== first.solver || s.variant !== first.variant
        // What a run was repeated for is compared, and not the run, which may not have been stepped.
        const of = (quartiles, own) => s.budget ? quartiles.median : own
        return el("tr", null, el("td", null, c, el("b", null, s.run)), el("td.by", null, other ? `${s.solver}/${s.variant}` : (s.changed || []).join(" ")), el("td.n.mid", null, s.budget ? s.seeds : "–"), el("td.n.mid", null, number(of(s.iteration_quartiles, s.iteration))),
          el("td.n", null, number(of(s.best_quartiles, s.best), 7)), el("td.n", null, percent(of(s.gap_quartiles, s.gap))), el("td.n.mid", null, seconds(of(s.wall_s_quartiles, s.wall_s))),
          el("td.n.mid", null, seconds(of(s.cpu_s_quartiles, s.cpu_s))))
      }))
      words.replaceChildren(...(r.tests || []).map(t => el("p", null, t.words)), ...(r.costs || []).map(c => el("p", null, el("b", null, "Warning: "), c.words)), r.note ? el("p.quiet", null, r.note) : "")
    } catch { /* a run was closed: the comparison goes with it */ }
    busy = false
    if (again) {
      again = false
      read()
    }
  })
  for (const r of runs) r.views.add(read)
  read()
  const head = el("thead", null, el("tr", null, el("th", null, "run"), el("th", null, "differs in"), el("th.n.mid", {title: "of its repeats; what follows are their medians"}, "seeds"), el("th.n.mid", null, "iterations"), el("th.n", null, "best"), el("th.n", null, "gap"), el("th.n.mid", null, "time"), el("th.n.mid", null, "CPU")))
  return {
    box: el("section.card.compare", {"aria-label": `comparison on ${runs[0].status.instance}`}, el("h2", null, `Comparison on ${runs[0].status.instance}`), el("div.panels", null, figure.box, el("div", null, el("div.scroll", {tabindex: "0", role: "region", "aria-label": "comparison"}, el("table", null, head, rows)), words))),
    stop: () => {
      gone = true
      figure.stop()
      for (const r of runs) r.views.delete(read)
    },
  }
}

begin()

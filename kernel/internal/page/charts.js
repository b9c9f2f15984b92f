// Figures, failures and units of an experiment.

const chartShapes = {ranks: 0.5, importance: 0.5, parallel: 0.6}

// chartsOf are two figures of an experiment, each chosen from what there is to draw, on one of its
// instances.
function chartsOf(link, name) {
  const holder = el("div.panels"), where = el("select", {"aria-label": "instance", onchange: () => choose()})
  const bar = el("label.where", null, "on ", where)
  const box = el("section.card.charts", {hidden: true}, el("div.head", null, el("h2", null, "Figures"), bar), holder)
  let panels = [], known = "", places = "", stamp = ""

  function panelOf(draws, first) {
    const inside = el("div.holder"), title = el("p.quiet.title")
    let now = first, picture = null
    const choose = figure => {
      now = figure
      if (picture) picture.stop()
      const on = where.value ? ` on ${where.value}` : ""
      const doc = (draws.find(d => d[0] === figure) || [])[2]
      picture = pictureOf(q => link.picture("chart", {...q, name, figure, instance: where.value}), chartShapes[figure] || 0.62, `${figure} of experiment ${name}${on}: ${doc}`)
      setText(title, `${doc}${on}`)
      inside.replaceChildren(picture.box)
    }
    const tabs = tabsOf(draws, choose)
    tabs.select(first)
    choose(first)
    return {box: el("div.panel", null, tabs.box, title, inside), again: () => choose(now), want: () => picture.want(true), stop: () => picture.stop()}
  }
  const choose = () => panels.forEach(p => p.again())

  function show(p) {
    const draws = (p.draws || []).map(([figure, doc]) => [figure, figure, doc])
    const names = draws.map(d => d[0])
    box.hidden = !names.length
    if (!names.length) return
    if (places !== (p.where || []).join(" ")) {
      const was = where.value
      places = p.where.join(" ")
      where.replaceChildren(...p.where.map(w => el("option", {value: w}, w)))
      if (p.where.includes(was)) where.value = was
      bar.hidden = p.where.length < 2
    }
    if (known !== names.join(" ")) {
      known = names.join(" ")
      panels.forEach(x => x.stop())
      const second = ["error", "median"].find(n => names.includes(n)) || names[1] || names[0]
      panels = [panelOf(draws, names[0]), panelOf(draws, second)]
      holder.replaceChildren(...panels.map(x => x.box))
    } else if (stamp !== p.stamp) panels.forEach(x => x.want())
    stamp = p.stamp
  }
  return {box, show, stop: () => panels.forEach(p => p.stop())}
}

// failuresOf lists units that failed, with their errors.
function failuresOf(name) {
  const list = el("ol.failures"), more = el("p.quiet")
  const box = el("section.card", {hidden: true, "aria-label": "failures"}, el("h2", null, "Failures"), list, more)
  return {
    box,
    show: p => {
      const bad = p.bad || []
      box.hidden = !bad.length
      list.replaceChildren(...bad.map(u => {
        const [first, ...rest] = (u.error || "").split("\n")
        const head = [el("b", null, `unit ${u.number}`), ` ${u.label} on ${u.instance}, seed ${u.seed}: `, el("span.bad", null, first)]
        return el("li", null, rest.length ? el("details", null, el("summary", null, head), el("pre", null, rest.join("\n"))) : head)
      }))
      setText(more, (p.failed > bad.length ? `The first ${bad.length} of ${p.failed}; experiment ${name} failures lists all. ` : "") + `experiment ${name} again makes them again.`)
    },
  }
}

const unitsAtATime = 50

// unitsOf lists units with their records, some at a time.
function unitsOf(link, name) {
  const rows = el("tbody"), far = el("span.quiet")
  const state = el("select", {"aria-label": "state of the units", onchange: () => go(0)},
    [["", "all"], ["done", "done"], ["failed", "failed"], ["waiting", "waiting"]].map(([v, t]) => el("option", {value: v}, t)))
  const back = el("button", {type: "button", onclick: () => go(from - unitsAtATime)}, "Back")
  const on = el("button", {type: "button", onclick: () => go(from + unitsAtATime)}, "More")
  const box = el("section.card.units", {"aria-label": "units"},
    el("div.head", null, el("h2", null, "Units"), el("label.where", null, "state ", state), el("div.bar", null, back, on), far),
    el("p.quiet", null, "A record replays: ", el("code", null, "replay FILE"), " makes the unit again and compares it. At the prompt ", el("code", null, `experiment ${name} open 1 as a`), " opens unit 1 as a run."),
    el("div.scroll", {tabindex: "0", role: "region", "aria-label": "units"}, el("table", null, el("thead", null, el("tr", null, el("th.n", null, "unit"), el("th", null, "instance"), el("th", null, "setting"), el("th.n", null, "seed"), el("th", null, "state"), el("th.n.mid", null, "best"), el("th.n.mid", null, "gap"), el("th.n.mid", null, "iterations"), el("th.n.mid", null, "time"), el("th.mid", null, "device"), el("th", null, "record"))), rows)))
  let from = 0, files = false, busy = false, again = false

  const record = u => async () => save(await link.unit(name, u.number, "record"), `${name}-${u.number}.run`)

  async function go(to) {
    from = Math.max(to, 0)
    again = busy
    if (busy) return
    busy = true
    try {
      const r = await link.ask("units", {name, state: state.value, from})
      rows.replaceChildren(...r.of.map(u => el("tr", null, cell("td.n", u.number), cell("td", u.instance), cell("td.row", u.label), cell("td.n", u.seed), el("td", null, el(`b.badge${u.state === "failed" ? ".is-failed" : u.state === "done" ? ".is-done" : u.state === "making" ? ".is-running" : ""}`, null, u.state)),
        cell("td.n.mid", number(u.best, 7)), cell("td.n.mid", percent(u.gap)), cell("td.n.mid", u.iteration ? number(u.iteration) : "–"), cell("td.n.mid", u.state === "done" ? seconds(u.wall_s) : "–"), cell("td.mid.device", u.device || ""),
        el("td", null, files && u.state === "done" && el("button.pick", {type: "button", "aria-label": `download the record of unit ${u.number}`, onclick: saving(record(u))}, "download")))))
      const last = from + r.of.length
      setText(far, r.total ? `${r.of.length ? from + 1 : from} to ${last} of ${number(r.total)}` : "none")
      back.disabled = from === 0
      on.disabled = last >= r.total
    } catch (e) {
      if (e instanceof Refusal && e.code) setText(far, e.message.replace(/^experiment: /, ""))
    }
    busy = false
    if (again) go(from)
  }
  return {
    box,
    show: p => {
      files = p.files
      go(from)
    },
  }
}

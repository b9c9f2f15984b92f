// The page: replay, the slider through iterations, forks, and the record as a file.

const at = id => document.getElementById(id)
// As the run was made again: bests[i] is the best after iteration i, news[i] the best of it, means[i]
// its mean.
const run = {at: 0, bests: [], news: [], means: [], tours: [], x: [], y: []}
const hues = ["--second", "--good", "--gold", "--ink"] // of forks
let forks = [] // {at, bests, tours, name, hue}: as run, from iteration at on
let seen = run // whose tour is shown
let kept = null, bench = null, params = [], verdict = ["", ""], others = []

const numberOf = v => v == null ? "–" : short(v)

// say shows what came of something; kind is "same", "other" or empty.
function say(text, kind = "") {
  at("said").textContent = text
  at("said").className = kind
}

function trouble(err) {
  const bad = err && !(err instanceof Stopped)
  at("trouble").hidden = !bad
  if (!bad) return
  let text = err.message
  if (err.wanted) text += `. Wanted is an engine with ${err.wanted}, built from the metalab that wrote the record (${kept.build}); choose its file:`
  at("trouble").textContent = text
  at("other").hidden = !(err.wanted || !arrived)
}

// busy shows that the engine works, or that it does not.
function busy(on) {
  at("stop").hidden = at("far").hidden = !on
  at("replay").disabled = on
  for (const form of ["fork", "repeat"]) at(form).querySelector("button").disabled = on
}

// working does something with the engine, and says what went wrong.
async function working(words, what) {
  trouble(null)
  busy(true)
  at("far").removeAttribute("value")
  say(words)
  try {
    await what()
  } catch (err) {
    say(err instanceof Stopped ? "stopped" : "")
    trouble(err)
  }
  busy(false)
}

// take takes in what an engine says of a run.
function take(into, event) {
  const from = into.at || 0
  for (const [i, best, now, mean] of event.points || []) {
    if (i < from) continue
    into.bests[i - from] = best
    into.news[i - from] = now
    into.means[i - from] = mean
  }
  into.tours.push(...(event.tours || []).filter(t => t.i > from))
  if (event.total) {
    at("far").value = event.done / event.total
    at("far").textContent = `${event.done} of ${event.total}`
  }
}

const shownChanges = () => kept.journal.map(c => ({i: c.i, words: words(c)})).filter(c => c.words)

const endOf = r => r.at + r.bests.length - 1
const endOfAll = () => Math.max(kept.end, ...forks.map(endOf))

const paintCurve = canvasOf(at("curve"), 0.62, (g, w, h, colour) => {
  if (!kept) return
  const scale = gapOf(kept.best)
  const lines = [
    {bests: scale.of(run.means), from: 0, colour: "--mean", thin: true}, {bests: scale.of(run.news), from: 0, colour: "--sky", thin: true},
    {bests: scale.of(run.bests), from: 0, colour: "--accent", wide: forks.length ? 3.4 : 1.8},
    ...forks.map(f => ({bests: scale.of(f.bests), from: f.at, colour: f.hue})),
  ]
  drawCurves(g, w, h, colour, lines, {...scale, changes: shownChanges(), cursor: Number(at("at").value), end: endOfAll()})
})

// toursAt are the best solution after an iteration and the one before it: of a fork where it has
// one.
function toursAt(i) {
  const all = seen !== run && i > seen.at ? [...run.tours.filter(t => t.i <= seen.at), ...seen.tours] : run.tours
  let k = all.length - 1
  while (k >= 0 && all[k].i > i) k--
  return [all[k], all[k - 1]]
}

const paintTour = canvasOf(at("tour"), 0.75, (g, w, h, colour) => {
  const [now, before] = toursAt(Number(at("at").value))
  if (now) drawTour(g, w, h, colour, run.x, run.y, now.perm, before && before.perm)
})

// bestAt is the best of a run after an iteration; null: it has none there.
const bestAt = (r, i) => i < r.at ? null : r.bests[Math.min(i - r.at, r.bests.length - 1)]

// keys lists the lines of the curve, with their colours; of several, one chooses the tour.
function keys() {
  const key = (name, hue, of) => {
    const li = document.createElement("li"), mark = document.createElement("span")
    mark.className = "mark"
    mark.style.background = `var(${hue})`
    li.append(mark, name)
    if (!of || !forks.length) return li
    const label = document.createElement("label"), pick = document.createElement("input")
    Object.assign(pick, {type: "radio", name: "seen", checked: seen === of})
    pick.addEventListener("change", () => { seen = of; scrub() })
    label.append(pick, ...li.childNodes)
    li.append(label)
    return li
  }
  at("keys").replaceChildren(
    key("the record", "--accent", run), ...forks.map(f => key(f.name, f.hue, f)),
    key("best of an iteration", "--sky"), key("mean of an iteration", "--mean"))
}

// scrub shows the run after the slider's iteration.
function scrub() {
  const i = Number(at("at").value), best = bestAt(run, i)
  const others = forks.filter(f => i > f.at).map(f => `${f.name} ${numberOf(bestAt(f, i))}`)
  at("where").textContent = `${i}: best ${numberOf(best)}` + (others.length ? `; ${others.join("; ")}` : "")
  const [tour] = toursAt(i)
  at("legend").textContent = run.x.length && tour ? `The tour is that of iteration ${tour.i} of ${seen === run || tour.i <= seen.at ? "the record" : seen.name}; what is new in it is marked.` : ""
  paintCurve(`best values by iteration; after iteration ${i}: ${numberOf(best)}${others.length ? "; " + others.join("; ") : ""}`)
  paintTour(tour ? `the best tour after iteration ${i}, found in iteration ${tour.i}` : "no tour yet")
}

// opened takes in what the engine says of the record.
function opened(o) {
  run.x = o.x || []
  run.y = o.y || []
  at("tour").hidden = !run.x.length
  params = o.params.map((p, k) => ({...p, range: o.ranges[k]})).filter(p => p.class !== "schedule")
  if (!at("name").options.length) {
    at("name").replaceChildren(...params.map(p => new Option(p.name, p.name)))
    const first = params.find(p => p.class === "live")
    if (first) at("name").value = first.name
  }
  knob()
}

// valueAt is what a parameter has after an iteration of the record, before what was changed there:
// a fork begins there.
function valueAt(name, i) {
  let v = kept.params[name]
  for (const c of kept.journal) {
    if (c.i >= i) break
    if (c.change === "set" && c.name === name) v = c.new
    if (c.change === "fork" && c.with && name in c.with) v = c.with[name]
  }
  return v
}

// knob shows the parameter that is chosen.
function knob() {
  const p = params.find(q => q.name === at("name").value)
  if (!p) return
  at("changes").hidden = !kept.journal.some(c => (c.change === "set" || c.change === "fork") && c.i >= Number(at("from").value))
  at("value").value = String(valueAt(p.name, Number(at("from").value)))
  at("range").textContent = `${p.name}: ${p.doc} It takes ${p.range}.`
}

async function replay() {
  await working("loading the engine", async () => {
    const o = await bench.start()
    run.bests = []
    run.news = []
    run.means = []
    run.tours = []
    forks = []
    seen = run
    verdict = ["", ""]
    at("parted").replaceChildren()
    opened(o)
    for (const id of ["at", "from"]) at(id).max = kept.end
    at("live").hidden = false
    keys()
    say("making the run again")
    const done = await bench.do({do: "replay"}, e => {
      take(run, e)
      at("at").value = e.done
      scrub()
    })
    const v = done.verdict
    verdict = [v.words + (v.on ? ` (the record was made on ${v.on}, this on the CPU)` : ""), v.identical ? "same" : "other"]
    say(...verdict)
    at("memory").textContent = `Made again in ${v.seconds.toFixed(1)} s by ${o.engine}, in ${Math.ceil(bench.memory / 1e6)} MB of memory.`
    if (arrived.hash !== kept.hash) at("memory").textContent += ` The engine is ${arrived.hash}, and the page was written with ${kept.hash}.`
    at("from").value = Math.floor(kept.end / 2)
    at("to").value = at("until").value = kept.end
    knob()
    scrub()
  })
}

// partsOf says where a fork is another than the record, as far as that was made again.
function partsOf(f) {
  if (f.parts) return `the walks part in iteration ${f.parts}` + (f.best_parts ? `, the best values in ${f.best_parts}` : ", the best values do not")
  if (f.compared >= Math.min(f.end, kept.end)) return "it is the same walk as far as both go"
  if (f.compared) return `it is the same walk up to iteration ${f.compared}, and the record was not made again beyond`
  return f.at < kept.end ? "they are not compared, for the record was not made again so far" : "the record ends there"
}

// listed names the first three of several.
const listed = a => a.slice(0, 3).join(", ") + (a.length > 3 ? ` and ${a.length - 3} more` : "")

async function turn() {
  const from = Number(at("from").value), to = Number(at("to").value), name = at("name").value, value = at("value").value.trim()
  const hue = hues.find(h => forks.every(f => f.hue !== h)) || hues[forks.length % hues.length]
  const fork = {at: from, bests: [], news: [], means: [], tours: [], name: `${name}=${value} from iteration ${from + 1} on`, hue}
  forks.push(fork)
  seen = fork
  keys()
  let made = false
  await working(`fork after iteration ${from} with ${name}=${value}`, async () => {
    const done = await bench.do({do: "fork", at: from, to, set: {[name]: value}, alone: !at("later").checked}, e => take(fork, e) || scrub())
    const f = done.forked
    fork.bests[0] = run.bests[from]
    fork.bests.length = f.end - from + 1
    made = true
    at("at").max = endOfAll()
    at("at").value = f.end
    at("parted").prepend(toldOf(fork, f))
  })
  if (!made) dropFork(fork)
  if (at("said").textContent !== "stopped") say(...verdict)
  keys()
  scrub()
}

// dropFork takes a fork away.
function dropFork(fork) {
  forks = forks.filter(f => f !== fork)
  if (seen === fork) seen = run
  at("at").max = endOfAll()
  keys()
  scrub()
}

// toldOf says what came of a fork, with its record to take home.
function toldOf(fork, f) {
  const p = document.createElement("p"), save = document.createElement("button"), drop = document.createElement("button")
  save.type = drop.type = "button"
  save.textContent = "Download the fork"
  drop.textContent = "Take it away"
  for (const b of [save, drop]) b.setAttribute("aria-label", `${b.textContent}: ${fork.name}`)
  save.addEventListener("click", () => download(f.record, `${kept.run}2.run`))
  drop.addEventListener("click", () => { p.remove(); dropFork(fork) })
  const mark = document.createElement("span")
  mark.className = "mark"
  mark.style.background = `var(${fork.hue})`
  const made = f.made ? ` The record's changes ${listed(f.made)} are made in it too.` : ""
  const left = f.left ? ` Of the record's changes it does not make ${listed(f.left)}.` : ""
  p.append(mark, `${fork.name}: ${partsOf(f)}.${made}${left} Best ${numberOf(f.best)} after ${f.end} iterations, the record has ${numberOf(bestAt(run, Math.min(f.end, kept.end)))}. `, save, " ", drop)
  return p
}

// repeat makes the run with other seeds, in as many workers as the browser has cores for.
async function repeat() {
  const to = Number(at("until").value), n = Number(at("seeds").value)
  const seeds = Array.from({length: n}, (_, k) => String(BigInt.asUintN(64, BigInt(kept.seed) + BigInt(k))))
  const many = Math.min(n, navigator.hardwareConcurrency || 2, 8)
  const results = new Map(), far = new Map()
  at("results").replaceChildren()
  await working(`${n} seeds in ${many} ${many === 1 ? "worker" : "workers"}`, async () => {
    others = Array.from({length: many}, (_, k) => k === 0 ? bench : new Bench(kept.engine, bench.opening))
    const left = [...seeds]
    const work = async b => {
      for (let seed = left.shift(); seed; seed = left.shift()) {
        const done = await b.do({do: "repeat", seed, to}, e => {
          far.set(seed, e.done / e.total)
          at("far").value = [...far.values()].reduce((a, v) => a + v, 0) / n
        })
        results.set(seed, done.seeded)
        table(seeds.filter(s => results.has(s)).map(s => results.get(s)))
      }
    }
    await Promise.all(others.map(b => work(b).catch(err => {
      left.length = 0 // the other workers begin no more
      stop()
      throw err
    })))
  })
  others.filter(b => b !== bench).forEach(b => b.end(new Stopped("stopped")))
  others = []
  if (at("said").textContent !== "stopped") say(...verdict)
}

// table shows what came of seeds.
function table(all) {
  const sorted = all.map(s => s.best).filter(v => v != null).sort((a, b) => a - b)
  const middle = sorted.length % 2 ? sorted[(sorted.length - 1) / 2] : (sorted[sorted.length / 2 - 1] + sorted[sorted.length / 2]) / 2
  const same = all.filter(s => s.recorded === "same").length, other = all.filter(s => s.recorded === "other").length
  at("seeded").textContent = `${all.length} seeds: best ${numberOf(sorted[0])}, median ${numberOf(middle)}, worst ${numberOf(sorted[sorted.length - 1])}.` +
    (same + other ? ` The record has ${same + other} of them: ${other ? other + " are other" : "identical"}.` : "")
  const row = (kind, cells) => {
    const tr = document.createElement("tr")
    tr.append(...cells.map(text => {
      const c = document.createElement(kind)
      c.textContent = text
      c.className = "n"
      return c
    }))
    return tr
  }
  const t = document.createElement("table")
  t.append(row("th", ["seed", "iterations", "best", "gap"]), ...all.map(s => row("td", [s.seed, s.iteration, numberOf(s.best), s.gap == null ? "–" : s.gap.toFixed(3) + " %"])))
  at("results").replaceChildren(t)
}

// download hands a text to the reader as a file.
function download(text, name) {
  const a = document.createElement("a")
  a.href = URL.createObjectURL(new Blob([text], {type: "application/x-ndjson"}))
  a.download = name
  a.click()
  setTimeout(() => URL.revokeObjectURL(a.href), 10000)
}

// stop gives up what is under way.
function stop() { for (const b of others.length ? others : [bench]) b.stop() }

async function start() {
  kept = JSON.parse(await unpacked(keptText).text())
  kept.journal = kept.journal || []
  bench = new Bench(kept.engine, {do: "open", record: kept.record, instance: kept.instance})
  at("replay").addEventListener("click", replay)
  at("stop").addEventListener("click", stop)
  at("at").addEventListener("input", () => { at("from").value = Math.min(at("at").value, kept.end); knob(); scrub() })
  at("name").addEventListener("change", knob)
  at("fork").addEventListener("submit", e => { e.preventDefault(); turn() })
  at("repeat").addEventListener("submit", e => { e.preventDefault(); repeat() })
  at("download").addEventListener("click", () => download(kept.record, `${kept.run}.run`))
  at("file").addEventListener("change", () => {
    const s = document.createElement("script")
    arrived = null
    s.src = URL.createObjectURL(at("file").files[0])
    s.onload = () => { bench.end(new Stopped("stopped")); replay() }
    document.head.append(s)
  })
  document.addEventListener("keydown", e => {
    if (e.key === "c" && e.ctrlKey && !at("stop").hidden && String(getSelection()) === "") stop()
  })
  at("do").hidden = at("download").hidden = false
}

start()

// The page: replay, the slider through iterations, forks, and the record as a file.

const at = id => document.getElementById(id)
// As the run was made again: bests[i] is the best after iteration i, news[i] the best of it.
const run = {bests: [], news: [], tours: [], x: [], y: []}
let fork = null // {at, bests, news, tours}: as run, from iteration at on
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
  for (const [i, best, now] of event.points || []) {
    if (i < from) continue
    into.bests[i - from] = best
    into.news[i - from] = now
  }
  into.tours.push(...(event.tours || []).filter(t => t.i > from))
  if (event.total) {
    at("far").value = event.done / event.total
    at("far").textContent = `${event.done} of ${event.total}`
  }
}

const shownChanges = () => kept.journal.map(c => ({i: c.i, words: words(c)})).filter(c => c.words)

const paintCurve = canvasOf(at("curve"), 0.62, (g, w, h, colour) => {
  if (!kept) return
  const lines = [{bests: run.news, from: 0, colour: "--soft", thin: true}, {bests: run.bests, from: 0, colour: "--accent"}]
  if (fork) lines.push({bests: fork.news, from: fork.at, colour: "--second", thin: true}, {bests: fork.bests, from: fork.at, colour: "--second"})
  const end = Math.max(kept.end, fork ? fork.at + fork.bests.length - 1 : 0)
  drawCurves(g, w, h, colour, lines, shownChanges(), Number(at("at").value), end)
})

// toursAt are the best solution after an iteration and the one before it: of the fork where it has
// one.
function toursAt(i) {
  const all = fork && i > fork.at ? [...run.tours.filter(t => t.i <= fork.at), ...fork.tours.filter(t => t.i > fork.at)] : run.tours
  let k = all.length - 1
  while (k >= 0 && all[k].i > i) k--
  return [all[k], all[k - 1]]
}

const paintTour = canvasOf(at("tour"), 0.75, (g, w, h, colour) => {
  const [now, before] = toursAt(Number(at("at").value))
  if (now) drawTour(g, w, h, colour, run.x, run.y, now.perm, before && before.perm)
})

// scrub shows the run after the slider's iteration.
function scrub() {
  const i = Number(at("at").value), best = run.bests[i], other = fork && i > fork.at ? fork.bests[i - fork.at] : null
  at("where").textContent = `${i}: best ${numberOf(best)}` + (other != null ? `, of the fork ${numberOf(other)}` : "")
  const [tour] = toursAt(i)
  at("legend").textContent = `Best values, and thin the best of each iteration${fork ? "; blue and grey of the record, purple of the fork" : ""}. ` + (run.x.length && tour ? `The tour is that of iteration ${tour.i}${fork && tour.i > fork.at ? " of the fork" : ""}; what is new in it is marked.` : "")
  paintCurve(`best values by iteration; after iteration ${i}: ${numberOf(best)}`)
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
  at("value").value = String(valueAt(p.name, Number(at("from").value)))
  at("range").textContent = `${p.name}: ${p.doc} It takes ${p.range}.`
}

async function replay() {
  await working("loading the engine", async () => {
    const o = await bench.start()
    run.bests = []
    run.news = []
    run.tours = []
    fork = null
    verdict = ["", ""]
    at("parted").replaceChildren()
    opened(o)
    for (const id of ["at", "from"]) at(id).max = kept.end
    at("live").hidden = false
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

async function turn() {
  const from = Number(at("from").value), to = Number(at("to").value), name = at("name").value, value = at("value").value.trim()
  at("parted").replaceChildren()
  fork = {at: from, bests: [], news: [], tours: []}
  await working(`fork after iteration ${from} with ${name}=${value}`, async () => {
    const done = await bench.do({do: "fork", at: from, to, set: {[name]: value}}, e => take(fork, e) || scrub())
    const f = done.forked
    fork.bests[0] = run.bests[from]
    fork.bests.length = f.end - from + 1
    at("at").max = Math.max(kept.end, f.end)
    at("at").value = f.end
    const parts = partsOf(f)
    const save = document.createElement("button")
    save.type = "button"
    save.textContent = "Download the fork"
    save.addEventListener("click", () => download(f.record, `${kept.run}2.run`))
    at("parted").replaceChildren(`${name}=${value} from iteration ${from + 1} on: ${parts}. Best ${numberOf(f.best)} after ${f.end} iterations, the record has ${numberOf(run.bests[Math.min(f.end, kept.end)])}. `, save)
    scrub()
  })
  if (!at("parted").childNodes.length) fork = null
  if (at("said").textContent !== "stopped") say(...verdict)
  scrub()
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

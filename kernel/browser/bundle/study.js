// The page of an experiment: its units, made again one after the other.

const at = id => document.getElementById(id)
let kept = null, bench = null, stopped = false

// verdictOf says what came of a unit, whose last best value is best: its words, and "same" or
// "other".
function verdictOf(unit, v, best) {
  const on = v.on ? ` (the unit was made on ${v.on}, this on the CPU)` : ""
  if (!v.identical) return [`another run: best ${best}, the experiment has ${unit.shown}; it ${v.words}${on}`, "other"]
  if (best !== unit.best) return [`the digest is the same, and the best is ${best}, the experiment has ${unit.shown}${on}`, "other"]
  return [`identical: best ${unit.shown} after ${unit.end} iterations${on}`, "same"]
}

function show(unit, text, kind = "") {
  const cell = at(`unit-${unit.number}`)
  cell.className = `came ${kind}`
  cell.querySelector("span").textContent = text
}

function busy(on) {
  at("stop").hidden = at("far").hidden = !on
  for (const b of document.querySelectorAll("#all, td button")) b.disabled = on
}

// again makes a unit again; it returns "same" or "other".
async function again(unit, each) {
  show(unit, "loading the engine")
  bench = new Bench(kept.engine, {do: "open", record: unit.record, instance: kept.instances[unit.instance]})
  try {
    await bench.start()
    show(unit, "making it again")
    let best = null
    const done = await bench.do({do: "replay"}, e => {
      for (const p of e.points || []) best = p[1]
      if (e.total) each(e.done / e.total)
    })
    const [words, kind] = verdictOf(unit, done.verdict, best)
    show(unit, words + (arrived.hash === kept.hash ? "" : ` (by the engine ${arrived.hash}, the page was written with ${kept.hash})`), kind)
    return kind
  } catch (err) {
    show(unit, err instanceof Stopped ? "stopped" : `not made again: ${err.message}`, err instanceof Stopped ? "" : "other")
    throw err
  } finally {
    bench.end(new Stopped("stopped"))
    bench = null
  }
}

function trouble(err) {
  const bad = err && !(err instanceof Stopped)
  at("trouble").hidden = !bad
  if (!bad) return
  at("trouble").textContent = err.message + (err.wanted ? `. Wanted is an engine with ${err.wanted}; choose its file:` : "")
  at("other").hidden = !(err.wanted || !arrived)
}

// make makes units again and says how many are identical. Where the engine cannot work it does not
// go on.
async function make(units) {
  let same = 0, other = 0
  stopped = false
  trouble(null)
  busy(true)
  at("said").textContent = ""
  for (const u of units) {
    if (stopped) break
    try {
      const kind = await again(u, far => { at("far").value = (same + other + far) / units.length })
      if (kind === "same") same++
      else other++
    } catch (err) {
      trouble(err)
      if (!(err instanceof Refused)) break
      other++
    }
  }
  busy(false)
  if (units.length > 1 || stopped) at("said").textContent = `${same} of ${units.length} units identical` + (other ? `, ${other} not` : "") + (stopped ? "; stopped" : "")
}

function stop() {
  stopped = true
  if (bench) bench.stop()
}

async function start() {
  kept = JSON.parse(await unpacked(keptText).text())
  for (const u of kept.units) {
    const b = document.createElement("button"), said = document.createElement("span")
    b.type = "button"
    b.textContent = "Make again"
    b.setAttribute("aria-label", `Make again: unit ${u.number}`)
    b.addEventListener("click", () => make([u]))
    said.setAttribute("role", "status")
    at(`unit-${u.number}`).append(b, " ", said)
  }
  at("all").addEventListener("click", () => make(kept.units))
  at("stop").addEventListener("click", stop)
  at("file").addEventListener("change", () => {
    const s = document.createElement("script")
    arrived = arrival = null
    s.src = URL.createObjectURL(at("file").files[0])
    s.onload = () => {
      trouble(arrived ? null : new Error("the file is no engine of metalab"))
      at("other").hidden = !!arrived
      if (arrived) at("said").textContent = `the engine ${arrived.hash} is loaded`
    }
    document.head.append(s)
  })
  document.addEventListener("keydown", e => {
    if (e.key === "c" && e.ctrlKey && !at("stop").hidden && String(getSelection()) === "") stop()
  })
  at("do").hidden = false
}

start()

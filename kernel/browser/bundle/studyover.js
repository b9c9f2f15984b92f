// The page of an experiment over its iterations: what the units of each setting had after so many,
// as curves of medians, as boxes, and in numbers.

const hues = ["--accent", "--warm", "--good", "--second", "--soft", "--ink"]

// hadAt is what a unit had after an iteration; null: it had made none.
function hadAt(steps, i) {
  let lo = 0, hi = steps.length
  while (lo < hi) {
    const mid = (lo + hi) >> 1
    if (steps[mid][0] <= i) lo = mid + 1
    else hi = mid
  }
  return lo > 0 ? steps[lo - 1][1] : null
}

// quantile is one of sorted values, between two where it lies between them.
function quantile(sorted, q) {
  const at = q * (sorted.length - 1), k = Math.floor(at)
  return k + 1 < sorted.length ? sorted[k] + (at - k) * (sorted[k + 1] - sorted[k]) : sorted[k]
}

// spreadAt is how the values of a setting lie after an iteration: their five quartiles.
function spreadAt(setting, i) {
  const values = setting.units.map(u => hadAt(u, i)).filter(v => v != null).sort((a, b) => a - b)
  return values.length ? [0, 0.25, 0.5, 0.75, 1].map(q => quantile(values, q)) : null
}

// drawBoxes draws the spreads of settings one below the other.
function drawBoxes(g, w, h, colour, rows, lo, hi) {
  const left = 10, right = 10, each = (h - 22) / rows.length
  const x = v => left + (w - left - right) * (Math.min(Math.max(v, lo), hi) - lo) / (hi - lo || 1)
  g.fillStyle = colour("--soft")
  g.fillText(short(lo), left, h - 6)
  g.textAlign = "right"
  g.fillText(short(hi), w - right, h - 6)
  g.textAlign = "left"
  rows.forEach(({label, hue, spread}, k) => {
    const top = k * each + 16, deep = Math.max(6, each - 24), mid = top + deep / 2
    g.fillStyle = colour("--ink")
    g.fillText(label, left, top - 3)
    if (!spread) return
    const [least, low, median, high, most] = spread.map(x)
    g.strokeStyle = colour(hue)
    g.strokeRect(low, top, Math.max(1, high - low), deep)
    g.beginPath()
    for (const [a, b] of [[least, low], [high, most]]) {
      g.moveTo(a, mid)
      g.lineTo(b, mid)
    }
    g.stroke()
    g.lineWidth = 3
    g.beginPath()
    g.moveTo(median, top)
    g.lineTo(median, top + deep)
    g.stroke()
    g.lineWidth = 1
  })
}

// panelOf makes what is shown of an instance; what it returns shows it after an iteration.
function panelOf(panel, end) {
  const el = (name, text, to) => {
    const e = document.createElement(name)
    if (text) e.textContent = text
    to.append(e)
    return e
  }
  const box = el("section", "", document.getElementById("panels"))
  const what = panel.percent ? "gap, %" : panel.maximise ? "value, larger is better" : "value"
  el("h3", `${panel.instance}: ${what}`, box)
  const pair = el("div", "", box), every = Math.max(1, Math.ceil(end / 400))
  pair.className = "pair"
  const pictures = [el("div", "", pair), el("div", "", pair)]
  for (const p of pictures) p.className = "picture"
  const lines = panel.settings.map((s, k) => {
    const bests = []
    for (let i = 0; i <= end + every - 1; i += every) bests.push((spreadAt(s, Math.min(i, end)) || [])[2])
    return {bests, from: 0, every, colour: hues[k % hues.length]}
  })
  // Boxes stand on the scale of the curves' values: what the units had after a fiftieth of the
  // iterations, and at the end.
  let lo = Infinity, hi = -Infinity
  for (const i of [Math.ceil(end / 50), end]) {
    for (const s of panel.settings) {
      const spread = spreadAt(s, i)
      if (spread) [lo, hi] = [Math.min(lo, spread[0]), Math.max(hi, spread[4])]
    }
  }
  let upto = end
  const rows = () => panel.settings.map((s, k) => ({label: s.label, hue: hues[k % hues.length], spread: spreadAt(s, upto)}))
  const wants = [
    canvasOf(pictures[0], 0.55, (g, w, h, colour) => drawCurves(g, w, h, colour, lines, {cursor: upto, end, percent: panel.percent, label: what})),
    canvasOf(pictures[1], Math.min(2, Math.max(0.3, 0.12 * panel.settings.length + 0.06)), (g, w, h, colour) => drawBoxes(g, w, h, colour, rows(), lo, hi)),
  ]
  const scroll = el("div", "", box), table = el("table", "", scroll), head = el("tr", "", el("thead", "", table))
  Object.assign(scroll, {className: "scroll", tabIndex: 0, role: "region"})
  scroll.setAttribute("aria-label", `settings on ${panel.instance}`)
  for (const name of ["setting", "units", "least", "median", "most"]) el("th", name, head).className = name === "setting" ? "" : "n"
  const body = el("tbody", "", table)
  return i => {
    upto = i
    body.replaceChildren()
    const said = []
    for (const [k, {label, hue, spread}] of rows().entries()) {
      const tr = el("tr", "", body), name = el("td", "", tr), mark = el("span", "■ ", name)
      mark.setAttribute("aria-hidden", "true")
      mark.style.color = `var(${hue})`
      name.append(label)
      el("td", String(panel.settings[k].units.length), tr).className = "n"
      for (const q of [0, 2, 4]) el("td", spread ? short(spread[q]) : "", tr).className = "n"
      if (spread) said.push(`${label} ${short(spread[2])}`)
    }
    const words = `${panel.instance} after iteration ${i}: medians ${said.join(", ")}`
    for (const want of wants) want(words)
  }
}

async function startOver() {
  const panels = JSON.parse(await unpacked(overText).text()), slide = document.getElementById("upto")
  const end = Math.max(...panels.flatMap(p => p.settings.flatMap(s => s.units.map(u => u.length ? u[u.length - 1][0] : 0))))
  document.getElementById("over").hidden = false
  const shown = panels.map(p => panelOf(p, end))
  const show = () => {
    document.getElementById("uptosaid").textContent = `${slide.value} of ${end}`
    for (const s of shown) s(Number(slide.value))
  }
  Object.assign(slide, {min: 1, max: end, value: end})
  slide.addEventListener("input", show)
  show()
}

startOver()

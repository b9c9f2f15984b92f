// Live figures: the curve of the best values with what was changed, and the tour.

// canvasOf makes a canvas of a height for a width of 1, which draw(context, w, h) fills.
function canvasOf(box, shape, draw) {
  const canvas = document.createElement("canvas")
  canvas.setAttribute("role", "img")
  box.replaceChildren(canvas)
  let due = false
  const paint = () => {
    due = false
    const w = box.clientWidth, h = Math.round(w * shape), fine = window.devicePixelRatio || 1
    if (w < 40) return
    canvas.width = Math.round(w * fine)
    canvas.height = Math.round(h * fine)
    canvas.style.height = h + "px"
    const g = canvas.getContext("2d")
    g.setTransform(fine, 0, 0, fine, 0, 0)
    g.font = "12px system-ui, sans-serif"
    draw(g, w, h, name => getComputedStyle(canvas).getPropertyValue(name).trim())
  }
  const want = words => {
    if (words) canvas.setAttribute("aria-label", words)
    if (!due) requestAnimationFrame(paint)
    due = true
  }
  new ResizeObserver(() => want()).observe(box)
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => want())
  return want
}

// words are what stands beside the mark of a change; of some there are none.
const words = c => c.change === "set" ? `${c.name} ${c.old} → ${c.new}` : c.change === "fork" ? "fork" : ""

// short is a number in few characters.
const short = v => String(Number.isInteger(v) ? v : Number(v.toPrecision(7)))

// niceTicks are round numbers from lo to hi, about as many as are wanted: steps of 1, 2 or 5 times a
// power of ten.
function niceTicks(lo, hi, want, whole) {
  const raw = (hi - lo) / want
  let step = 0, digits = 0
  for (let e = Math.floor(Math.log10(Math.max(raw, 1e-300))); !step; e++) {
    step = [1, 2, 5].map(m => m * 10 ** e).find(v => v >= raw * (1 - 1e-9) && (!whole || v >= 1)) || 0
    digits = Math.max(0, -e)
  }
  const out = []
  for (let k = Math.ceil(lo / step - 1e-9); k * step <= hi + step * 1e-9 && out.length < 100; k++) out.push({at: k * step, text: digits > 6 ? short(k * step) : (k * step).toFixed(digits)})
  return out
}

// logTicks are powers of ten and, where these are few, other round numbers between them.
function logTicks(lo, hi) {
  let out = []
  for (const of of [[1], [1, 3], [1, 2, 5], [1, 1.5, 2, 3, 5, 7]]) {
    out = []
    for (let e = Math.floor(Math.log10(lo)); e <= Math.ceil(Math.log10(hi)); e++) {
      for (const m of of) {
        const at = m * 10 ** e
        if (at >= lo * (1 - 1e-9) && at <= hi * (1 + 1e-9)) out.push({at, text: String(Number(at.toPrecision(6)))})
      }
    }
    if (out.length >= 4) break
  }
  return out.length < 3 ? niceTicks(lo, hi, 5, false) : out
}

// valueAxis chooses the axis of values as the figures of a record do: logarithmic for gaps in
// percent, on which gaps of 0 lie at the bottom, and for what spans more than a factor of 30.
function valueAxis(lines, percent) {
  let lo = Infinity, hi = -Infinity, least = Infinity
  for (const l of lines) {
    for (const v of l.bests) {
      if (v == null) continue
      lo = Math.min(lo, v)
      hi = Math.max(hi, v)
      if (v > 0) least = Math.min(least, v)
    }
  }
  if (!(lo <= hi)) return null
  if (percent && least < Infinity || lo > 0 && hi / lo > 30) {
    const floor = lo <= 0 ? least / 4 : 0
    let from = floor || lo, to = hi
    if (to < from * 1.2) [from, to] = [from / 1.2, to * 1.2]
    from = floor || from / 1.08
    to *= 1.08
    const ticks = logTicks(floor ? floor * (to / floor) ** 0.07 : from, to)
    if (floor) ticks.unshift({at: floor, text: lo < 0 ? "≤0" : "0"})
    return {ticks, part: v => Math.log(Math.max(v, from) / from) / Math.log(to / from), cut: false}
  }
  // Where the first iterations are so far above all the others that nothing else is seen, the worst
  // that is shown is the value after a fiftieth of them.
  const main = lines.find(l => !l.thin), early = main.bests[Math.min(main.bests.length - 1, Math.ceil(main.bests.length / 50))]
  const near = early != null && early > lo ? lo + 1.6 * (early - lo) : hi
  const cut = hi - lo > 8 * (near - lo), most = cut ? near : hi
  const wide = most - lo || Math.abs(lo) * 0.02 || 1
  const from = percent && lo === 0 && most === 0 ? 0 : lo - 0.04 * wide, to = cut ? most : most + 0.04 * wide
  return {ticks: niceTicks(from, to, 6, false), part: v => (Math.min(v, to) - from) / (to - from), cut}
}

// alike reports whether two lines have the same values, so that the later one covers the other.
const alike = (a, b) => a.from === b.from && (a.every || 1) === (b.every || 1) && a.bests.length === b.bests.length && a.bests.every((v, k) => v === b.bests[k])

// drawCurves draws lines of values by iteration: {bests, from, every, colour, thin, wide}, one value
// for each iteration or, with every, each so many; what is for the whole: changes {i, words} of a
// journal, a cursor at an iteration, the last iteration end, a label of the values, and whether they
// are gaps in percent. What covers another line is dashed.
function drawCurves(g, w, h, colour, lines, {changes = [], cursor = 0, end, label, percent}) {
  const axis = valueAxis(lines, percent)
  if (!axis) return
  const left = 10 + Math.max(...axis.ticks.map(t => g.measureText(t.text).width)), right = 12, top = 48, bottom = 36
  const x = i => left + (w - left - right) * i / Math.max(end, 1)
  const y = v => top + (h - top - bottom) * (1 - axis.part(v))
  g.strokeStyle = colour("--line")
  g.fillStyle = colour("--soft")
  const rule = (x0, y0, x1, y1) => {
    g.beginPath()
    g.moveTo(x0, y0)
    g.lineTo(x1, y1)
    g.stroke()
  }
  g.textAlign = "right"
  for (const t of axis.ticks) {
    rule(left, y(t.at), w - right, y(t.at))
    g.fillText(t.text, left - 5, y(t.at) + 4)
  }
  g.textAlign = "center"
  for (const t of niceTicks(0, Math.max(end, 1), Math.max(2, Math.min(7, Math.floor((w - left) / 70))), true)) {
    rule(x(t.at), top, x(t.at), h - bottom)
    g.fillText(t.text, Math.min(x(t.at), w - 1 - g.measureText(t.text).width / 2), h - bottom + 15)
  }
  g.textAlign = "right"
  g.fillText("iteration", w - right, h - 5)
  g.textAlign = "left"
  g.fillText(label + (axis.cut ? "; the first values lie above" : ""), 4, 12)
  g.setLineDash([4, 3])
  g.strokeStyle = g.fillStyle = colour("--warm")
  const taken = [0, 0] // of two lines; the table of changes has them all
  for (const c of changes) {
    rule(x(c.i), top, x(c.i), h - bottom)
    const wide = g.measureText(c.words).width
    const left = x(c.i) + 2 + wide < w ? x(c.i) + 2 : x(c.i) - 2 - wide // of its mark, where that is at the right edge
    const line = taken.findIndex(t => left > t)
    if (line < 0) continue
    g.fillText(c.words, left, top - 8 - 13 * line)
    taken[line] = left + wide + 6
  }
  g.save()
  g.beginPath()
  g.rect(left, top - 2, w - left - right + 2, h - top - bottom + 4)
  g.clip()
  lines.forEach((l, k) => {
    g.setLineDash(lines.slice(0, k).some(o => !o.thin && !l.thin && alike(o, l)) ? [6, 6] : [])
    drawLine(g, l, colour, x, y)
  })
  g.restore()
  g.setLineDash([])
  if (cursor > 0) {
    g.strokeStyle = colour("--ink")
    rule(x(cursor), top, x(cursor), h - bottom)
  }
}

// drawLine draws one of the lines; best values stand until there is a better one.
function drawLine(g, l, colour, x, y) {
  g.strokeStyle = colour(l.colour)
  g.lineWidth = l.wide || (l.thin ? 0.8 : 1.8)
  g.beginPath()
  let begun = false, last = -1, held = null, low = 0
  l.bests.forEach((v, k) => {
    if (v == null) return
    const px = x(l.from + k * (l.every || 1)), py = y(v)
    if (begun && px - last < 0.5 && k < l.bests.length - 1) return void (held = py) // finer than the picture
    if (!begun) g.moveTo(px, py)
    else {
      if (held != null) g.lineTo(last, held)
      if (!l.thin) g.lineTo(px, held != null ? held : low)
      g.lineTo(px, py)
    }
    low = py
    held = null
    begun = true
    last = px
  })
  g.stroke()
  g.lineWidth = 1
}

// gapOf makes values of the objective gaps in percent above the best known one; where none is known,
// or it is 0, they stay what they are.
function gapOf(known) {
  const percent = known != null && Number.isFinite(known) && known !== 0
  return {percent, label: percent ? "gap (%)" : "best value", of: bests => percent ? Array.from(bests, v => v == null ? v : 100 * (v - known) / Math.abs(known)) : bests}
}

// edgesOf are the edges of a tour, as numbers that do not depend on its direction.
function edgesOf(perm) {
  const n = perm.length, out = new Set()
  for (let k = 0; k < n; k++) {
    const a = perm[k], b = perm[(k + 1) % n]
    out.add(Math.min(a, b) * n + Math.max(a, b))
  }
  return out
}

// drawTour draws a tour over its cities; edges that the one before has not are marked.
function drawTour(g, w, h, colour, xs, ys, perm, before) {
  if (!perm || !xs.length) return
  const least = a => a.reduce((m, v) => Math.min(m, v), Infinity), most = a => a.reduce((m, v) => Math.max(m, v), -Infinity)
  const x0 = least(xs), x1 = most(xs), y0 = least(ys), y1 = most(ys), rim = 8
  const scale = Math.min((w - 2 * rim) / (x1 - x0 || 1), (h - 2 * rim) / (y1 - y0 || 1))
  const x = c => (w - scale * (x1 - x0)) / 2 + scale * (xs[c] - x0)
  const y = c => (h + scale * (y1 - y0)) / 2 - scale * (ys[c] - y0)
  const had = before ? edgesOf(before) : null, n = perm.length
  const draw = (changed, stroke, width) => {
    g.strokeStyle = stroke
    g.lineWidth = width
    g.beginPath()
    for (let k = 0; k < n; k++) {
      const a = perm[k], b = perm[(k + 1) % n]
      if ((had !== null && !had.has(Math.min(a, b) * n + Math.max(a, b))) !== changed) continue
      g.moveTo(x(a), y(a))
      g.lineTo(x(b), y(b))
    }
    g.stroke()
  }
  draw(false, colour("--accent"), n > 3000 ? 0.6 : 1.2)
  draw(true, colour("--warm"), n > 3000 ? 1 : 2)
  if (n > 2000) return
  g.fillStyle = colour("--ink")
  for (const c of perm) g.fillRect(x(c) - 1.2, y(c) - 1.2, 2.4, 2.4)
}

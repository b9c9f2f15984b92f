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

// drawCurves draws lines of values by iteration: {bests, from, every, colour, thin}, one for each
// iteration or, with every, each so many, with the changes {i, words} of a journal and a cursor at an
// iteration.
function drawCurves(g, w, h, colour, lines, changes, cursor, end) {
  let lo = Infinity, hi = -Infinity
  for (const l of lines) for (const v of l.bests) if (v != null) { if (v < lo) lo = v; if (v > hi) hi = v }
  if (!(lo <= hi)) return
  // The first iterations are often far above all the others: the worst that is shown is the value
  // after a fiftieth of them.
  const main = lines.find(l => !l.thin), early = main.bests[Math.min(main.bests.length - 1, Math.ceil(end / 50 / (main.every || 1)))]
  if (early != null && early > lo) hi = Math.min(hi, lo + 1.6 * (early - lo))
  if (hi === lo) hi = lo + 1
  const left = 8 + Math.max(g.measureText(short(lo)).width, g.measureText(short(hi)).width), right = 10, top = 20, bottom = 26
  const x = i => left + (w - left - right) * i / Math.max(end, 1)
  const y = v => top + (h - top - bottom) * (hi - Math.min(v, hi)) / (hi - lo)
  g.strokeStyle = colour("--line")
  g.strokeRect(left, top, w - left - right, h - top - bottom)
  g.fillStyle = colour("--soft")
  g.textAlign = "right"
  g.fillText(short(hi), left - 4, top + 8)
  g.fillText(short(lo), left - 4, h - bottom)
  g.fillText(`iteration ${end}`, w - right, h - 8)
  g.textAlign = "left"
  g.fillText("0", left, h - 8)
  g.setLineDash([4, 3])
  g.strokeStyle = g.fillStyle = colour("--warm")
  let row = 0, free = 0
  for (const c of changes) {
    g.beginPath()
    g.moveTo(x(c.i), top)
    g.lineTo(x(c.i), h - bottom)
    g.stroke()
    const words = c.words, wide = g.measureText(words).width
    if (x(c.i) > free && x(c.i) + wide < w) { // the table of changes has them all
      g.fillText(words, x(c.i) + 2, top - 6 + row)
      free = x(c.i) + wide + 8
    }
  }
  g.setLineDash([])
  for (const l of lines) {
    g.strokeStyle = colour(l.colour)
    g.lineWidth = l.thin ? 0.7 : 1.8
    g.beginPath()
    let begun = false, last = -1, held = null
    l.bests.forEach((v, k) => {
      if (v == null) return
      const px = x(l.from + k * (l.every || 1)), py = y(v)
      if (begun && px - last < 0.5 && k < l.bests.length - 1) return void (held = py) // finer than the picture
      if (!begun) g.moveTo(px, py)
      else {
        if (held != null) g.lineTo(last, held)
        g.lineTo(px, py)
      }
      held = null
      begun = true
      last = px
    })
    g.stroke()
    g.lineWidth = 1
  }
  if (cursor > 0) {
    g.strokeStyle = colour("--ink")
    g.beginPath()
    g.moveTo(x(cursor), top)
    g.lineTo(x(cursor), h - bottom)
    g.stroke()
  }
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

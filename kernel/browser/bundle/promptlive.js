// What is live in the log: a run with a slider over its iterations, and parameters to be turned.

// scrubOf shows a run with a slider over its iterations: curve, changes and tour.
function scrubOf(r) {
  const box = make("figure", "", "live"), bar = make("p", "", "bar"), pair = make("div", "", "pair")
  const slide = make("input"), said = make("output"), curve = make("div", "", "picture"), tour = make("div", "", "picture")
  const end = r.iteration, every = Math.max(1, Math.ceil(end / 2000)), bests = []
  for (const m of r.curve) bests[Math.ceil(m.iter / every)] = m.best
  for (let k = 1; k <= end / every; k++) if (bests[k] == null && bests[k - 1] != null) bests[k] = bests[k - 1]
  const falls = r.curve.length < 2 || r.curve[0].best >= r.curve[r.curve.length - 1].best
  const scale = gapOf(falls ? r.optimum : null)
  const changes = (r.changes || []).map(c => ({i: c.i, words: words(c)})).filter(c => c.words)
  Object.assign(slide, {type: "range", min: 0, max: end, value: end})
  slide.setAttribute("aria-label", `iteration of ${r.run}`)
  bar.append(make("span", "after iteration"), slide, said)
  pair.append(curve)
  if (r.x) pair.append(tour)
  box.append(bar, pair, make("figcaption", `${r.run}: ${end} iterations, ${r.frames.length} best tours on the way; what is new in a tour is marked.` + (r.note ? ` ${r.note}.` : ""), "quiet"))
  const at = () => {
    let k = r.frames.length - 1
    while (k >= 0 && r.frames[k].iter > slide.value) k--
    return [r.frames[k], r.frames[k - 1]]
  }
  const paintCurve = canvasOf(curve, 0.62, (g, w, h, colour) => drawCurves(g, w, h, colour, [{bests: scale.of(bests), from: 0, every, colour: "--accent"}], {...scale, changes, cursor: Number(slide.value), end}))
  const paintTour = canvasOf(tour, 0.75, (g, w, h, colour) => {
    const [now, before] = at()
    if (now) drawTour(g, w, h, colour, r.x, r.y, now.tour, before && before.tour)
  })
  const move = () => {
    const [now] = at(), past = changes.filter(c => c.i <= slide.value).pop()
    said.textContent = `${slide.value}${now ? `, best ${short(now.best)}` : ""}${past ? `; ${past.words}` : ""}`
    paintCurve(`best values of ${r.run} by iteration; ${said.textContent}`)
    paintTour(now ? `the best tour after iteration ${slide.value}, found in iteration ${now.iter}` : "no tour yet")
  }
  slide.addEventListener("input", move)
  move()
  return box
}

const panels = new Set() // of parameters; those that the log has lost go

// slidersOf shows parameters of a run, to be turned while it runs.
function slidersOf(r) {
  const box = make("figure", "", "live"), rows = new Map()
  box.append(make("figcaption", `${r.run}: what is turned takes effect at the next iteration.`, "quiet"))
  const turn = async (p, value) => {
    try {
      await begin()
      await desk.ask({do: "call", verb: "set", body: {run: r.run, params: {[p.name]: value}}})
    } catch (err) {
      print(err.message, "wrong")
    }
    refresh(box)
  }
  for (const p of r.params) {
    const label = make("label", "", "bar"), said = make("output")
    let input = make(p.type === "enum" ? "select" : "input"), read = () => input.value
    if (p.type === "enum") input.append(...p.options.map(o => new Option(o, o)))
    else if (p.type === "truth") {
      input.type = "checkbox"
      read = () => input.checked
    } else if (Number.isFinite(p.min) && Number.isFinite(p.max) && (p.max - p.min) / (p.step || 1) <= 10000) {
      Object.assign(input, {type: "range", min: p.min, max: p.max, step: p.step || "any"})
      read = () => Number(input.value)
      input.addEventListener("input", () => { said.textContent = input.value })
    } else {
      Object.assign(input, {type: "number", min: p.min, max: p.max, step: p.type === "int" ? 1 : "any"})
      read = () => Number(input.value)
    }
    label.title = p.doc
    label.append(make("span", p.name), input, said)
    input.addEventListener("change", () => turn(p, read()))
    rows.set(p.name, value => {
      if (document.activeElement === input && input.type === "number") return
      if (input.type === "checkbox") input.checked = value
      else input.value = value
      said.textContent = input.type === "range" ? String(value) : ""
    })
    box.append(label)
  }
  box.run = r.run
  box.names = r.params.map(p => p.name).join(",")
  box.take = params => { for (const p of params) if (rows.has(p.name)) rows.get(p.name)(p.value) }
  box.take(r.params)
  panels.add(box)
  return box
}

// refresh shows in a panel what the parameters are.
async function refresh(box) {
  if (!box.isConnected) return void panels.delete(box)
  try {
    const {raw} = await desk.ask({do: "call", verb: "sliders", body: {run: box.run, names: box.names}})
    box.take(raw.params)
  } catch { // the run was closed
    for (const e of box.querySelectorAll("input, select")) e.disabled = true
    panels.delete(box)
  }
}

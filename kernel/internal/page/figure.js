// Figures, drawn by the host as SVG and redrawn in place: at once after a change, and up to
// four times a second while a run goes on. A picture that nobody sees is not asked for.

const frame = 250 // milliseconds between two frames

// What of an SVG is shown: shapes and text, nothing that loads or runs.
const inert = new Set(["svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "title", "desc", "defs", "clippath", "image"])

// svgOf reads a picture of the host's.
function svgOf(text) {
  const doc = new DOMParser().parseFromString(text, "image/svg+xml")
  const svg = doc.documentElement
  if (svg.localName !== "svg") throw new Error("no picture")
  for (const e of [...svg.querySelectorAll("*")]) {
    if (!inert.has(e.localName.toLowerCase())) {
      e.remove()
      continue
    }
    for (const a of [...e.attributes]) {
      if (/^on/i.test(a.name) || (/href$/i.test(a.name) && !a.value.startsWith("data:image/png"))) e.removeAttribute(a.name)
    }
  }
  svg.removeAttribute("width")
  svg.removeAttribute("height")
  return document.importNode(svg, true)
}

// colourOf is a colour of the page as "#rrggbb".
function colourOf(e, property) {
  const m = getComputedStyle(e).getPropertyValue(property).trim().match(/^#[0-9a-f]{6}$/i)
  return m ? m[0] : "#ffffff"
}

// figureOf makes a figure of runs. shape is its height for a width of 1.
function figureOf(link, runs, name, shape, label) {
  const names = runs.map(r => r.name)
  const figure = pictureOf(q => link.figure({...q, runs: names, figure: name}), shape, label || `${name} of ${names.join(", ")}`)
  const view = (what, detail) => {
    if (what === "closed") stop()
    else if (what === "journal") figure.want(true)
    else if (what === "status") figure.want(detail === "state")
  }
  for (const r of runs) r.views.add(view)
  function stop() {
    figure.stop()
    for (const r of runs) r.views.delete(view)
  }
  return {...figure, stop}
}

// pictureOf makes a picture that ask asks for, with its size, background and the stamp of what
// there is.
function pictureOf(ask, shape, label) {
  const box = el("div.picture", {role: "img", "aria-label": label})
  let stamp = "", stale = true, urgent = false, busy = false, last = 0, cost = 0, timer = 0, gone = false, seen = true, ground = ""
  box.style.aspectRatio = `1 / ${shape}`

  const observer = new IntersectionObserver(entries => {
    seen = entries[entries.length - 1].isIntersecting
    if (seen) wake()
  }, {rootMargin: "100px"})
  observer.observe(box)
  const resized = new ResizeObserver(throttle(300, () => want()))
  resized.observe(box)

  function want(now) {
    stale = true
    urgent = urgent || !!now
    wake()
  }

  function wake() {
    if (!stale || busy || gone || !seen || document.hidden) return
    clearTimeout(timer)
    // However long a frame takes, half as long is for the run alone.
    const wait = urgent ? 0 : last + Math.max(frame, 1.5 * cost) - performance.now()
    if (wait > 0) timer = setTimeout(draw, wait)
    else draw()
  }

  async function draw() {
    const w = Math.round(box.clientWidth), h = Math.round(w * shape)
    if (busy || gone || w < 80) return
    busy = true
    stale = urgent = false
    last = performance.now()
    const background = colourOf(box, "--ground")
    if (background !== ground) stamp = ""
    ground = background
    try {
      const q = {w, h, background, seen: box.firstChild && box.dataset.size === `${w}x${h}` ? stamp : ""}
      const f = await ask(q)
      if (f.svg) {
        box.replaceChildren(svgOf(f.svg))
        Object.assign(box.dataset, {size: `${w}x${h}`, ground: background})
        box.dataset.frames = Number(box.dataset.frames || 0) + 1
      }
      // The host may have given an older picture to spare the run: there is a newer one.
      stamp = f.stamp
      box.classList.remove("failed")
    } catch (e) {
      if (!box.querySelector("svg") && e instanceof Refusal && e.code) box.replaceChildren(el("p.quiet", null, e.message.replace(/^(figure|chart): /, "")))
      box.classList.add("failed")
    }
    cost = performance.now() - last
    busy = false
    if (stale) wake()
  }

  const visible = () => wake()
  document.addEventListener("visibilitychange", visible)
  const scheme = matchMedia("(prefers-color-scheme: dark)")
  const themed = () => want(true)
  scheme.addEventListener("change", themed)

  function stop() {
    gone = true
    clearTimeout(timer)
    observer.disconnect()
    resized.disconnect()
    document.removeEventListener("visibilitychange", visible)
    scheme.removeEventListener("change", themed)
  }
  return {box, stop, want}
}

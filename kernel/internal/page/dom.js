// Elements, numbers and times as the pages write them. Text is always set as text, never as
// HTML, so names and notes cannot bring markup.

// el makes an element: el("p.note", {title: "x"}, "text", child). Attributes that begin with
// "on" are listeners; false, null and undefined leave an attribute or a child out.
function el(spec, attrs, ...children) {
  const [tag, ...classes] = spec.split(".")
  const e = document.createElement(tag || "div")
  if (classes.length) e.className = classes.join(" ")
  for (const [name, value] of Object.entries(attrs || {})) {
    if (value === false || value == null) continue
    if (name.startsWith("on")) e.addEventListener(name.slice(2), value)
    else if (name === "value" || name === "checked" || name === "disabled") e[name] = value
    else e.setAttribute(name, value === true ? "" : value)
  }
  e.append(...children.flat().filter(c => c !== false && c != null))
  return e
}

// hasFocus reports whether an element has the focus, also one in a tree of its own.
function hasFocus(e) { return e.getRootNode().activeElement === e }

// alongTabs moves the focus along tabs by arrow keys, Home and End, and chooses what it comes to. Of
// tabs only the chosen one is reached by the Tab key.
function alongTabs(tabs) {
  tabs.addEventListener("keydown", e => {
    const all = [...tabs.children], at = all.findIndex(hasFocus)
    const to = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1}[e.key]
    if (at < 0 || to === undefined || e.ctrlKey || e.altKey || e.metaKey) return
    e.preventDefault()
    const b = all[(to + all.length) % all.length]
    b.focus()
    b.click()
  })
}

// chooseTab marks the tab of a figure as chosen.
function chooseTab(tabs, figure) {
  for (const b of tabs.children) {
    const is = b.dataset.figure === figure
    b.setAttribute("aria-selected", String(is))
    b.tabIndex = is ? 0 : -1
  }
}

// setText changes an element's text only when it is another one, so that a selection in the
// page and the reader's patience last.
function setText(e, text) {
  if (e.textContent !== text) e.textContent = text
}

const minus = "\u2212", thin = "\u202f"

// number is a number in at most so many significant digits, with thin spaces between
// thousands; a dash when it is not known.
function number(v, digits = 6) {
  if (v == null || !Number.isFinite(v)) return "–"
  let s = Number.isInteger(v) && Math.abs(v) < 1e15 ? String(Math.abs(v)) : String(Number(Math.abs(v).toPrecision(digits)))
  if (!s.includes("e")) {
    const [whole, rest] = s.split(".")
    s = whole.replace(/\B(?=(\d{3})+$)/g, whole.length > 4 ? thin : "") + (rest ? "." + rest : "")
  }
  return (v < 0 ? minus : "") + s
}

// percent is a gap.
function percent(v) {
  if (v == null || !Number.isFinite(v)) return "–"
  if (v === 0) return "0" + thin + "%"
  return (v < 0 ? minus : "") + Math.abs(v).toFixed(Math.abs(v) < 0.1 ? 3 : 2) + thin + "%"
}

// seconds is a time.
function seconds(v) {
  if (v == null || !Number.isFinite(v)) return "–"
  if (v < 1) return Math.round(1000 * v) + thin + "ms"
  if (v < 100) return v.toFixed(1) + thin + "s"
  const m = Math.floor(v / 60)
  return m < 60 ? `${m}${thin}min ${Math.floor(v % 60)}${thin}s` : `${Math.floor(m / 60)}${thin}h ${m % 60}${thin}min`
}

// rate is iterations a second.
function rate(v) {
  if (v == null || !Number.isFinite(v) || v <= 0) return "–"
  return number(v >= 100 ? Math.round(v) : Number(v.toPrecision(3))) + "/s"
}

// valueText is a parameter's value.
function valueText(v) {
  return typeof v === "number" ? String(Number(v.toPrecision(7))) : v === true ? "on" : v === false ? "off" : String(v ?? "")
}

// throttle calls f at once, and again after the time when it was called meanwhile.
function throttle(ms, f) {
  let timer = 0, again = false
  const run = () => {
    again = false
    f()
    timer = setTimeout(() => {
      timer = 0
      if (again) run()
    }, ms)
  }
  return () => {
    if (timer) again = true
    else run()
  }
}

const pause = ms => new Promise(done => setTimeout(done, ms))

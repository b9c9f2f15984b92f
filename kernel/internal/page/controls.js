// Controls of parameters: sliders with a number beside, selects, checkboxes. A value is sent when
// what moves it is let go, so that a drag is one change of the record, and so is a key that is held;
// what others change moves here too, and says who it was.

// rest is how long after the last of several keys a value is sent, in milliseconds.
const rest = 180

// rangeText is what values a slider has; a select shows them itself.
function rangeText(p) {
  if (p.type === "enum" || p.type === "truth") return ""
  const unit = p.unit ? " " + p.unit : ""
  return (p.type === "int" && p.max != null ? `${number(p.min, 15)} to ${number(p.max, 15)}` : p.range) + unit
}

function controlOf(model, run, param) {
  const name = param.name
  const id = `ml-${run.name}-${name}-${Math.random().toString(36).slice(2, 8)}`
  const told = el("span.told", {role: "status"})
  const back = el("button.back", {
    type: "button", title: `back to ${valueText(param.default)}, the default`, "aria-label": `${name} back to the default`,
    onclick: e => {
      if (e.detail === 0) face.field.focus() // by a key: the button goes with the change
      send(param.default)
    },
  }, "↺")
  const face = param.type === "enum" ? choices() : param.type === "truth" ? check() : slider()
  const row = el(`div.control.of-${param.type}`, {"data-name": name},
    el("label", {for: id, title: param.doc}, name), face.field, back, face.track, told,
    el("p.doc", {title: param.effect ? `${param.doc} ${param.effect}` : param.doc}, param.doc, " ", rangeText(param) && el("span.range", null, rangeText(param))))

  // What is shown is what was last moved to, until that is sent and answered; else what the run
  // has. moving holds until what was moved is sent, and timer is not 0 while that waits for further
  // keys; typing holds while something is typed that is not yet given, which nothing may overwrite.
  let timer = 0, sending = false, typing = false, moving = false, next, shown
  // One change is under way at a time; of those that come meanwhile the last one counts.
  async function send(v) {
    rests()
    moving = false
    if (sending) {
      next = {v}
      return
    }
    refuse("")
    if (v === run.param(name).value) return show(v)
    sending = true
    row.classList.add("pending")
    try {
      await model.set(run, name, v)
    } catch (e) {
      refuse(e.message.replace(/^set: /, ""))
    }
    sending = false
    row.classList.remove("pending")
    if (next) {
      const n = next
      next = undefined
      send(n.v)
    } else follow()
  }

  // move shows a value that is sent when what moves it is let go.
  function move(v) {
    rests()
    refuse("")
    typing = false
    moving = true
    shown = v
  }

  // letGo sends what was moved.
  function letGo() {
    if (moving) send(shown)
  }

  // soon sends what was moved when no further key has come for a while.
  function soon() {
    if (!moving) return
    rests()
    timer = setTimeout(letGo, rest)
  }

  function rests() {
    clearTimeout(timer)
    timer = 0
  }

  // follow shows what the run has, unless something else is on its way there.
  function follow() {
    if (!sending && !moving && !typing) show(run.param(name).value)
  }

  // refuse says why something is not sent; "" when there is nothing to say any more. It stays until
  // the control is used again.
  function refuse(why) {
    if (!why && !row.classList.contains("failed")) return
    row.classList.toggle("failed", !!why)
    face.field.setAttribute("aria-invalid", String(!!why))
    setText(told, why)
  }

  function show(v) {
    shown = v
    face.show(v)
    row.classList.toggle("changed", v !== param.default)
  }

  function slider() {
    const scale = scaleOf(param)
    const track = el("input.slider", {
      id, type: "range", min: 0, max: places, step: "any", value: 0,
      "aria-label": name, title: `${param.doc} (${rangeText(param)})`,
      oninput: () => {
        move(scale.value(Number(track.value)))
        draw(shown)
      },
      // A drag that ends where it began is no change to a browser.
      onchange: letGo, onpointerup: letGo, onpointercancel: letGo, onblur: letGo, onkeyup: soon,
      onkeydown: e => byKey(e, {ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10}),
    })
    // What is typed is looked at with every key; what the parameter cannot be is said at once
    // and not sent.
    const field = el("input.number", {
      type: "number", min: scale.lo, max: scale.hi, step: "any", "aria-label": `${name}, as a number`, inputmode: "decimal",
      oninput: () => {
        rests()
        moving = false
        typing = true
        refuse(wrong())
      },
      onblur: () => {
        typing = false
        letGo()
        follow()
      },
      onchange: () => {
        typing = false
        const why = wrong()
        if (why || field.value === "") show(run.param(name).value)
        else send(Number(field.value))
        refuse(why)
      },
      onkeyup: soon,
      onkeydown: e => {
        if (e.key === "Escape") giveUp()
        else byKey(e, {ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10})
      },
    })
    // giveUp takes back what was typed and not given.
    const giveUp = () => {
      rests()
      typing = moving = false
      refuse("")
      show(run.param(name).value)
    }
    // wrong says why what stands in the field is no value of the parameter; "" when it is one,
    // or nothing yet.
    const wrong = () => {
      if (field.value === "") return field.validity.badInput ? `${name}: no number` : ""
      const v = Number(field.value)
      const fits = v >= (param.min ?? -Infinity) && v <= (param.max ?? Infinity) && (param.type !== "int" || Number.isInteger(v))
      return fits ? "" : `${name} = ${field.value}, want ${param.type === "int" ? "a whole number, " : ""}${rangeText(param)}`
    }
    // A key moves by a step of the parameter, not of the screen.
    const byKey = (e, steps) => {
      const n = steps[e.key]
      if (!n || e.ctrlKey || e.altKey || e.metaKey) return
      e.preventDefault()
      move(scale.step(shown, n))
      show(shown)
    }
    const draw = v => {
      field.value = String(v)
      track.style.setProperty("--at", `${scale.at(v) / places * 100}%`)
      track.setAttribute("aria-valuetext", `${v} ${param.unit || ""}`)
    }
    track.style.setProperty("--default", `${scale.at(param.default) / places * 100}%`)
    return {
      track, field,
      show: v => {
        track.value = String(scale.at(v))
        draw(v)
      },
    }
  }

  function choices() {
    const field = el("select", {id, title: param.doc, onchange: () => send(field.value)}, param.options.map(o => el("option", {value: o}, o)))
    return {field, track: null, show: v => { field.value = v }}
  }

  function check() {
    const field = el("input.check", {id, type: "checkbox", title: param.doc, onchange: () => send(field.checked)})
    return {field, track: null, show: v => { field.checked = v }}
  }

  // heard is called when the parameter changed, by whomever.
  function heard(change) {
    follow()
    if (!change) return
    const mine = change.who === model.link.who
    if (!row.classList.contains("failed")) setText(told, mine ? "" : `${valueText(change.old)} → ${valueText(change.new)} by ${change.who || "somebody"}, iteration ${number(change.i)}`)
    if (mine) return
    row.classList.remove("moved")
    void row.offsetWidth // begins the animation anew
    row.classList.add("moved")
  }

  show(param.value)
  return {row, heard}
}

// controlsOf makes the controls of a run's parameters: those that are named, or all that may
// change while it runs. Parameters that cannot change a result stand behind them, folded.
function controlsOf(model, run, names) {
  const box = el("div.controls")
  const made = new Map()
  const build = () => {
    const live = run.params.filter(p => names ? names.includes(p.name) : p.class === "live")
    if (names) live.sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name))
    const rest = names ? [] : run.params.filter(p => p.class === "schedule")
    made.clear()
    const rows = list => list.map(p => {
      const c = controlOf(model, run, p)
      made.set(p.name, c)
      return c.row
    })
    box.replaceChildren(...rows(live))
    if (rest.length) box.append(el("details.schedule", null, el("summary", {title: "they change how the work is shared out, never a result"}, "schedule"), rows(rest)))
    if (!made.size) box.append(el("p.quiet", null, "No parameter may change while it runs."))
  }
  build()
  run.views.add((what, change) => {
    if (what !== "params") return
    if (!change) { // read anew: values, perhaps after a loss of the connection
      if (made.size === 0) build()
      for (const c of made.values()) c.heard()
      return
    }
    const c = made.get(change.name)
    if (c) c.heard(change)
  })
  return box
}

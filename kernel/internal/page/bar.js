// What is done to a run: buttons, and the line that says how it stands.

// barOf makes the buttons Step, Go, Pause and Fork. said shows a sentence.
function barOf(model, run, said) {
  const link = model.link
  const count = el("input.count", {type: "number", min: 1, step: 1, value: 100, "aria-label": "iterations of a step", title: "iterations of a step", inputmode: "numeric"})
  const q = () => ({run: run.name})
  const act = f => async () => {
    said("")
    try {
      await f()
    } catch (e) {
      // A step that somebody's pause ended is no failure.
      if (!(e instanceof Refusal && e.code === "paused")) said(e.message, true)
    }
  }
  const doStep = act(async () => {
    const n = Math.floor(Number(count.value))
    if (!(n >= 1)) throw new Error("step: a number of iterations of 1 or more is needed")
    await link.ask("do/step", {...q(), n})
  })
  const step = el("button", {type: "button", title: "make so many iterations", onclick: doStep}, "Step")
  count.addEventListener("keydown", e => { if (e.key === "Enter") doStep() })
  const go = el("button.go", {type: "button", title: "go on until it is paused", onclick: act(() => link.ask("do/go", q()))}, "Go")
  const stop = el("button.pause", {type: "button", title: "end go and all steps", onclick: act(() => link.ask("do/pause", q()))}, "Pause")
  const fork = el("button.fork", {
    type: "button", title: "copy the run as it stands, under the next free letter",
    onclick: act(async () => {
      const r = await link.ask("do/fork", q())
      said(`${r.run} is a fork of ${run.name} at iteration ${number(r.iteration)}`)
    }),
  }, "Fork")
  const box = el("div.bar", null, el("span.step", null, step, count), el("span.pair", null, go, stop), fork)
  const show = () => {
    const closed = ["closed", "ended"].includes(run.status.state)
    const at = [go, stop].find(hasFocus)
    go.disabled = closed || run.status.state === "running" || run.status.state === "failed"
    stop.disabled = !run.going()
    step.disabled = fork.disabled = closed
    box.classList.toggle("going", run.going())
    // Who pressed Go by a key finds Pause under the next one, and the other way round.
    if (at && at.disabled) (at === go ? stop : go).focus()
  }
  run.views.add(show)
  show()
  return box
}

// statusOf makes the line of figures of a run. full shows times too.
function statusOf(run, full) {
  const items = {}
  const item = (key, label, title) => {
    items[key] = el("b")
    return el(`span.item.${key}`, {title}, el("i", null, label), items[key])
  }
  const box = el("div.status", null,
    el("span.item.state", null, items.state = el("b.badge")),
    item("iteration", "iteration"), item("best", "best", "value of the best solution"),
    item("gap", "gap", "above the best known value"), item("rate", "speed", "iterations a second, lately"),
    full && item("wall", "time", "seconds of iterating"))
  const show = throttle(100, () => {
    const s = run.status
    setText(items.state, run.going() && s.iteration === 0 ? "is made ready" : s.state)
    items.state.className = `badge is-${s.state}`
    setText(items.iteration, number(s.iteration))
    setText(items.best, number(s.best, 7))
    setText(items.gap, percent(s.gap))
    setText(items.rate, rate(run.rate))
    if (full) setText(items.wall, seconds(s.wall_s))
  })
  run.views.add(show)
  show()
  return box
}

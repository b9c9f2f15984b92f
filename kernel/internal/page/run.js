// Figures of a run side by side, each chosen from what the run can show.

// figuresOf are the names of the figures of a run, and what they are called.
function figuresOf(run) {
  const show = run.show || {}
  const map = show.kind === "tsp" || show.kind === "atsp"
  const trails = (show.measures || []).includes("branching")
  const out = [["best", "curve"]]
  if (map) out.push(["tour", "tour"])
  if (map && trails) out.push(["trails", "trails"])
  if (trails) out.push(["heat", "trail matrix"])
  const own = {qap: "assignment", ppp: "multiset", weierstrass: "slice"}[show.kind]
  if (own) out.push([own, own])
  if (["tabu", "hill", "vnd"].includes(run.status.solver)) out.push(["neighbourhood", "neighbourhood"])
  out.push(["lengths", "histogram"])
  for (const m of show.measures || []) out.push([m, m.replaceAll("_", " ")])
  return out
}

const shapes = {best: 0.62, tour: 0.62, trails: 0.62, heat: 0.62, assignment: 0.56}

// panelOf is a figure with tabs above it.
function panelOf(link, run, first) {
  const holder = el("div.holder")
  const tabs = el("div.tabs", {role: "tablist"})
  alongTabs(tabs)
  let current = null
  const choose = name => {
    if (current) current.stop()
    current = figureOf(link, [run], name, shapes[name] || 0.62)
    holder.replaceChildren(current.box)
    chooseTab(tabs, name)
  }
  for (const [name, label] of figuresOf(run)) {
    tabs.append(el("button", {type: "button", role: "tab", "data-figure": name, onclick: () => choose(name)}, label))
  }
  choose(first)
  return {box: el("div.panel", null, tabs, holder), stop: () => current.stop()}
}

// panelsOf are the curve and, of runs through cities, the tour.
function panelsOf(link, run) {
  const all = figuresOf(run).map(f => f[0])
  const panels = [panelOf(link, run, "best"), panelOf(link, run, all.includes("tour") ? "tour" : all[1])]
  return {box: el("div.panels", null, panels.map(p => p.box)), stop: () => panels.forEach(p => p.stop())}
}

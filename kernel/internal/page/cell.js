// A page in the output of a notebook's cell. The output holds a table that stays in the saved
// notebook; this script puts live controls in its place, in a tree of their own, where
// Jupyter's styles do not reach.

const host = waitFor(() => document.getElementById(config.element))

// waitFor looks for something for three seconds: outputs are drawn a little after they come.
function waitFor(find) {
  return new Promise(done => {
    const end = performance.now() + 3000
    const look = () => {
      const found = find()
      if (found || performance.now() > end) done(found)
      else setTimeout(look, 50)
    }
    look()
  })
}

// dark reports whether the notebook is dark: by what Jupyter says, else by the colour behind.
function dark(e) {
  const said = document.body.dataset.jpThemeLight
  if (said) return said === "false"
  for (let p = e; p; p = p.parentElement) {
    const m = getComputedStyle(p).backgroundColor.match(/^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/)
    if (m && m[4] !== "0") return 0.3 * m[1] + 0.6 * m[2] + 0.1 * m[3] < 110
  }
  return false
}

async function start() {
  const element = await host
  if (!element) return
  const still = el("div.still", null, [...element.childNodes])
  const root = el("div.metalab.cell")
  const note = el("p.note", {role: "status", hidden: true})
  const stage = el("div.stage")
  root.append(stage, still, note)
  const shadow = element.shadowRoot || element.attachShadow({mode: "open"})
  shadow.replaceChildren(el("style", null, config.style), root)
  keepKeys(shadow)
  root.classList.toggle("dark", dark(element))
  const say = (text, bad) => {
    setText(note, text)
    note.hidden = !text
    note.classList.toggle("bad", !!bad)
  }

  // show builds the live page on a link that has been let in.
  const show = async link => {
    if (config.kind === "link") return showLink(link, stage, still, say)
    const model = new Model(link, config.run)
    model.views.add((what, d) => {
      if (what === "notice") say(d.note)
      if (what !== "state") return
      root.classList.toggle("lost", d.state !== "live")
      if (d.state === "live") say("")
      if (d.state === "lost") say("The connection to the session is lost; it is tried again.", true)
      if (d.state === "gone") {
        stage.inert = true
        say(`The session has ended, and its runs were autosaved. In a new one ${recovered(config.run)} goes on with this run; then run this cell again.`, true)
      }
    })
    await model.start()
    const run = model.runs.get(config.run)
    if (!run) return say(`There is no run ${config.run} any more.`, true)
    stage.inert = false
    stage.replaceChildren(
      el("div.head", null, el("b.name", null, run.name), el("span.quiet", null, `${run.status.solver}/${run.status.variant} on ${run.status.instance}`), statusOf(run)),
      barOf(model, run, say), panelsOf(link, run).box, controlsOf(model, run, config.names && config.names.length ? config.names : null))
    run.views.add(what => {
      if (what !== "closed") return
      stage.inert = true
      root.classList.add("lost")
      say(`The run ${run.name} was closed.`)
    })
    still.hidden = true
    if (config.table) hideTable(config.table)
    root.classList.remove("lost")
  }

  const link = new Loopback(config.base)
  let secret
  try {
    secret = await vouched(config.kernel, config.page)
  } catch (e) {
    root.classList.add("lost")
    return say(`This page cannot show the session that it is this notebook's: ${e.message}. ` +
      "Run the cell again; or type dashboard at a prompt of the session: go run ./repl -attach " + config.session, true)
  }
  try {
    await link.enter({page: config.page, secret})
    await show(link)
  } catch (e) {
    root.classList.add("lost")
    if (e instanceof Refusal) return say(e.message.replace(/^page: /, ""), true)
    say(`This page cannot reach the session at ${config.base}: it runs on another machine, or the browser does not allow it. ` +
      (config.kind === "link" ? "" : "Install ipywidgets beside Jupyter (pip install 'ipywidgets>=8.1') and start it again: sliders are widgets then, which need no port. ") +
      `${config.kind === "link" ? "F" : "Or f"}orward the port: ssh -L ${config.base.replace(/^.*:/, "")}:${config.base.replace(/^http:../, "")} <machine>, then run this cell again.`, true)
  }
}

// recovered is how a cell goes on with a run of a session that has ended.
const recovered = run => `lab.Recover(${JSON.stringify(run)})`

// hideTable hides the table that stays in the notebook beside the live controls. The notebook makes
// the element anew when the table changes, so a rule of the page hides it.
function hideTable(id) {
  const name = `${id}-hidden`
  if (!document.getElementById(name)) document.head.append(el("style", {id: name}, `#${CSS.escape(id)} { display: none }`))
}

// showLink makes a button that opens the dashboard: its address is asked for when it is needed.
function showLink(link, stage, still, say) {
  stage.replaceChildren(el("div.bar", null, el("button.go", {
    type: "button",
    onclick: async () => {
      const tab = open("about:blank", "_blank") // at once: later it would count as a pop-up
      try {
        const {url} = await link.ask("ticket", {})
        if (!tab) return say(`The browser did not open a window; this address can be opened for a minute: ${url}`)
        tab.opener = null
        tab.location.replace(url)
      } catch (e) {
        if (tab) tab.close()
        say(e instanceof Refusal ? e.message : "The session has ended.", true)
      }
    },
  }, "Open the dashboard"), el("span.quiet", null, `all runs of session ${config.session}, in a window of their own`)))
  still.hidden = true
}

start()

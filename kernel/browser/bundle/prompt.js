// The page of a prompt: the line that is typed, what is answered, files, and the figure watched.

const at = id => document.getElementById(id)
const log = at("log"), line = at("line"), offers = at("offers")
const mostShown = 3000 // paragraphs of the log
const waiting = []
let desk = null, working = false, past = [], back = 0, half = "", leave = false, chosen = -1
let offered = null // {head, tail, list}: the completions that are shown
let busy = false // a run goes on
let watching = false, drawing = false, stops = 0
let gopher = null // the worker of Go, from the first line of Go on
let begun = "" // an input of Go whose end is not typed yet

// make makes an element.
function make(name, text, kind) {
  const el = document.createElement(name)
  if (text) el.textContent = text
  if (kind) el.className = kind
  return el
}

// show adds to the log.
function show(el) {
  const end = log.scrollHeight - log.scrollTop - log.clientHeight < 40
  log.append(el)
  while (log.childNodes.length > mostShown) log.firstChild.remove()
  const down = () => { log.scrollTop = log.scrollHeight }
  if (end || el.className === "typed") down()
  if (end && el.tagName === "IMG") el.addEventListener("load", down)
}
const print = (text, kind) => show(make("pre", text, kind))

// pictureOf shows an SVG as a picture, which runs no script, whatever is in it.
function pictureOf(event) {
  const img = new Image()
  img.alt = event.words || "a figure"
  img.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(event.svg)
  return img
}

// A Desk is the worker of a prompt.
class Desk extends Bench {
  async begin() {
    const {file, module} = await compiled(this.name)
    await this.work(file, module)
    await this.ask({do: "workers", workers: navigator.hardwareConcurrency || 1})
  }

  end(why) {
    if (this.failed) this.failed(why)
    super.end(why)
  }

  // work starts the worker and waits until it is ready.
  async work(file, module, more = "") {
    const script = URL.createObjectURL(new Blob([memoryScript, "\n", more, "\n", atob(file.exec), "\n", workerScript], {type: "text/javascript"}))
    this.worker = new Worker(script)
    const ready = new Promise((done, fail) => { this.ready = done; this.failed = fail })
    this.worker.onmessage = e => this.hear(...e.data)
    this.worker.onerror = e => this.end(new Error(e.message || "the engine failed"))
    this.worker.postMessage(module)
    await ready
  }

  hear(id, text, memory, changed) {
    if (id === "") {
      this.end(new Error(text))
      return ended(text)
    }
    if (id === "kept") return autosaved(changed)
    this.memory = memory
    if (changed && changed.length) {
      changes(changed)
      spread(changed, this)
    }
    if (id === "ready") return this.ready()
    const event = JSON.parse(text)
    if (event.made) made = event.made
    if (id === "events") return told(event)
    if (event.kind === "done" || event.kind === "error") watching = Boolean(event.watching)
    this.answered(id, event)
  }

  // answered passes an event on to who asked.
  answered(id, event) {
    const asked = this.asked.get(id)
    if (!asked) return
    if (event.kind !== "done" && event.kind !== "error") return asked.each(event)
    this.asked.delete(id)
    if (event.kind === "done") asked.done(event)
    else asked.fail(Object.assign(event.stopped ? new Stopped(event.text) : new Error(event.text), {code: event.code}))
  }

  // give up what a line asks for.
  withdraw(id) { this.worker.postMessage([id]) }
}

// ended says that the engine has gone, with all runs.
function ended(why) {
  desk = null
  watching = busy = false
  made = []
  retire()
  at("status").textContent = "no engine"
  print(`the engine has ended (${why}), and its runs with it; the next line starts another, where recover lists those that were autosaved. Files that are listed below can still be taken home.`, "wrong")
}

// told takes in what happens beside what was asked.
function told(event) {
  if (event.kind === "note") print("· " + event.text, "told")
  if (event.kind === "seed") seed(event)
  if (event.kind === "drop") drop(event.key)
  if (event.kind !== "status") return
  busy = Boolean(event.busy)
  at("status").textContent = event.text || "ready"
  const inMB = n => `${Math.ceil(n / 1e6)} MB`
  at("memory").textContent = `The engine has ${inMB(desk.memory)}` + (gopher && gopher.memory ? `, Go ${inMB(gopher.memory)}` : "") +
    (hands.length ? `, ${hands.length} ${hands.length === 1 ? "worker" : "workers"} for seeds ${inMB(hands.reduce((a, h) => a + h.memory, 0))}` : "") + "."
  picture()
}

// picture draws the figure that is watched again.
async function picture() {
  at("watched").hidden = !watching
  document.body.classList.toggle("watching", watching)
  if (!watching || drawing || !desk) return
  drawing = true
  const began = performance.now()
  try {
    const done = await desk.ask({do: "watched"})
    if (done.svg) at("watched").replaceChildren(pictureOf(done))
  } catch (err) {
    print("· " + err.message, "told")
  }
  if (!watching) {
    at("watched").hidden = true
    document.body.classList.remove("watching")
  }
  // Drawing may take a quarter of the time; the rest is for the run.
  setTimeout(() => {
    drawing = false
    if (watching) picture()
  }, Math.max(300, 3 * (performance.now() - began)))
}

// give puts files where a worker finds them.
function give(to, list) {
  if (to && to.worker) for (const file of list) to.worker.postMessage(file)
}

// spread gives files to all workers but the one that they come from.
function spread(list, from) {
  for (const w of [desk, gopher, ...hands]) if (w !== from) give(w, list)
}

// begin starts the engine, unless it is there.
async function begin() {
  if (!desk) {
    desk = new Desk(engineName, null)
    const fresh = desk
    desk.start().then(() => {
      give(fresh, [...files].map(([name, bytes]) => ({name, bytes})))
      give(fresh, [...autosaves].map(([path, bytes]) => ({path, bytes})))
    }, () => {})
  }
  await desk.start()
}

// cols is how many letters a line of the log has room for.
function cols() {
  const probe = make("span", "0".repeat(100))
  log.append(probe)
  const wide = probe.getBoundingClientRect().width / 100
  probe.remove()
  return Math.max(20, Math.floor((log.clientWidth - 22) / (wide || 8)))
}

// enter carries lines out, one after the other, behind those that wait.
function enter(texts) {
  for (const text of texts) if (text.trim()) waiting.push(text)
  keepLines()
  if (!working) carry()
}

// shown shows what is said meanwhile of a line.
function shown(event) {
  if (event.kind === "go") return void goes(event.wish)
  if (event.kind === "progress") {
    at("far").hidden = false
    at("far").value = event.part || 0
  } else if (event.clear) log.replaceChildren()
  else if (event.svg) show(pictureOf(event))
  else if (event.live) show((event.live === "scrub" ? scrubOf : slidersOf)(event.data))
  else print(event.text)
}

async function carry() {
  working = true
  at("stop").hidden = false
  while (waiting.length) {
    const text = waiting.shift()
    print((begun ? "… " : "> ") + text, "typed")
    stops = 0
    const whole = begun ? begun + "\n" + text : text
    begun = ""
    try {
      await begin()
      const done = await desk.ask({do: "line", text: whole, cols: cols()}, shown)
      if (done.more) begun = whole
    } catch (err) {
      print(err.message, err instanceof Stopped ? "told" : "wrong")
      waiting.length = 0
    }
    at("far").hidden = true
    at("mark").textContent = begun ? "…" : ">"
    picture()
    for (const p of panels) refresh(p)
  }
  working = false
  at("stop").hidden = true
}

// stop gives up the line that is carried out, and those that wait.
function stop() {
  waiting.length = 0
  begun = ""
  at("mark").textContent = ">"
  if (!working || !desk) return
  const inGo = gopher && gopher.asked.size > 0
  if (++stops < 3) for (const w of [gopher, desk]) if (w) for (const id of w.asked.keys()) w.withdraw(id)
  if (stops === 2) print(inGo ? "· a third ^C ends Go, with its variables" : "· the iteration under way is ended first; a third ^C ends the engine, with all runs", "told")
  if (stops === 3 && inGo) return gopher.gone("it was stopped")
  if (stops === 3) {
    const d = desk
    ended("it was stopped")
    d.end(new Stopped("stopped"))
  }
}

// Completion.

const head = () => line.value.slice(0, line.selectionStart)

function hide() {
  offered = null
  chosen = -1
  offers.hidden = true
  offers.replaceChildren()
  line.setAttribute("aria-expanded", "false")
  line.removeAttribute("aria-activedescendant")
}

// put replaces the word before the cursor.
function put(start, word, tail) {
  line.value = start + word + tail
  line.setSelectionRange(start.length + word.length, start.length + word.length)
}

const commonOf = words => words.reduce((a, b) => {
  let n = 0
  while (n < a.length && a[n] === b[n]) n++
  return a.slice(0, n)
})

async function complete() {
  const text = head(), tail = line.value.slice(text.length)
  try {
    await begin()
    let done = await desk.ask({do: "complete", text})
    if (!(done.offers || []).length && (gopher || /[.(]|:=/.test(text))) done = await completeGo(text)
    if (head() !== text) return // it was typed on
    const bytes = new TextEncoder().encode(text), from = done.from || 0
    const start = new TextDecoder().decode(bytes.slice(0, from)), list = done.offers || []
    if (!list.length) return void hide()
    if (list.length === 1) {
      put(start, list[0].text + (/[=/,:]$/.test(list[0].text) ? "" : " "), tail.trimStart())
      return void hide()
    }
    const common = commonOf(list.map(o => o.text)), word = text.slice(start.length)
    if (common.length > word.length) put(start, common, tail)
    offer({start, tail, list})
  } catch (err) {
    print(err.message, "wrong")
  }
}

// offer lists completions below the line.
function offer(of) {
  hide()
  offered = of
  offers.replaceChildren(...of.list.slice(0, 200).map((o, i) => {
    const li = make("li", o.text)
    li.id = "offer" + i
    li.setAttribute("role", "option")
    if (o.doc) li.append(make("small", o.doc))
    li.addEventListener("mousedown", e => {
      e.preventDefault()
      put(of.start, o.text, of.tail)
      hide()
    })
    return li
  }))
  offers.hidden = false
  line.setAttribute("aria-expanded", "true")
}

// choose marks a completion and puts it into the line.
function choose(i) {
  const n = offers.children.length
  if (chosen >= 0) offers.children[chosen].setAttribute("aria-selected", "false")
  chosen = (i + n) % n
  const li = offers.children[chosen]
  li.setAttribute("aria-selected", "true")
  li.scrollIntoView({block: "nearest"})
  line.setAttribute("aria-activedescendant", li.id)
  put(offered.start, offered.list[chosen].text, offered.tail)
}

// recall brings back an earlier line.
function recall(by) {
  if (back === 0) half = line.value
  back = Math.max(0, Math.min(past.length, back + by))
  line.value = back === 0 ? half : past[past.length - back]
  line.setSelectionRange(line.value.length, line.value.length)
}

function typed() {
  const text = line.value
  hide()
  if (text.trim() && past[past.length - 1] !== text) past.push(text)
  back = 0
  line.value = ""
  enter([text])
}

line.addEventListener("keydown", e => {
  if (e.key === "Tab" && !e.shiftKey && !e.ctrlKey && !leave && line.value.trim()) {
    e.preventDefault()
    if (offered) choose(chosen + 1)
    else complete()
  } else if (e.key === "Tab" && e.shiftKey && offered && !leave) {
    e.preventDefault()
    choose(chosen - 1)
  } else if (e.key === "ArrowDown" || e.key === "ArrowUp") {
    e.preventDefault()
    const by = e.key === "ArrowDown" ? 1 : -1
    if (offered) choose(chosen < 0 && by < 0 ? -1 : chosen + by)
    else recall(-by)
  } else if (e.key === "Enter" && offered && chosen >= 0) {
    e.preventDefault()
    hide()
  } else if (e.key === "Escape") {
    hide()
    leave = true
  }
  if (e.key !== "Escape" && e.key !== "Tab") leave = false
})
line.addEventListener("input", hide)
line.addEventListener("blur", () => { leave = false; hide() })
line.addEventListener("paste", e => {
  const texts = e.clipboardData.getData("text").split(/\r?\n/)
  if (texts.length < 2) return
  e.preventDefault()
  texts[0] = line.value + texts[0]
  line.value = ""
  past.push(...texts.filter(t => t.trim()))
  enter(texts)
})
at("form").addEventListener("submit", e => { e.preventDefault(); typed() })
at("complete").addEventListener("click", () => { line.focus(); complete() })
at("stop").addEventListener("click", stop)
at("file").addEventListener("change", () => { take(at("file").files); at("file").value = "" })
at("add").addEventListener("keydown", e => {
  if (e.key === "Enter" || e.key === " ") { e.preventDefault(); at("file").click() }
})
addEventListener("keydown", e => {
  if (e.key === "c" && e.ctrlKey && String(getSelection()) === "" && line.selectionStart === line.selectionEnd) stop()
})
addEventListener("dragover", e => { e.preventDefault(); document.body.classList.add("over") })
addEventListener("dragleave", () => document.body.classList.remove("over"))
addEventListener("drop", e => {
  e.preventDefault()
  document.body.classList.remove("over")
  take(e.dataTransfer.files)
})
addEventListener("beforeunload", e => { if (working || busy || away().length) e.preventDefault() })

// given shows the lines that the page was opened with; of cells, each is an input, and a blank line
// stands between them.
function given() {
  const text = decoded(location.hash.replace(/^#((lines|cells)=)?/, ""))
  if (!text) return
  cellsGiven = location.hash.startsWith("#cells=")
  at("given").hidden = false
  at("lines").textContent = text
  history.replaceState(null, "", location.pathname + location.search) // the same link may come again
  at("run").focus()
}

let cellsGiven = false // what is given are cells

// decoded is a text of an address; what is no code of a character stays as it is.
const decoded = text => text.replace(/(%[0-9a-f]{2})+/gi, codes => {
  try {
    return decodeURIComponent(codes)
  } catch {
    return codes
  }
})
at("run").addEventListener("click", () => {
  at("given").hidden = true
  const texts = at("lines").textContent.split(cellsGiven ? /\n{2,}/ : "\n")
  past.push(...texts.filter(t => t.trim()))
  enter(texts)
  line.focus()
})
at("drop").addEventListener("click", () => { at("given").hidden = true; line.focus() })
addEventListener("hashchange", given)
for (const b of at("first").querySelectorAll("button")) {
  b.addEventListener("click", () => {
    past.push(b.textContent)
    enter([b.textContent])
    line.focus()
  })
}

at("main").hidden = false
given()
startKeeping()
if (at("given").hidden) line.focus()
begin().then(() => { at("status").textContent = "ready" }, err => {
  desk = null
  at("trouble").hidden = false
  at("trouble").textContent = err.message
  at("status").textContent = "no engine"
})

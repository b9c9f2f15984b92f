// What the page keeps in the store of its origin: lines, files and the autosaves of runs. The next
// page offers what an earlier one kept, until its reader forgets it.

const autosaves = new Map() // of the engine: bytes by path
let made = [] // runs with iterations: {run, iteration, saved}; see Event.Made of the engine

const me = Date.now().toString(36) + "-" + Math.random().toString(36).slice(2, 8)
const due = new Map() // what is to be written: [kind, name, value], by both
const owner = "metalab prompt " // and an id: the name of the lock that a page holds
let store = null // the database, once it was seen to keep
let writing = null

const came = q => new Promise((done, fail) => {
  q.onsuccess = () => done(q.result)
  q.onerror = () => fail(q.error)
})

// through is the end of a transaction.
const through = t => new Promise((done, fail) => {
  t.oncomplete = () => done()
  t.onabort = t.onerror = () => fail(t.error || new Error("it was given up"))
})

const partsBetween = id => IDBKeyRange.bound([id], [id, []])

// keep notes what is to be kept; without a value it is to go.
function keep(kind, name, value) {
  due.set(`${kind} ${name}`, [kind, name, value])
  if (store && !writing) writing = Promise.resolve().then(write)
}

const keepLines = () => keep("lines", "", past.slice(-500))

// autosaved takes in autosaves that the engine has written.
function autosaved(list) {
  for (const {name, bytes} of list) {
    bytes ? autosaves.set(name, bytes) : autosaves.delete(name)
    keep("state", name, bytes)
  }
}

// write writes what is due. What cannot be written is said, once.
async function write() {
  const all = [...due.values()]
  due.clear()
  try {
    const t = store.transaction(["works", "parts"], "readwrite"), parts = t.objectStore("parts")
    t.objectStore("works").put({id: me, at: Date.now()})
    for (const [kind, name, value] of all) {
      if (value) parts.put(kind === "file" ? {bytes: value, home: home.has(name)} : value, [me, kind, name])
      else parts.delete([me, kind, name])
    }
    await through(t)
  } catch (err) {
    keepsNothing(err)
  }
  writing = null
  if (store && due.size) keep(...due.values().next().value)
}

// kept ends when all that is due was written, and says whether it was.
async function kept() {
  while (store && writing) await writing
  return Boolean(store)
}

function keepsNothing(err) {
  const was = store
  store = null
  at("keeping").textContent = `This browser keeps nothing of this page (${err.message || err.name}): what is not taken home is lost when it is closed.`
  if (was) print("· " + at("keeping").textContent, "wrong")
}

// startKeeping opens the store, sees that it keeps, and offers what earlier pages left there.
async function startKeeping() {
  try {
    if (navigator.locks) navigator.locks.request(owner + me, () => new Promise(() => {})).catch(() => {})
    const q = indexedDB.open("metalab-prompt", 1)
    q.onupgradeneeded = () => {
      q.result.createObjectStore("works", {keyPath: "id"})
      q.result.createObjectStore("parts")
    }
    const db = await came(q)
    db.onversionchange = () => db.close()
    let t = db.transaction("parts", "readwrite")
    t.objectStore("parts").put("?", [me, "probe", ""])
    await through(t)
    t = db.transaction("parts", "readwrite")
    if (await came(t.objectStore("parts").get([me, "probe", ""])) !== "?") throw new Error("it does not read what it wrote")
    t.objectStore("parts").delete([me, "probe", ""])
    await through(t)
    store = db
  } catch (err) {
    return keepsNothing(err)
  }
  at("keeping").textContent = "This browser keeps lines, files and runs, and offers them again when the page is opened anew, until its data of this site are cleared."
  if (due.size) keep(...due.values().next().value)
  setInterval(askToKeep, 2000)
  await offerWorks()
}

// askToKeep asks the engine for the autosaves that it has written since.
function askToKeep() {
  if (desk && desk.worker) desk.worker.postMessage({keep: true})
}
addEventListener("visibilitychange", askToKeep)

// partsOf are all parts of a work: {kind, name, value}.
async function partsOf(id) {
  const parts = store.transaction("parts").objectStore("parts")
  const [keys, values] = await Promise.all([came(parts.getAllKeys(partsBetween(id))), came(parts.getAll(partsBetween(id)))])
  return keys.map(([, kind, name], i) => ({kind, name, value: values[i]}))
}

// runIn is the run that an autosave is of; empty: of none that was open.
const runIn = path => (/([^/~]+)\.run$/.exec(path) || [])[1] || ""

// offerWorks lists what pages that are closed have kept.
async function offerWorks() {
  const held = navigator.locks ? new Set((await navigator.locks.query()).held.map(l => l.name)) : new Set()
  const works = (await came(store.transaction("works").objectStore("works").getAll())).filter(w => w.id !== me && !held.has(owner + w.id))
  works.sort((a, b) => b.at - a.at)
  const items = []
  for (const w of works) {
    const parts = await partsOf(w.id), of = kind => parts.filter(p => p.kind === kind)
    const runs = [...new Set(of("state").map(p => runIn(p.name)).filter(Boolean))].sort()
    const names = of("file").map(p => p.name), lines = (of("lines")[0] || {value: []}).value
    const words = []
    if (runs.length) words.push(`${runs.length === 1 ? "run" : "runs"} ${runs.join(", ")}`)
    if (names.length) words.push(`${names.length === 1 ? "file" : "files"} ${names.join(", ")}`)
    if (lines.length) words.push(`${lines.length} ${lines.length === 1 ? "line" : "lines"}`)
    if (!words.length) {
      forget(w.id)
      continue
    }
    const li = make("li", `${new Date(w.at).toLocaleString()}: ${words.join("; ")}`), bar = make("span", "", "bar")
    const bring = make("button", "Bring it back"), drop = make("button", "Forget it")
    const first = at("before").querySelector("ul")
    bring.type = drop.type = "button"
    for (const b of [bring, drop]) b.setAttribute("aria-label", `${b.textContent}: ${li.textContent}`)
    const gone = () => {
      li.remove()
      at("before").hidden = !first.children.length
      line.focus()
    }
    bring.addEventListener("click", async () => {
      bring.disabled = drop.disabled = true
      try {
        await bringBack(w.id)
        gone()
      } catch (err) {
        bring.disabled = drop.disabled = false
        print(`what was kept is not brought back: ${err.message}`, "wrong")
      }
    })
    drop.addEventListener("click", () => forget(w.id).then(gone, err => print(err.message, "wrong")))
    bar.append(bring, drop)
    li.append(bar)
    items.push(li)
  }
  at("before").querySelector("ul").replaceChildren(...items)
  at("before").hidden = !items.length
}

// forget drops a work.
async function forget(id) {
  const t = store.transaction(["works", "parts"], "readwrite")
  t.objectStore("works").delete(id)
  t.objectStore("parts").delete(partsBetween(id))
  await through(t)
}

// free is a name for a file of an earlier page that replaces no other file of this one.
function free(name, bytes) {
  const same = other => other.length === bytes.length && other.every((b, i) => b === bytes[i])
  for (let k = 1, as = name; ; k++, as = name.replace(/(\.[^./]*)?$/, `-${k}$1`)) {
    if (!files.has(as) || same(files.get(as))) return as
  }
}

// bringBack takes over what an earlier page has kept: its lines, files and runs.
async function bringBack(id) {
  const parts = await partsOf(id), runs = []
  if (!parts.length) throw new Error("another page has brought it back, or it was forgotten")
  await begin()
  for (const {kind, name, value} of parts) {
    if (kind === "lines") {
      past = [...value, ...past]
      keepLines()
    } else if (kind === "file") {
      const as = free(name, value.bytes)
      changes([{name: as, bytes: value.bytes}])
      spread([{name: as, bytes: value.bytes}])
      if (value.home) atHome(as)
      print(`· the file ${as} is here again` + (as === name ? "" : `: it was ${name}, and this page has another of that name`), "told")
    } else if (kind === "state") {
      autosaved([{name, bytes: value}])
      desk.worker.postMessage({path: name, bytes: value})
      if (runIn(name)) runs.push(name)
    }
  }
  if (await kept()) await forget(id)
  enter(runs.map(path => `recover ${path.replace(/^\/state\/autosave\//, "").replace(/\.run$/, "")}`))
}

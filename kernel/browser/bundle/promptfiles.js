// The files of the page's prompt: those that commands write and those of the reader's.

const files = new Map() // bytes by name
const home = new Set() // names of files that the reader has: dropped here, or downloaded as they are

// changes takes in files that were written.
function changes(list) {
  for (const {name, bytes} of list) {
    bytes ? files.set(name, bytes) : files.delete(name)
    home.delete(name)
    keep("file", name, bytes)
  }
  listFiles()
}

// atHome notes that the reader has a file.
function atHome(name) {
  home.add(name)
  keep("file", name, files.get(name))
}

function listFiles() {
  at("files").hidden = !files.size
  at("list").replaceChildren(...[...files.keys()].sort().map(name => {
    const li = make("li", `${name} (${sizeOf(files.get(name).length)})`)
    const take = make("button", "Download"), drop = make("button", "Remove")
    take.type = drop.type = "button"
    take.setAttribute("aria-label", `Download ${name}`)
    drop.setAttribute("aria-label", `Remove ${name}`)
    take.addEventListener("click", () => {
      download(files.get(name), name)
      atHome(name)
    })
    drop.addEventListener("click", () => {
      if (desk) return void desk.ask({do: "forget", text: name}).catch(err => print(err.message, "wrong"))
      changes([{name, bytes: null}])
      spread([{name, bytes: null}])
    })
    li.append(take, drop)
    return li
  }))
}

const sizeOf = n => n < 1e4 ? `${n} bytes` : n < 1e6 ? `${Math.round(n / 1e3)} kB` : `${(n / 1e6).toFixed(1)} MB`

// download hands bytes to the reader as a file.
function download(bytes, name) {
  const a = document.createElement("a")
  a.href = URL.createObjectURL(new Blob([bytes]))
  a.download = name.split("/").pop()
  a.click()
  setTimeout(() => URL.revokeObjectURL(a.href), 10000)
}

// take puts the reader's files where commands find them.
async function take(list) {
  for (const f of list) {
    const bytes = new Uint8Array(await f.arrayBuffer())
    await begin()
    spread([{name: f.name, bytes}])
    changes([{name: f.name, bytes}])
    atHome(f.name)
    const use = /\.run$/.test(f.name) ? `load ${f.name}, or: replay ${f.name}` : /\.lab$/.test(f.name) ? "its lines can be pasted here" : `open ils ${f.name}`
    print(`· ${f.name} is here: ${use}`, "told")
  }
}

// away is what was made and is not with the reader: files, and runs that no file of his holds.
function away() {
  const out = [...files.keys()].filter(name => !home.has(name))
  for (const m of made) if (!m.saved || !files.has(m.saved)) out.push(m.run)
  return out
}

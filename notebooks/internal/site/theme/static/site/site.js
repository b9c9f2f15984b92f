// What pages do beside being read: colours, copies, scrolling by keys, and the search.
(() => {
  const base = document.getElementById("script").dataset.base
  const make = (tag, props = {}, ...inner) => {
    const e = Object.assign(document.createElement(tag), props)
    e.append(...inner)
    return e
  }

  // Colours.
  const theme = document.getElementById("theme")
  const name = () => { theme.textContent = metalabTheme.dark() ? "Light" : "Dark" }
  theme.hidden = false
  theme.title = "Turn the colours"
  theme.onclick = () => { metalabTheme.turn(); name() }
  metalabTheme.system.addEventListener("change", name)
  name()

  // Code is copied, and what is long is downloaded, by a button in its corner.
  const kinds = { "language-go": "go", "language-lab": "lab", "language-bash": "sh",
    "language-python": "py", "language-r": "R", "language-sql": "sql" }
  const blocks = [...document.querySelectorAll("#text pre")].filter(
    pre => !pre.closest(".jp-OutputArea, .metalab-scrub, details[data-figure]"))
  blocks.forEach((pre, i) => {
    const text = pre.textContent.replace(/\n$/, "")
    const copy = make("button", { type: "button", textContent: "Copy" })
    copy.setAttribute("aria-label", `Copy block ${i + 1}`)
    copy.onclick = async () => {
      try {
        await navigator.clipboard.writeText(text)
      } catch { // a page of a disk, in some browsers
        const area = make("textarea", { value: text })
        document.body.append(area)
        area.select()
        document.execCommand("copy")
        area.remove()
      }
      copy.textContent = "Copied"
      setTimeout(() => { copy.textContent = "Copy" }, 1500)
    }
    const bar = make("div", { className: "bar" }, copy)
    const kind = kinds[pre.querySelector("code")?.className] ||
      (pre.closest(".jp-InputArea-editor") ? "go" : "")
    if (kind && text.split("\n").length > 4) {
      const save = make("a", { textContent: "Download", download: `metalab-${i + 1}.${kind}`,
        href: URL.createObjectURL(new Blob([text + "\n"], { type: "text/plain" })) })
      save.setAttribute("aria-label", `Download block ${i + 1}`)
      bar.prepend(save)
    }
    const box = make("div", { className: "code" })
    const outer = pre.closest(".highlight") || pre
    outer.replaceWith(box)
    box.append(outer, bar)
  })

  // What is wider than its place is scrolled with the arrows once Tab leads to it.
  const reached = () => {
    for (const e of document.querySelectorAll("#text pre, #text table, .jp-OutputArea, " +
        ".jp-OutputArea-output, .jp-RenderedHTMLCommon, .highlight")) {
      if (e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight) e.tabIndex = 0
      else e.removeAttribute("tabindex")
    }
  }
  addEventListener("load", reached)
  addEventListener("resize", reached)

  // On a phone the list of pages stands below the text; links of it lead back up.
  const query = document.getElementById("query")
  if (!query) return
  const form = query.form, found = document.getElementById("found")
  form.hidden = false
  form.onsubmit = e => { e.preventDefault(); found.querySelector("a")?.click() }

  // The index is a script, for a page of a disk may fetch nothing. It is read when it is wanted.
  const script = src => new Promise((ok, no) => {
    document.head.append(make("script", { src: base + src, onload: ok, onerror: no }))
  })
  let ready = null
  const prepare = () => ready ||= Promise.all(
    ["js/lunr.min.js", "site/search.js", "site/index.js"].map(script))
    .then(() => metalabSearch(lunr, metalabIndex))

  const around = (text, word) => {
    const i = Math.max(text.toLowerCase().indexOf(word), 0)
    const from = Math.max(i - 50, 0)
    return (from ? "… " : "") + text.slice(from, from + 150) + (from + 150 < text.length ? " …" : "")
  }

  let asked = 0
  query.onfocus = () => { prepare().catch(() => {}) }
  query.oninput = async () => {
    const mine = ++asked, text = query.value.trim()
    if (!text) { found.hidden = true; return }
    let hits
    try {
      hits = (await prepare())(text)
    } catch (e) {
      found.replaceChildren(make("p", { textContent: `The search does not work: ${e.message || e.type}` }))
      found.hidden = false
      return
    }
    if (mine !== asked) return
    const first = text.toLowerCase().split(lunr.tokenizer.separator).filter(Boolean)[0] || ""
    const list = make("ul")
    for (const d of hits.slice(0, 20)) {
      const a = make("a", { href: base + d.u },
        make("b", { textContent: d.t || d.p }), d.t ? ` in ${d.p}` : "")
      list.append(make("li", {}, a, make("p", { textContent: around(d.x, first) })))
    }
    const many = hits.length > 20 ? `20 of ${hits.length} places` :
      hits.length === 1 ? "1 place" : `${hits.length} places`
    found.replaceChildren(make("p", { textContent: hits.length ? many : `Nothing has “${text}”` }), list)
    found.hidden = false
  }
  addEventListener("keydown", e => {
    if (e.key === "Escape") { found.hidden = true; return }
    if (e.key === "/" && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) {
      e.preventDefault()
      query.focus()
    }
  })
  document.addEventListener("click", e => { if (!form.contains(e.target)) found.hidden = true })
})()

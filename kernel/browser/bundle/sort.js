// Tables of class sortable: a click on a head cell sorts the rows by its column, a second one the
// other way round. Numbers come before texts.

const valueOf = text => parseFloat(text.replace(/[\s,\u2009\u202f]/g, "").replace(/\u2212/g, "-").replace(/^[<(]/, ""))

for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0]
  const first = [...body.rows]
  heads.forEach((th, k) => {
    if (!th.textContent.trim()) return
    const b = document.createElement("button")
    b.type = "button"
    b.append(...th.childNodes)
    th.append(b)
    b.addEventListener("click", () => {
      const down = th.getAttribute("aria-sort") === "ascending"
      for (const h of heads) h.removeAttribute("aria-sort")
      th.setAttribute("aria-sort", down ? "descending" : "ascending")
      const of = row => row.cells[k] ? row.cells[k].textContent.trim() : ""
      const rows = first.map((row, i) => ({row, i, text: of(row), n: valueOf(of(row))}))
      rows.sort((a, b) => {
        const numbers = Number.isFinite(a.n) - Number.isFinite(b.n)
        if (numbers) return -numbers // what is no number comes last, either way
        const by = Number.isFinite(a.n) ? a.n - b.n : a.text.localeCompare(b.text)
        return (down ? -by : by) || a.i - b.i
      })
      body.append(...rows.map(r => r.row))
    })
  })
}

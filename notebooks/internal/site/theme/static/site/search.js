// The search of the pages: metalabSearch(lunr, entries) is a function from what is typed to the
// entries that it finds, the best first. Entries are those of finish.go.
globalThis.metalabSearch = (lunr, entries) => {
  // Words end at what joins them in code: stall=500 is found by stall.
  lunr.tokenizer.separator = /[\s\-=.,;:()"'`/<>[\]{}|+*]+/
  const index = lunr(function () {
    this.tokenizer.separator = lunr.tokenizer.separator
    this.ref("n")
    this.field("t", { boost: 8 })
    this.field("k", { boost: 6 })
    this.field("p", { boost: 4 })
    this.field("x")
    entries.forEach((d, n) =>
      this.add({ n, t: d.t || d.p, k: d.k || "", p: d.p, x: d.x }, { boost: d.w || 1 }))
  })
  const stem = w => lunr.stemmer(new lunr.Token(w)).toString()
  return text => {
    const typed = text.toLowerCase().split(lunr.tokenizer.separator).filter(Boolean)
    // "after" and "the" are in no index; where nothing else is typed, they are looked for as they are.
    const telling = typed.filter(w => lunr.stopWordFilter(w))
    const words = telling.length ? telling : typed
    if (!words.length) return []
    const found = index.query(q => {
      for (const w of words) {
        q.term(stem(w), { boost: 10, usePipeline: false })
        q.term(w, { boost: 5, usePipeline: false, wildcard: lunr.Query.wildcard.TRAILING })
      }
    }).map(r => {
      const d = entries[r.ref], title = (d.t || d.p).toLowerCase()
      const share = text => words.filter(w => text.includes(w) || text.includes(stem(w))).length /
        words.length
      const has = share(`${title} ${d.k || ""} ${d.p} ${d.x}`.toLowerCase())
      const told = share(`${title} ${d.k || ""}`.toLowerCase()) // what it says that it is about
      const same = title === typed.join(" ") || title === text.toLowerCase()
      return { d, has, score: r.score * has ** 2 * (1 + 8 * told ** 2) * (same ? 3 : 1) }
    })
    // Where something has all words, it alone is shown.
    const whole = found.filter(f => f.has === 1)
    return (whole.length ? whole : found).sort((a, b) => b.score - a.score).map(f => f.d)
  }
}

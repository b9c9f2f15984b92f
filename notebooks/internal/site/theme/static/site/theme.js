// Takes the colours that the reader chose, before anything is shown.
(() => {
  const sheet = document.getElementById("dark")
  const system = matchMedia("(prefers-color-scheme: dark)")
  let chosen = null
  try { chosen = localStorage.getItem("metalab-theme") } catch { /* a page of a disk may have none */ }
  const apply = () => {
    sheet.media = chosen === "dark" ? "all" : chosen === "light" ? "not all" :
      "(prefers-color-scheme: dark)"
  }
  apply()
  window.metalabTheme = {
    dark: () => chosen ? chosen === "dark" : system.matches,
    turn() {
      chosen = this.dark() ? "light" : "dark"
      // What the system has is not noted, so that the page goes on following it.
      const same = (chosen === "dark") === system.matches
      if (same) chosen = null
      try {
        if (same) localStorage.removeItem("metalab-theme")
        else localStorage.setItem("metalab-theme", chosen)
      } catch { /* then it holds for this page */ }
      apply()
    },
    system,
  }
})()

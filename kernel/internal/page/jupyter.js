// How a page in a notebook's cell shows the session that it is the notebook's.
//
// The script of the page came through a port that every user of the machine may read, so it
// holds nothing that opens anything. But the page can speak to the notebook's kernel, through
// the Jupyter server that has let it in, and nobody else hears that. So it makes a secret and
// tells it to the kernel, with the name that the session gave the page; the kernel tells the
// session, and from then on the page is known by its secret.

// serverOf says where the Jupyter server of this page is: JupyterLab and Notebook 7 write it into
// an element of the page, Notebook 6 into attributes of its body. Null where there is none.
function serverOf() {
  let said = {}
  try {
    said = JSON.parse(document.getElementById("jupyter-config-data").textContent)
  } catch { /* Notebook 6, or no Jupyter */ }
  const data = document.body.dataset
  const base = said.baseUrl || (data.baseUrl && decodeURIComponent(data.baseUrl))
  if (!base) return null
  const url = new URL(said.wsUrl || (data.wsUrl && decodeURIComponent(data.wsUrl)) || base, location.href)
  url.protocol = url.protocol === "https:" || url.protocol === "wss:" ? "wss:" : "ws:"
  return {url, token: said.token || (data.jupyterApiToken && decodeURIComponent(data.jupyterApiToken)) || ""}
}

// random is 128 random bits in hexadecimal. It must do where crypto.randomUUID is not, as in pages
// that came by plain http from another machine.
function random() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), b => b.toString(16).padStart(2, "0")).join("")
}

// vouched makes a secret, has a kernel tell it to the session, and returns it.
function vouched(kernel, page, limit = 15000) {
  const server = serverOf()
  if (!server) return Promise.reject(new Error("there is no Jupyter around this page"))
  const secret = random(), id = random(), session = random()
  const url = new URL(`api/kernels/${encodeURIComponent(kernel)}/channels`, server.url.href.replace(/\/*$/, "/"))
  url.searchParams.set("session_id", session)
  if (server.token) url.searchParams.set("token", server.token)
  return new Promise((done, fail) => {
    const socket = new WebSocket(url)
    const end = why => {
      clearTimeout(timer)
      socket.close()
      if (why) fail(new Error(why))
      else done(secret)
    }
    const timer = setTimeout(() => end("the notebook's kernel does not answer"), limit)
    socket.onopen = () => socket.send(JSON.stringify({
      channel: "shell", parent_header: {}, metadata: {}, buffers: [],
      header: {msg_id: id, msg_type: "comm_open", session, username: "", version: "5.3", date: new Date().toISOString()},
      content: {comm_id: id, target_name: "metalab", data: {page, secret}},
    }))
    socket.onmessage = e => {
      const m = typeof e.data === "string" ? JSON.parse(e.data) : {}
      if ((m.parent_header || {}).msg_id !== id || m.header.msg_type !== "metalab_answer") return
      end(m.content.error)
    }
    socket.onclose = socket.onerror = () => end("Jupyter does not let this page speak to the notebook's kernel")
  })
}

// How a page talks to the host: by fetch on 127.0.0.1. The token stands in the header of
// every request and nowhere else; so events come as a stream that fetch reads, for
// EventSource can send no header.

// A Refusal is the host's answer that something is not done.
class Refusal extends Error {
  constructor(status, error) {
    super((error && error.message) || `the host answered ${status}`)
    this.status = status
    this.code = error && error.code
  }
}

class Loopback {
  constructor(base) {
    this.base = base
    this.token = ""
    this.who = ""
  }

  // enter exchanges what lets the page in for a token: a ticket, or a cell's name of a page and
  // the page's secret.
  async enter(by) {
    const hello = await this.ask("enter", by)
    this.token = hello.token
    this.who = hello.who
    return hello
  }

  // post makes a request and returns the response, unless that is a refusal.
  async post(path, body, options = {}) {
    const headers = {"Content-Type": "application/json", ...options.headers}
    if (this.token) headers.Authorization = "Bearer " + this.token
    const r = await fetch(this.base + "/v1/" + path, {
      method: "POST", headers, body: JSON.stringify(body ?? {}), signal: options.signal,
      cache: "no-store", credentials: "omit", referrerPolicy: "no-referrer", redirect: "error",
    })
    if (!r.ok) throw new Refusal(r.status, (await r.json().catch(() => ({}))).error)
    return r
  }

  // ask asks and returns what the JSON of the answer says.
  async ask(path, body, options) { return (await this.post(path, body, options)).json() }

  // figure returns a picture of runs as {stamp, svg}; svg is null when the page has it already.
  figure(q) { return this.picture("figure", q) }

  async picture(path, q) {
    const r = await this.post(path, q)
    return {stamp: r.headers.get("X-Metalab-Stamp"), svg: r.status === 204 ? null : await r.text()}
  }

  // record returns a record as a Blob.
  async record(run, form) { return (await this.post("record", {run, form})).blob() }

  // unit returns the record of a unit of an experiment, or all its units as CSV, as a Blob.
  async unit(name, unit, form) { return (await this.post("unit", {name, unit, form})).blob() }

  // events calls heard for every event, and state when the stream stands ("live"), broke
  // ("lost") or will not come again ("gone").
  async events(heard, state) { hubOf(this).add(heard, state) }
}

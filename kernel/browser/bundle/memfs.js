// Files in memory, with the names and the calls that Go's programs expect of Node: fs, process and
// path. A prompt in a page keeps its records there, and what is dropped on the page.
const noted = new Set() // paths in /files that were changed since they were last asked for
const saved = new Set() // paths of autosaves, likewise
const root = {mode: 0o40755, at: Date.now(), names: new Map()}
const open = new Map()
let lastFD = 100, said = ""

const fault = code => Object.assign(new Error(code), {code})
const partsOf = path => {
  const out = []
  for (const p of (path.startsWith("/") ? path : "/files/" + path).split("/")) {
    if (p === "..") out.pop()
    else if (p !== "" && p !== ".") out.push(p)
  }
  return out
}
const resolve = (...paths) => {
  let at = "/files"
  for (const p of paths) at = p.startsWith("/") ? p : at + "/" + p
  return "/" + partsOf(at).join("/")
}
const isDir = node => node.names !== undefined

// place is where a path leads: its folder, its last name, and what is there, if anything is.
function place(path) {
  const parts = partsOf(path)
  if (!parts.length) return {dir: null, name: "/", node: root}
  let dir = root
  for (const p of parts.slice(0, -1)) {
    dir = dir.names.get(p)
    if (!dir) throw fault("ENOENT")
    if (!isDir(dir)) throw fault("ENOTDIR")
  }
  const name = parts[parts.length - 1]
  return {dir, name, node: dir.names.get(name)}
}

function there(path) {
  const {node} = place(path)
  if (!node) throw fault("ENOENT")
  return node
}

function note(path) {
  const full = resolve(path)
  if (full.startsWith("/files/")) noted.add(full)
  else if (/^\/state\/autosave\/.*\.run(\.state)?$/.test(full)) saved.add(full)
}

function held(fd) {
  const f = open.get(fd)
  if (!f) throw fault("EBADF")
  return f
}

function resize(node, size) {
  if (size > node.bytes.length) {
    const more = new Uint8Array(Math.max(size, 2 * node.bytes.length, 256))
    more.set(node.bytes.subarray(0, node.size))
    node.bytes = more
  }
  if (size < node.size) node.bytes.fill(0, size, node.size)
  node.size = size
  node.at = Date.now()
}

const numbers = new WeakMap()
let lastNumber = 0
function stat(node) {
  if (!numbers.has(node)) numbers.set(node, ++lastNumber)
  const size = isDir(node) ? 0 : node.size
  return {
    dev: 1, ino: numbers.get(node), mode: node.mode, nlink: 1, uid: 1000, gid: 1000, rdev: 0, size,
    blksize: 4096, blocks: Math.ceil(size / 512), atimeMs: node.at, mtimeMs: node.at, ctimeMs: node.at,
    isDirectory: () => isDir(node),
  }
}

const constants = {O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536}

const calls = {
  open(path, flags, mode) {
    const {dir, name, node: had} = place(path)
    let node = had
    if (!node) {
      if (!(flags & constants.O_CREAT)) throw fault("ENOENT")
      node = {mode: 0o100000 | mode & 0o777, at: Date.now(), bytes: new Uint8Array(0), size: 0}
      dir.names.set(name, node)
      note(path)
    } else if (flags & constants.O_EXCL && flags & constants.O_CREAT) throw fault("EEXIST")
    else if (isDir(node) && flags & 3) throw fault("EISDIR")
    else if (!isDir(node) && flags & constants.O_DIRECTORY) throw fault("ENOTDIR")
    if (flags & constants.O_TRUNC && !isDir(node)) {
      resize(node, 0)
      note(path)
    }
    open.set(++lastFD, {node, path, at: 0, append: Boolean(flags & constants.O_APPEND), write: Boolean(flags & 3)})
    return lastFD
  },
  close(fd) {
    held(fd)
    open.delete(fd)
  },
  read(fd, into, from, length, at) {
    const f = held(fd)
    if (isDir(f.node)) throw fault("EISDIR")
    const begin = at === null ? f.at : at, n = Math.max(0, Math.min(length, f.node.size - begin))
    into.set(f.node.bytes.subarray(begin, begin + n), from)
    if (at === null) f.at += n
    return n
  },
  write(fd, bytes, from, length, at) {
    if (fd === 1 || fd === 2) {
      said += new TextDecoder().decode(bytes.subarray(from, from + length))
      const end = said.lastIndexOf("\n")
      if (end >= 0) (globalThis.metalabPrint || console.log)(said.slice(0, end))
      said = said.slice(end + 1)
      return length
    }
    const f = held(fd)
    if (!f.write) throw fault("EBADF")
    const begin = f.append ? f.node.size : at === null ? f.at : at
    if (begin + length > f.node.size) resize(f.node, begin + length)
    f.node.bytes.set(bytes.subarray(from, from + length), begin)
    f.node.at = Date.now()
    if (at === null) f.at = begin + length
    note(f.path)
    return length
  },
  fsync(fd) { held(fd) },
  stat: path => stat(there(path)),
  lstat: path => stat(there(path)),
  fstat: fd => stat(fd < 3 ? {mode: 0o20666, at: 0, size: 0} : held(fd).node),
  mkdir(path, mode) {
    const {dir, name, node} = place(path)
    if (node) throw fault("EEXIST")
    dir.names.set(name, {mode: 0o40000 | mode & 0o777, at: Date.now(), names: new Map()})
  },
  readdir(path) {
    const node = there(path)
    if (!isDir(node)) throw fault("ENOTDIR")
    return [...node.names.keys()].sort()
  },
  unlink(path) {
    const {dir, name, node} = place(path)
    if (!node) throw fault("ENOENT")
    if (isDir(node)) throw fault("EISDIR")
    dir.names.delete(name)
    note(path)
  },
  rmdir(path) {
    const {dir, name, node} = place(path)
    if (!node) throw fault("ENOENT")
    if (!isDir(node)) throw fault("ENOTDIR")
    if (node.names.size) throw fault("ENOTEMPTY")
    dir.names.delete(name)
  },
  rename(from, to) {
    const a = place(from), b = place(to)
    if (!a.node) throw fault("ENOENT")
    if (b.node && isDir(b.node) !== isDir(a.node)) throw fault(isDir(b.node) ? "EISDIR" : "ENOTDIR")
    if (b.node && isDir(b.node) && b.node.names.size) throw fault("ENOTEMPTY")
    a.dir.names.delete(a.name)
    b.dir.names.set(b.name, a.node)
    note(from)
    note(to)
  },
  truncate: (path, size) => resize(there(path), size),
  ftruncate: (fd, size) => resize(held(fd).node, size),
  chmod(path, mode) {
    const node = there(path)
    node.mode = node.mode & ~0o777 | mode & 0o777
  },
  fchmod(fd, mode) {
    const {node} = held(fd)
    node.mode = node.mode & ~0o777 | mode & 0o777
  },
  utimes(path, _, at) { there(path).at = at * 1000 },
  chown: path => void there(path),
  lchown: path => void there(path),
  fchown: fd => void held(fd),
  readlink(path) {
    there(path)
    throw fault("EINVAL")
  },
  link() { throw fault("ENOSYS") },
  symlink() { throw fault("ENOSYS") },
}

globalThis.fs = {constants}
for (const [name, f] of Object.entries(calls)) {
  globalThis.fs[name] = (...args) => {
    const callback = args.pop()
    let result
    try {
      result = f(...args)
    } catch (err) {
      if (!err.code) throw err
      return callback(err)
    }
    callback(null, result)
  }
}
globalThis.fs.writeSync = (fd, bytes) => calls.write(fd, bytes, 0, bytes.length, null)
globalThis.path = {resolve}
globalThis.process = {
  pid: 1, ppid: 0, cwd: () => "/files", chdir() { throw fault("ENOSYS") }, umask: () => 0o22,
  getuid: () => 1000, getgid: () => 1000, geteuid: () => 1000, getegid: () => 1000, getgroups: () => [],
}
for (const dir of ["/files", "/tmp", "/state", "/dev"]) calls.mkdir(dir, 0o755)

// spill prints what was written without the end of a line.
function spill() {
  const rest = said
  said = ""
  if (rest) (globalThis.metalabPrint || console.log)(rest)
}

// put makes a file of a name in /files; its bytes are those of the page. Without bytes it goes.
function put(name, bytes) {
  if (!bytes) {
    if (place("/files/" + name).node) calls.unlink("/files/" + name)
    return void noted.delete("/files/" + name)
  }
  const fd = calls.open("/files/" + name, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, 0o644)
  calls.write(fd, bytes, 0, bytes.length, null)
  calls.close(fd)
  noted.delete("/files/" + name) // the page has it
}

// putSaved makes an autosave that the page has kept, with its folder.
function putSaved(path, bytes) {
  const parts = partsOf(path)
  for (let k = 1; k < parts.length; k++) {
    const dir = "/" + parts.slice(0, k).join("/")
    if (!place(dir).node) calls.mkdir(dir, 0o700)
  }
  const fd = calls.open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, 0o600)
  calls.write(fd, bytes, 0, bytes.length, null)
  calls.close(fd)
  saved.delete(path) // the page has it
}

// drained are the files of a set of paths: {name, bytes}, without the beginning of their paths; a
// file that has gone has no bytes.
function drained(paths, begin) {
  const out = []
  for (const path of paths) {
    let node
    try { node = place(path).node } catch { node = undefined }
    if (node && isDir(node)) continue
    out.push({name: path.slice(begin.length), bytes: node ? node.bytes.slice(0, node.size) : null})
  }
  paths.clear()
  return out
}

// changes are the files in /files that were changed since the last time.
const changes = () => drained(noted, "/files/")

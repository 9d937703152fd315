import { Buffer } from 'node:buffer'
import { createHash, randomBytes } from 'node:crypto'
import { lstat, mkdir, readdir, realpath, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Longer names don't fit a socket's address; macOS has the shortest, 104 bytes with the one that ends them. */
const MAX_SOCKET_PATH_BYTES = 103
/** A name that is not answered at for so long is of a process that is gone, and not of one that is about to listen. */
const STALE_MS = 60_000
/** Of those that begin together each may see the other and step back. */
const TRIES = 5

/**
 * Makes this process the only one that serves a folder, until the returned function is called or the process ends in
 * whatever way: nothing answers at a local socket whose process is gone, where a lock file would stay locked. Throws
 * when another has it.
 */
export async function lockFolder(directory: string): Promise<() => Promise<void>> {
  const prefix = await socketPrefix(directory)
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const server = await (process.platform === 'win32' ? listen(prefix) : standAlone(prefix))
    if (server !== null) {
      server.unref()
      return () => closed(server)
    }
    if (attempt < TRIES) await sleep(Math.random() * 50 * attempt)
  }
  throw new Error(`The folder ${directory} is already served by another process`)
}

/**
 * Listens at a name of its own first and looks for others then: of any two, the later one to listen sees the other.
 * Null when there is another.
 */
async function standAlone(prefix: string): Promise<Server | null> {
  const path = `${prefix}-${randomBytes(4).toString('hex')}`
  const server = await listen(path)
  if (server === null) return null
  const folder = dirname(prefix)
  const names = (await readdir(folder)).map((name) => join(folder, name))
  const others = names.filter((name) => name !== path && (name === prefix || name.startsWith(`${prefix}-`)))
  const alive = await Promise.all(others.map(isAlive))
  if (!alive.includes(true)) return server
  await closed(server)
  return null
}

/** What the sockets of a folder are named after; the name of the pipe on Windows, which has one at a time. */
async function socketPrefix(directory: string): Promise<string> {
  const inFolder = join(directory, 'lock')
  const isShort = Buffer.byteLength(inFolder) + '-00000000'.length <= MAX_SOCKET_PATH_BYTES
  if (process.platform !== 'win32' && isShort) return inFolder
  const digest = createHash('sha256').update(await realpath(directory))
  const name = `sluice-${digest.digest('hex').slice(0, 24)}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(await ownFolder(), name)
}

/** A folder for temporary files in which no other user can put anything. Throws when another user has its name. */
async function ownFolder(): Promise<string> {
  const uid = process.getuid?.() ?? 0
  const path = join(tmpdir(), `sluice-${uid}`)
  await mkdir(path, { recursive: true, mode: 0o700 })
  const facts = await lstat(path)
  if (!facts.isDirectory() || facts.uid !== uid || (facts.mode & 0o077) !== 0) {
    throw new Error(`${path} is not a folder that only you can use. Remove it.`)
  }
  return path
}

/** Null when the name is taken. */
function listen(path: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    )
    server.listen(path, () => resolve(server))
  })
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}

/** Whether anybody answers at a name. One of a process that is gone is removed. */
async function isAlive(path: string): Promise<boolean> {
  const isAnswered = await new Promise<boolean>((resolve) => {
    const socket = connect(path, () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
  if (isAnswered) return true
  const madeMs = await lstat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  )
  if (madeMs !== null && Date.now() - madeMs > STALE_MS) await rm(path, { force: true })
  return false
}

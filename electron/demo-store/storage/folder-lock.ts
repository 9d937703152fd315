import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { realpath, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Longer names don't fit a socket's address; macOS has the shortest, 104 bytes with the one that ends them. */
const MAX_SOCKET_PATH_BYTES = 103

/**
 * Makes this process the only one that serves a folder, until the returned function is called or the process ends in
 * whatever way: nobody answers at a local socket whose process is gone, where a lock file would stay locked. Throws when
 * another has it.
 */
export async function lockFolder(directory: string): Promise<() => Promise<void>> {
  const path = await socketPath(directory)
  const server = (await listen(path)) ?? (await takeOver(path))
  if (server === null) throw new Error(`The folder ${directory} is already served by another process`)
  server.unref()
  return () => new Promise((resolve) => server.close(() => resolve()))
}

async function socketPath(directory: string): Promise<string> {
  const inFolder = join(directory, 'lock')
  if (process.platform !== 'win32' && Buffer.byteLength(inFolder) <= MAX_SOCKET_PATH_BYTES) return inFolder
  const digest = createHash('sha256').update(await realpath(directory))
  const name = `sluice-${digest.digest('hex').slice(0, 24)}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), name)
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

/** A name at which nobody answers is free. */
async function takeOver(path: string): Promise<Server | null> {
  const isAlive = await new Promise<boolean>((resolve) => {
    const socket = connect(path, () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
  if (isAlive) return null
  await rm(path, { force: true })
  return listen(path)
}

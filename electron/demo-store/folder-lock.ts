import { createHash } from 'node:crypto'
import { realpath, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Makes this process the only one that serves a folder, until the returned function is called or the process ends in
 * whatever way: a listening local socket dies with its process, a lock file would not. Throws when another has it.
 */
export async function lockFolder(directory: string): Promise<() => Promise<void>> {
  const name = `sluice-${createHash('sha256')
    .update(await realpath(directory))
    .digest('hex')
    .slice(0, 24)}`
  const path = process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`)
  const server = (await listen(path)) ?? (await takeOver(path))
  if (server === null) throw new Error(`The folder ${directory} is already served by another process`)
  server.unref()
  return () => new Promise((resolve) => server.close(() => resolve()))
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

/** A name whose process is gone is free. */
async function takeOver(path: string): Promise<Server | null> {
  const isAlive = await new Promise<boolean>((resolve) => {
    const socket = connect(path, () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
  if (isAlive) return null
  await rm(path, { force: true })
  return listen(path)
}

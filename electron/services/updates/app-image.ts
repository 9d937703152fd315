// An AppImage is one file: a newer one takes its place whole, or not at all.

import { spawn } from 'node:child_process'
import { chmod, copyFile, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/**
 * The AppImage that a program was started from; null: from none. What an AppImage starts has its variables, too, and is
 * another program all the same: a .deb that a terminal from an AppImage has started, for example.
 */
export function ownAppImage(env: NodeJS.ProcessEnv, program: string): string | null {
  const { APPIMAGE, APPDIR } = env
  return APPIMAGE !== undefined && APPDIR !== undefined && program.startsWith(`${APPDIR}/`) ? APPIMAGE : null
}

/** Puts a copy of `newer` where `image` is. A crash leaves one of the two there, never none and never half of one. */
export async function replaceAppImage(newer: string, image: string): Promise<void> {
  // Beside it, for only there a new name is given in one step.
  const beside = join(dirname(image), `.${basename(image)}.new`)
  try {
    await copyFile(newer, beside)
    await chmod(beside, 0o755)
    await sync(beside)
    await rename(beside, image)
    await sync(dirname(image))
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** By the system's own shell: the program that runs now lies in what is unmounted with it. */
const WAIT_THEN_RUN = 'while kill -0 "$0" 2>/dev/null; do sleep 0.2; done; exec "$@"'

/** What the runtime of an AppImage tells the program it starts, which is not so of the next. */
const OF_THIS_IMAGE = ['APPDIR', 'APPIMAGE', 'ARGV0', 'OWD']

/** The variables of a program that an AppImage starts, for another one that begins anew. Pure. */
export function outsideImage(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !OF_THIS_IMAGE.includes(name)))
}

/** Starts the program as soon as this process is gone. */
export function startAfterEnd(program: string, args: readonly string[]): void {
  spawn('/bin/sh', ['-c', WAIT_THEN_RUN, String(process.pid), program, ...args], {
    ...{ detached: true, stdio: 'ignore', env: outsideImage(process.env) },
    cwd: '/',
  }).unref()
}

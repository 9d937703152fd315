// An AppImage is one file. A newer one replaces it completely or not at all.

import { spawn } from 'node:child_process'
import { chmod, copyFile, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { syncDirectory } from '../../durable/sync-directory.ts'

/**
 * The AppImage that a program runs from, or null. The variables alone don't tell: every program that an AppImage starts
 * inherits them, for example one from a .deb started in a terminal that is an AppImage.
 */
export function ownAppImage(env: NodeJS.ProcessEnv, program: string): string | null {
  const { APPIMAGE, APPDIR } = env
  return APPIMAGE !== undefined && APPDIR !== undefined && program.startsWith(`${APPDIR}/`) ? APPIMAGE : null
}

/** Replaces `image` by a copy of `newer`. A crash leaves one of the two there, never neither and never half of one. */
export async function replaceAppImage(newer: string, image: string): Promise<void> {
  // In the same folder, because a rename is atomic only within a file system.
  const beside = join(dirname(image), `.${basename(image)}.new`)
  try {
    await copyFile(newer, beside)
    await chmod(beside, 0o755)
    await sync(beside)
    await rename(beside, image)
    await syncDirectory({ open }, dirname(image))
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

/**
 * How often to look whether a process has ended, five times a second. A thread that waits for a drive can keep an ended
 * one for as long as the drive is away, when it has long given back what the next one needs.
 */
const LOOKS = 25

/** For the system's own shell: the running program lies in a mount that goes away with it. */
const WAIT_THEN_RUN = `n=0
while kill -0 "$0" 2>/dev/null && [ $n -lt ${String(LOOKS)} ]; do sleep 0.2; n=$((n + 1)); done
exec "$@"`

/** Variables that the AppImage runtime sets for the program it starts, and that don't apply to the next one. */
const OF_THIS_IMAGE = ['APPDIR', 'APPIMAGE', 'ARGV0', 'OWD']

/** The environment without the variables that an AppImage set, for a program that starts afresh. Pure. */
export function outsideImage(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !OF_THIS_IMAGE.includes(name)))
}

/** Starts a program as soon as this process has ended, or 5 s later. Call it right before the end. */
export function startAfterEnd(program: string, args: readonly string[]): void {
  spawn('/bin/sh', ['-c', WAIT_THEN_RUN, String(process.pid), program, ...args], {
    ...{ detached: true, stdio: 'ignore', env: outsideImage(process.env) },
    cwd: '/',
  }).unref()
}

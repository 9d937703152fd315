import { lutimes, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { releasesOf } from './changelog.mjs'
import { capture } from '../lib/child.mjs'
import { inRoot } from '../lib/paths.mjs'

/**
 * The time stamp of everything in a package, in seconds since the epoch, so that a commit always gives the same bytes:
 * SOURCE_DATE_EPOCH, or else the time of the commit, or else that of the newest release.
 */
async function sourceDate(environment = process.env) {
  const given = environment.SOURCE_DATE_EPOCH ?? ''
  if (/^\d+$/.test(given)) return Number(given)
  const { code, stdout } = await capture('git', ['log', '-1', '--format=%ct'])
  if (code === 0 && /^\d+\s*$/.test(stdout)) return Number(stdout)
  const [newest] = releasesOf(await readFile(inRoot('CHANGELOG.md'), 'utf8'))
  return Date.parse(newest?.date ?? '1980-01-01') / 1000
}

/** Sets that time on everything below `tree`. */
export async function dateTree(tree) {
  const date = await sourceDate()
  const entries = await readdir(tree, { recursive: true, withFileTypes: true })
  for (const entry of entries) await lutimes(join(entry.parentPath, entry.name), date, date)
  await lutimes(tree, date, date)
}

/** Runs a packing program, which gets the time for what it writes from the environment. Throws with its output. */
export async function runDated(program, args) {
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(await sourceDate()) }
  const result = await capture(program, args, { env })
  if (result.code !== 0) throw new Error(`${program} failed:\n${result.output}`)
  return result
}

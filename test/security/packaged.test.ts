import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { getRawHeader, listPackage } from '@electron/asar'
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { describe, expect, it } from 'vitest'
import { packagesBelow } from '../../scripts/lib/shipped.mjs'
import { tempDir } from '../support/tools/temp-dir.ts'

const execute = promisify(execFile)
const ROOT = join(import.meta.dirname, '..', '..')
const app = process.env['SLUICE_PACKED'] ?? ''
const program = join(app, 'sluice')
const archive = join(app, 'resources', 'app.asar')
const THREADS = ['demo-store.js', 'hash-worker.js', 'small-file-worker.js', 'source-files-worker.js']

/** A file of an archive's header, or a folder of them. */
interface Entry {
  readonly files?: Readonly<Record<string, Entry>>
  readonly unpacked?: boolean
  readonly integrity?: { readonly algorithm: string; readonly hash: string }
}

function filesOf(entry: Entry, path = ''): [string, Entry][] {
  return Object.entries(entry.files ?? {}).flatMap(([name, each]) =>
    each.files === undefined ? [[`${path}/${name}`, each] as [string, Entry]] : filesOf(each, `${path}/${name}`),
  )
}

/** Starts the packaged program without a display; resolves with how it ended, and all it printed. */
async function start(args: readonly string[], environment: Record<string, string> = {}) {
  const home = await tempDir()
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, ...environment }
  const switches = ['--no-sandbox', '--no-zygote', `--user-data-dir=${home}`]
  return execute(program, [...switches, ...args], { env, timeout: 60_000 }).then(
    ({ stdout, stderr }) => ({ code: 0, text: stdout + stderr }),
    (error: unknown) => {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
      return { code, text: stdout + stderr }
    },
  )
}

describe.runIf(app !== '')('the app as it is released', () => {
  it('holds no package that is only for work on Sluice', async () => {
    const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { dependencies?: Record<string, string> }>
    }
    const shipped = packagesBelow(lock, Object.keys(lock.packages['']?.dependencies ?? {}))
    const packed = listPackage(archive, { isPack: false }).flatMap(
      (path) => /^\/node_modules\/((?:@[^/]+\/)?[^/]+)\/package\.json$/.exec(path)?.[1] ?? [],
    )
    expect(packed.length).toBeGreaterThan(0)
    expect(packed.filter((name) => !shipped.has(name))).toEqual([])
  })

  it('holds no map of its sources, and no mark of a test build', () => {
    expect(listPackage(archive, { isPack: false }).filter((path) => /\.map$|\.ts$|test-build$/.test(path))).toEqual([])
  })

  it('has a checksum in its archive for each file of it, threads and processes included, and beside it only what the system loads', () => {
    const files = filesOf(getRawHeader(archive).header)
    const inside = files.filter(([, { unpacked }]) => unpacked !== true)
    expect(inside.filter(([, { integrity }]) => integrity?.algorithm !== 'SHA256')).toEqual([])
    for (const thread of THREADS) expect(inside.map(([path]) => path)).toContain(`/out/${thread}`)
    const beside = files.filter(([, { unpacked }]) => unpacked === true).map(([path]) => path)
    expect(beside.filter((path) => !path.endsWith('.node'))).toEqual([])
  })

  it('has no other place that code is loaded from', async () => {
    expect((await readdir(join(app, 'resources'))).sort()).toEqual([
      ...['LICENSE.txt', 'app.asar', 'app.asar.unpacked', 'third-party.txt'],
    ])
  })

  it('has each of Electron’s switches decided', async () => {
    const wire = await getCurrentFuseWire(program)
    const named = Object.entries(FuseV1Options).filter(([, fuse]) => typeof fuse === 'number')
    const isOn = ([, fuse]: [string, unknown]) => String.fromCharCode(wire[fuse as FuseV1Options] ?? 0) === '1'
    expect(named.filter(isOn).map(([name]) => name)).toEqual([
      'EnableEmbeddedAsarIntegrityValidation',
      'OnlyLoadAppFromAsar',
    ])
    // The ninth lets V8 catch faults of WebAssembly, which makes nothing less safe; a tenth is for a person to decide.
    const switches = Object.keys(wire).filter((key) => /^\d+$/.test(key))
    expect(switches.length).toBeLessThanOrEqual(9)
  })

  it.each(['--remote-debugging-port=0', '--remote-debugging-pipe'])('does not start with %s', async (given) => {
    expect(await start([given])).toEqual({
      code: 1,
      text: expect.stringContaining('Sluice doesn’t start with a debugging port.') as string,
    })
  })

  it('opens no door to Node’s debugger', async () => {
    const { text } = await start(['--inspect=0', '--inspect-brk=0', '--version'])
    expect(text).not.toMatch(/Debugger listening/)
  })

  it('runs no code that its environment or arguments name', async () => {
    const folder = await tempDir()
    const evil = join(folder, 'evil.cjs')
    await writeFile(evil, 'process.stdout.write("evil ran")')
    const tries = [
      start(['--version'], { NODE_OPTIONS: `--require ${evil}` }),
      start([evil, '--version'], { ELECTRON_RUN_AS_NODE: '1' }),
      start(['-e', 'process.stdout.write("evil ran")', '--version'], { ELECTRON_RUN_AS_NODE: '1' }),
      start([`--app=${evil}`, '--version']),
      start(['--require', evil, '--version']),
    ]
    for (const { text } of await Promise.all(tries)) expect(text).not.toContain('evil ran')
  })
})

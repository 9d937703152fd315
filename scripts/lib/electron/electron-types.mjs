// Checks the sources against the types of the fallback's Electron. Those of package.json's are checked as usual.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { capture, npm, tool } from '../child.mjs'
import { cacheFolder, inRoot } from '../paths.mjs'
import { Failure, main, say } from '../say.mjs'

const PACKAGE = 'electron@33.2.1'
const SHA512 = 'SG/nmSsK9Qg1p6wAW+ZfqU+AV8cmXMTIklUL18NnOKfZLlum4ZsDoVdmmmlL39ZmeCaq27dr7CgslRPahfoVJg=='
const LIMIT_MS = 60_000

/** Compiles electron/ against the types of the older Electron, which are fetched once per user. */
await main(async () => {
  const types = await typesOf()
  if (types === null) return say('Skipped: types of the older Electron, because the registry does not answer.')
  const config = inRoot('node_modules', '.cache', 'electron-types.json')
  await mkdir(inRoot('node_modules', '.cache'), { recursive: true })
  const extended = { extends: inRoot('electron', 'tsconfig.json'), include: [inRoot('electron', '**', '*.ts')] }
  const typeRoots = [inRoot('node_modules', '@types')]
  await writeFile(config, JSON.stringify({ ...extended, compilerOptions: { typeRoots, paths: { electron: [types] } } }))
  const { code, output } = await capture(process.execPath, [tool('typescript', 'tsc'), '-p', config, '--noEmit'])
  if (code !== 0) throw new Failure(`With ${PACKAGE}:\n${output}`)
})

/** The path of the types; null if they are neither here nor available. */
async function typesOf() {
  const folder = join(cacheFolder(), `${PACKAGE}-types`)
  const types = join(folder, 'package', 'electron.d.ts')
  if (existsSync(types)) return types
  await mkdir(cacheFolder(), { recursive: true })
  const work = await mkdtemp(`${folder}-`)
  try {
    const packed = await npm(['pack', PACKAGE, '--pack-destination', work, '--json'], { limitMs: LIMIT_MS })
    if (packed.code !== 0) return null
    const archive = join(work, JSON.parse(packed.stdout)[0].filename)
    const sum = createHash('sha512').update(await readFile(archive))
    if (sum.digest('base64') !== SHA512) throw new Failure(`${PACKAGE} has changed: its checksum differs.`)
    const { code, output } = await capture('tar', ['-xzf', archive, '-C', work, 'package/electron.d.ts'])
    if (code !== 0) throw new Failure(`tar could not unpack ${PACKAGE}:\n${output}`)
    // Another run may have been faster; then the same files are already there.
    await rename(work, folder).catch(() => undefined)
    return types
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

import { createHash } from 'node:crypto'
import { copyFile, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withLock } from './lock.mjs'
import { inRoot, root } from './paths.mjs'
import { step } from './say.mjs'
import { noteBundled, noticesOf, thirdParty } from '../packages/third-party.mjs'

const STAMP = inRoot('out', '.sources')
/** Beside out/, which is removed while it is held. */
const LOCK = inRoot('node_modules', '.sluice-compiling')
const SOURCES = ['electron', 'renderer', 'shared', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json']

/** Compiles unless out/ was made from exactly these sources. */
export async function ensureCompiled() {
  if (await isCompiled()) return
  await withLock(LOCK, async () => {
    if (!(await isCompiled())) await compileAll()
  })
}

/** Compiles everything into out/: main process, command line, hash worker, preload, window. Needs no network. */
export async function compile() {
  await withLock(LOCK, compileAll)
}

async function isCompiled() {
  const wanted = await fingerprint()
  return (await readFile(STAMP, 'utf8').catch(() => '')) === wanted
}

async function compileAll() {
  const stamp = await fingerprint()
  await step('Compiling', async () => {
    await rm(inRoot('out'), { recursive: true, force: true, maxRetries: 5 })
    await mkdir(inRoot('out'))
    const { build } = await import('vite')
    const bundled = new Set()
    for (const config of [programs(), ...threads(), preload(), renderer()])
      await build({ ...common, ...config, plugins: [noteBundled(bundled)] })
    const packages = thirdParty(bundled)
    await writeFile(inRoot('out', 'third-party.json'), JSON.stringify(packages))
    await writeFile(inRoot('out', 'third-party.txt'), noticesOf(packages))
    await copyFile(inRoot('scripts', 'assets', 'icons', '256x256.png'), inRoot('out', 'icon.png'))
    await cp(inRoot('scripts', 'assets', 'tray', 'drawn'), inRoot('out', 'tray'), { recursive: true })
  })
  await writeFile(STAMP, stamp)
}

/** A hash of the names, sizes and times of all sources: cheap, and a deleted file changes it, too. */
async function fingerprint() {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    const path = inRoot(source)
    const names = (await stat(path)).isDirectory() ? (await readdir(path, { recursive: true })).sort() : ['']
    for (const name of names) {
      const { size, mtimeMs } = await stat(join(path, name))
      hash.update(`${source}/${name} ${size} ${mtimeMs}\n`)
    }
  }
  return hash.digest('hex')
}

const common = { configFile: false, logLevel: 'warn', clearScreen: false }
const external = ['electron', /^libsql(\/|$)/, /^node:/]

/** The main process and the command line, which share other files in out/. */
function programs() {
  return nodeSide({ main: inRoot('electron', 'main.ts'), cli: inRoot('electron', 'cli.ts') })
}

/**
 * Each thread, and the process of the demo store, is a single file: from within an archive, threads are started from
 * text, so they can't import files beside them. All are in out/, so `new URL('./hash-worker.js', import.meta.url)` is
 * right wherever the bundler puts that line.
 */
function threads() {
  const engine = (...path) => inRoot('electron', 'engine', ...path)
  return [
    { 'hash-worker': engine('hashing', 'hash-worker.ts') },
    { 'small-file-worker': engine('folders', 'download', 'small-file-worker.ts') },
    { 'source-files-worker': engine('folders', 'upload', 'source-files-worker.ts') },
    { 'demo-store': inRoot('electron', 'demo-store', 'own-process.ts') },
  ].map(nodeSide)
}

function nodeSide(input) {
  return {
    root,
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: true,
      target: 'node20',
      outDir: inRoot('out'),
      emptyOutDir: false,
      rolldownOptions: {
        external,
        input,
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  }
}

/** A sandboxed preload script is one CommonJS file that can require nothing but 'electron'. */
function preload() {
  return {
    root,
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: true,
      target: 'chrome130',
      outDir: inRoot('out'),
      emptyOutDir: false,
      rolldownOptions: {
        external: ['electron'],
        input: inRoot('electron', 'preload.ts'),
        output: { format: 'cjs', entryFileNames: 'preload.cjs', codeSplitting: false },
      },
    },
  }
}

function renderer() {
  return {
    root: inRoot('renderer'),
    base: './',
    oxc: { jsx: { runtime: 'automatic' } },
    build: {
      target: 'chrome130',
      outDir: inRoot('out', 'renderer'),
      emptyOutDir: true,
      modulePreload: { polyfill: false },
      // The content security policy allows no data: in scripts and styles, and there are few fonts and pictures.
      assetsInlineLimit: 0,
      // One style sheet keeps the order of rules the same, whichever chunk loads first.
      cssCodeSplit: false,
      chunkSizeWarningLimit: 2_000,
      rolldownOptions: {
        // "use client" is for frameworks that render on a server, and there is none here.
        onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
      },
    },
  }
}

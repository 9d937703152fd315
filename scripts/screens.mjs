import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { capture, run } from './lib/child.mjs'
import { ensurePrograms } from './lib/electron/system-libraries.mjs'
import { inRoot } from './lib/paths.mjs'
import { Failure, main } from './lib/say.mjs'

const TESTS = ['test/e2e/app/screens.test.ts', 'test/e2e/access/screen-reader.test.ts']
const RECORDING = 'test/e2e/app/recording.test.ts'

/**
 * `npm run screens`: shows the real window in every view, light and dark, and keeps a picture of each in docs/screens,
 * and what a screen reader says in the main flows in docs/screen-reader.md.
 * `npm test` fails when a view looks different; look at the changes before you commit them.
 * `npm run screens -- --recording`: records the real window while a file is uploaded, into docs/recording.webp.
 */
await main(async (args) => {
  const { values } = parseArgs({ args, options: { recording: { type: 'boolean', default: false } } })
  return values.recording ? record() : drive(TESTS, { SLUICE_SCREENS: 'keep' })
})

function drive(tests, variables) {
  const env = { ...process.env, ...variables }
  return run(process.execPath, [inRoot('scripts', 'test.mjs'), ...tests], { env, stdio: 'inherit' })
}

async function record() {
  await ensurePrograms({ img2webp: 'webp' }, 'A recording needs a program that writes WebP')
  const folder = await mkdtemp(join(tmpdir(), 'sluice-recording-'))
  try {
    const code = await drive([RECORDING], { SLUICE_RECORDING: folder })
    if (code !== 0) return code
    const shownMs = JSON.parse(await readFile(join(folder, 'frames.json'), 'utf8'))
    const frames = shownMs.flatMap((ms, index) => ['-d', String(ms), join(folder, `${index}.png`)])
    const picture = ['-loop', '0', '-lossy', '-q', '80', '-m', '6', ...frames, '-o', inRoot('docs', 'recording.webp')]
    const written = await capture('img2webp', picture)
    if (written.code !== 0) throw new Failure(`The recording could not be written: ${written.output}`)
    return 0
  } finally {
    await rm(folder, { recursive: true })
  }
}

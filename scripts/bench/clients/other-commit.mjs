import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { capture } from '../../lib/child.mjs'
import { inRoot } from '../../lib/paths.mjs'
import { Failure, say, step } from '../../lib/say.mjs'
import { sluiceIn } from './clients.mjs'
import { uploadingSluiceIn } from './upload-clients.mjs'

/**
 * Builds one of our commits in a worktree below a scratch folder, with the packages that are installed here. It is
 * removed with the scratch folder. Resolves with its clients for the scenarios, and with its command line alone.
 */
export async function buildCommit(commit, { folder, signal, onClose }) {
  const name = (await git(['rev-parse', '--short', '--verify', `${commit}^{commit}`])).trim()
  const checkout = join(folder, `sluice-${name}`)
  await git(['worktree', 'add', '--detach', checkout, name], { signal })
  onClose(() => git(['worktree', 'remove', '--force', checkout]))
  await symlink(inRoot('node_modules'), join(checkout, 'node_modules'))
  if ((await git(['diff', '--name-only', name, '--', 'package-lock.json'], { signal })) !== '')
    say(`Note: ${name} requires other package versions; it is built with those of this checkout.`)
  await step(`Compiling ${name}`, () => compileIn(checkout, signal))
  return {
    name: `sluice ${name}`,
    cli: join(checkout, 'out', 'cli.js'),
    download: sluiceIn(checkout, `sluice ${name}`),
    upload: uploadingSluiceIn(checkout, `sluice ${name}`),
  }
}

/** Compiles in a separate process, with the commit's own script. */
async function compileIn(checkout, signal) {
  const script = pathToFileURL(join(checkout, 'scripts', 'lib', 'compile.mjs')).href
  const run = `const { compile } = await import(${JSON.stringify(script)}); await compile()`
  const options = { cwd: checkout, signal }
  const { code, output } = await capture(process.execPath, ['--input-type=module', '--eval', run], options)
  if (code !== 0) throw new Failure(`The other commit can’t be built:\n${output}`)
}

async function git(args, options) {
  const { code, stdout, output } = await capture('git', args, options)
  if (code !== 0) throw new Failure(output.trim())
  return stdout
}

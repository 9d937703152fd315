import { readFile, writeFile } from 'node:fs/promises'
import { notesOf, released } from './packages/changelog.mjs'
import { npm } from './lib/child.mjs'
import { inRoot, root } from './lib/paths.mjs'
import { Failure, main, say } from './lib/say.mjs'
import { packageFacts } from './lib/shipped.mjs'

const VERSION = /^\d+\.\d+\.\d+(-beta\.\d+)?$/

/**
 * `npm run release -- 0.2.0` (or 0.3.0-beta.1): sets the version, and turns what CHANGELOG.md has under "Next" into a
 * release; packages take their data from both. Prints what is left to do. `--verify <version>` fails unless that is the
 * present version and has notes; `--notes <version>` prints those.
 */
await main(async ([first = '', second = '']) => {
  if (first === '--verify') return void (await verify(second))
  if (first === '--notes') return void process.stdout.write(`${await verify(second)}\n`)
  if (!VERSION.test(first)) throw new Failure('Usage: npm run release -- <version>, such as 0.2.0')
  const changelog = await readFile(inRoot('CHANGELOG.md'), 'utf8')
  const next = orFailure(() => released(changelog, first, new Date().toISOString().slice(0, 10)))
  const { code, output } = await npm(['version', first, '--no-git-tag-version', '--ignore-scripts'], { cwd: root })
  if (code !== 0) throw new Failure(output)
  await writeFile(inRoot('CHANGELOG.md'), next)
  say(
    `Now:\n\n  git commit -am "chore: release ${first}" && git tag -a v${first} -m "Sluice ${first}"\n  git push --follow-tags`,
  )
})

/** The changelog's notes on the project's version. Throws if `version` is another one, or there are no notes. */
async function verify(version) {
  const notes = notesOf(await readFile(inRoot('CHANGELOG.md'), 'utf8'), version)
  if (packageFacts().version !== version || notes === null)
    throw new Failure(
      `This is ${packageFacts().version}; a tag v${version} needs that version in package.json and in CHANGELOG.md.`,
    )
  return notes
}

function orFailure(work) {
  try {
    return work()
  } catch (error) {
    throw new Failure(error.message)
  }
}

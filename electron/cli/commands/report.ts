import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import packageFacts from '../../../package.json' with { type: 'json' }
import { formatBytes } from '../../../shared/format/format-bytes.ts'
import { machineFacts } from '../../report/machine-facts.ts'
import { section, type Fact } from '../../report/report-text.ts'
import type { Output } from '../output.ts'
import { defaultStateFolder } from '../session/state-folder.ts'

/** Variables whose values are no secrets and identify nobody. */
const SHOWN = ['SLUICE_DIALECT', 'SLUICE_SIGNATURE', 'SLUICE_PATH_STYLE', 'SLUICE_SCHEME']
const RELEVANT = /^(SLUICE_|AWS_|(https?|no|all)_proxy$|NODE_EXTRA_CA_CERTS$|NODE_OPTIONS$|SSL_CERT_)/i

/** Prints facts that help to find a fault, without keys, addresses or the names of files and buckets. */
export async function report(stateDir: string | null, environment: NodeJS.ProcessEnv, output: Output): Promise<void> {
  const sections: readonly (readonly [string, readonly Fact[]])[] = [
    ['Sluice', machineFacts(packageFacts.version)],
    ['Environment', variables(environment)],
    ['Kept by commands that can be continued', await keptState(stateDir ?? defaultStateFolder())],
  ]
  const text = sections.map(([title, facts]) => section(title, facts)).join('\n\n')
  output.page(
    { event: 'report', ...Object.fromEntries(sections.map(([title, facts]) => [title, Object.fromEntries(facts)])) },
    text,
  )
}

function variables(environment: NodeJS.ProcessEnv): readonly Fact[] {
  const names = Object.keys(environment).filter((name) => RELEVANT.test(name))
  return names.sort().map((name) => [name, SHOWN.includes(name) ? shortWord(environment[name]) : 'set'])
}

/** Shows a value only if it looks like the expected word; anything else might identify somebody. */
function shortWord(value = ''): string {
  return /^[A-Za-z0-9-]{1,20}$/.test(value) ? value : 'set'
}

/** The state folder of each unfinished command with the files in it. Databases may be in use, so none is opened. */
async function keptState(folder: string): Promise<readonly Fact[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const commands = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  return Promise.all(commands.sort().map(async (name): Promise<Fact> => [name, await filesIn(join(folder, name))]))
}

async function filesIn(folder: string): Promise<string> {
  const names = await readdir(folder).catch(() => [])
  const files = await Promise.all(
    names.sort().map(async (name) => {
      const facts = await stat(join(folder, name)).catch(() => null)
      return facts === null ? `${name} (gone)` : `${name} ${formatBytes(facts.size)}, ${facts.mtime.toISOString()}`
    }),
  )
  return files.join('; ')
}

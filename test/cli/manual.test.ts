import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parseCommand } from '../../electron/cli/arguments.ts'
import { EVENTS } from '../../electron/cli/manual/events.ts'
import { completionsFor, type Shell } from '../../electron/cli/manual/completions.ts'
import { HELP, helpOf } from '../../electron/cli/manual/help.ts'
import { manPage } from '../../electron/cli/manual/man-page.ts'
import {
  COMMAND_LIST,
  isCommand,
  optionFacts,
  OPTIONS,
  type OptionName,
} from '../../electron/cli/manual/option-table.ts'
import { commandAmong } from '../../electron/shell/launch.ts'
import { tempDir } from '../support/tools/temp-dir.ts'

const execute = promisify(execFile)
const names = Object.keys(OPTIONS) as OptionName[]
const bash = await execute('bash', ['--version']).then(
  () => true,
  () => false,
)
const man =
  process.platform === 'linux' &&
  (await execute('man', ['--version'])
    .then(() => true)
    .catch(() => false))

/** What bash offers for a line, whose last word is the one that is being written. */
async function offered(...line: string[]): Promise<string[]> {
  const file = join(await tempDir(), 'sluice')
  const words = line.map((word) => `'${word}'`).join(' ')
  await writeFile(
    file,
    `${completionsFor('bash')}
compopt() { :; }
COMP_WORDS=(${words}); COMP_CWORD=${line.length - 1}; _sluice; printf '%s\\n' "\${COMPREPLY[@]}"`,
  )
  const { stdout } = await execute('bash', [file])
  return stdout.split('\n').filter((text) => text !== '')
}

describe('what explains the command line', () => {
  it.each(names)('explains --%s in its help or on its page, and completes it in each shell', (name) => {
    const flag = `--${name}`
    expect(manPage('1.2.3')).toContain(flag.replaceAll('-', '\\-'))
    for (const shell of ['bash', 'zsh'] as const) expect(completionsFor(shell)).toContain(flag)
    expect(completionsFor('fish')).toContain(`-l ${name} `)
  })

  it('names in its help each option that a transfer takes', () => {
    const users = COMMAND_LIST.filter(([name]) => name === 'get' || name === 'put' || name === 'uploads')
    const unexplained = users.flatMap(([, { options }]) => options).filter((name) => !namesOption(name))
    expect(unexplained.filter((name) => name !== 'help')).toEqual([])
  })

  it.each(COMMAND_LIST)('explains in the help of %s each way to call it and each of its options', (name, facts) => {
    const help = helpOf(name)
    for (const [usage] of facts.forms) expect(help).toContain(`sluice ${usage}`)
    for (const option of facts.options) expect(help).toMatch(new RegExp(`^ +(-\\w, )?--${option}\\b`, 'm'))
  })

  it('explains on its page each event that a command prints', () => {
    const folder = join(import.meta.dirname, '../../electron/cli')
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
    const texts = sources.map((path) => readFileSync(join(folder, path), 'utf8'))
    const printed = texts.flatMap((text) => [...text.matchAll(/event: '([a-z-]+)'/g)].map(([, event = '']) => event))
    const dynamic = ['not-uploaded', 'not-downloaded']
    expect(new Set(EVENTS.flatMap(([names]) => names.split(', ')))).toEqual(new Set([...printed, ...dynamic]))
  })

  it('shows each way to call a command on the page that man takes', () => {
    const page = manPage('1.2.3')
    expect(page).toMatch(/^\.TH SLUICE 1 "" "Sluice 1\.2\.3"/)
    for (const [, { forms }] of COMMAND_LIST)
      for (const [usage] of forms) expect(page).toContain(usage.replaceAll('-', '\\-').replaceAll('…', '...'))
  })

  it.runIf(man)('is a page that man shows without a complaint', async () => {
    const file = join(await tempDir(), 'sluice.1')
    await writeFile(file, manPage('1.2.3'))
    const { stdout, stderr } = await execute('man', ['--warnings', '-l', file], {
      env: { ...process.env, LC_ALL: 'C.UTF-8', MANROFFSEQ: '', MANWIDTH: '100' },
    })
    expect(stderr).toBe('')
    expect(stdout).toContain('--give-up-after')
  })

  it.each([{}, { AWS_ACCESS_KEY_ID: 'K' }])('names on its page each variable that a command reads beside %o', (set) => {
    const read = new Set<string>()
    const environment = new Proxy<Record<string, string>>(set, {
      get(target, name) {
        read.add(String(name))
        return target[String(name)]
      },
    })
    parseCommand(['get', 'a', '--dialect', 's3'], environment)
    parseCommand(['report'], environment)
    expect(read.size).toBeGreaterThan(10)
    const page = manPage('1.2.3')
    for (const name of read) expect(page).toMatch(new RegExp(`\\b${name}\\b`))
  })

  it('has no command that is not parsed', () => {
    for (const [name] of COMMAND_LIST) expect(() => parseCommand([name], {}), name).not.toThrow(/There is no command/)
  })
})

function namesOption(name: OptionName): boolean {
  const { short } = optionFacts(name)
  return HELP.includes(`--${name}`) || (short !== undefined && HELP.includes(` -${short} `))
}

describe.runIf(bash)('bash completes', () => {
  it('commands, and what begins like one', async () => {
    expect(await offered('sluice', '')).toEqual(COMMAND_LIST.map(([name]) => name))
    expect(await offered('sluice', 'pu')).toEqual(['put'])
  })

  it('options of the command that is written, and no others', async () => {
    expect(await offered('sluice', 'put', '--if')).toEqual(['--if-exists'])
    expect(await offered('sluice', 'get', '--if')).toEqual([])
    expect(await offered('sluice', 'serve', '--d')).toEqual(['--dir'])
  })

  it('what an option takes', async () => {
    expect(await offered('sluice', 'put', '--if-exists', 'skip')).toEqual(['skip', 'skip-identical'])
    expect(await offered('sluice', 'ls', '--dialect', '')).toEqual(['storage', 's3'])
    expect(await offered('sluice', 'get', '--bucket', '')).toEqual([])
  })

  it('the second word of a command', async () => {
    expect(await offered('sluice', 'uploads', 'f')).toEqual(['finish'])
    expect(await offered('sluice', 'completion', '')).toEqual(['bash', 'zsh', 'fish'])
  })
})

it.each(['bash', 'zsh', 'fish'] as const)('%s reads its completions', async (shell: Shell) => {
  const hasShell = await execute(shell, ['--version']).then(
    () => true,
    () => false,
  )
  if (!hasShell) return
  const file = join(await tempDir(), shell)
  await writeFile(file, completionsFor(shell))
  expect(await execute(shell, ['-n', file])).toEqual({ stdout: '', stderr: '' })
})

describe('the program of a package', () => {
  it.each([
    [
      ['sluice', 'put', 'a', 'b'],
      ['put', 'a', 'b'],
    ],
    [
      ['sluice', '--no-sandbox', '--no-zygote', 'get', '--json', 'k'],
      ['get', '--json', 'k'],
    ],
    [['electron', '--user-data-dir=/x', '/app', 'ls'], ['ls']],
    [['sluice', 'film.mov', 'put'], null],
    [['sluice', './put'], null],
    [['sluice', 'sluice://bucket/put'], null],
    [['sluice', 'toString'], null],
    [['sluice'], null],
  ])('takes of %j the command %j', (argv, command) => {
    expect(commandAmong(argv, '/app')).toEqual(command)
  })

  it('takes no other word for a command', () => {
    expect(['put', 'manual', 'PUT', 'constructor', ''].filter(isCommand)).toEqual(['put', 'manual'])
  })
})

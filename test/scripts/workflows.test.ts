import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { LINUX_PACKAGES } from '../../scripts/packages/linux-packages.mjs'

const ROOT = join(import.meta.dirname, '..', '..')

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, unknown>>
  readonly env?: Readonly<Record<string, string>>
}
interface Job {
  readonly 'runs-on': string
  readonly 'timeout-minutes'?: number
  readonly needs?: string
  readonly permissions?: Readonly<Record<string, string>>
  readonly strategy?: {
    readonly matrix: {
      readonly os: readonly string[]
      readonly include?: readonly { node: number }[]
      readonly node?: readonly number[]
    }
  }
  readonly steps: readonly Step[]
}
interface Workflow {
  readonly permissions: Readonly<Record<string, string>>
  readonly on: Readonly<Record<string, unknown>>
  readonly jobs: Readonly<Record<string, Job>>
}

const workflow = (name: string) =>
  parse(readFileSync(join(ROOT, '.github', 'workflows', `${name}.yml`), 'utf8')) as Workflow
const scripts = Object.keys(
  (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> }).scripts,
)
const commandsOf = ({ steps }: Job) => steps.flatMap(({ run }) => (run === undefined ? [] : [run]))

describe.each(['check', 'release'])('the workflow %s', (name) => {
  const { jobs, permissions } = workflow(name)
  const steps = Object.values(jobs).flatMap((job) => job.steps)

  it('may only read, and keeps no right to write beside the code', () => {
    expect(permissions).toEqual({ contents: 'read' })
    for (const step of steps.filter(({ uses }) => uses?.startsWith('actions/checkout') === true))
      expect(step.with).toMatchObject({ 'persist-credentials': false })
  })

  it('takes each action from its makers, at one commit, and says which version that is', () => {
    const lines = readFileSync(join(ROOT, '.github', 'workflows', `${name}.yml`), 'utf8').split('\n')
    for (const line of lines.filter((each) => each.includes('uses:')))
      expect(line).toMatch(/uses: actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  it('ends by itself, runs no script of a dependency’s installation, and nothing that is not there', () => {
    for (const job of Object.values(jobs)) {
      expect(job['timeout-minutes']).toBeGreaterThan(0)
      for (const command of commandsOf(job)) {
        if (/npm (ci|install)/.test(command)) expect(command).toBe('npm ci --ignore-scripts')
        for (const [, script = ''] of command.matchAll(/npm run ([\w:]+)/g)) expect(scripts).toContain(script)
        for (const [, file = ''] of command.matchAll(/node (scripts\/\S+)/g)) readFileSync(join(ROOT, file))
      }
    }
  })
})

describe('what is checked', () => {
  it('is tested on three systems and with three versions of Node', () => {
    const matrix = workflow('check').jobs['test']?.strategy?.matrix
    expect(matrix?.os.map((os) => os.split('-')[0])).toEqual(['ubuntu', 'windows', 'macos', 'macos'])
    expect([...(matrix?.node ?? []), ...(matrix?.include ?? []).map(({ node }) => node)].sort()).toEqual([20, 22, 24])
  })
})

describe('what is released', () => {
  const { jobs, on } = workflow('release')

  it('is a tag, whose version and advisories are checked before anything is made', () => {
    const stable = 'v[0-9]+.[0-9]+.[0-9]+'
    expect(on).toEqual({ push: { tags: [stable, `${stable}-beta.[0-9]+`] } })
    const { gate, installers, publish } = jobs
    expect([installers?.needs, publish?.needs]).toEqual(['gate', 'installers'])
    const commands = gate === undefined ? [] : commandsOf(gate)
    expect(commands).toContain('npm run check:security')
    expect(commands).toContain('node scripts/audit.mjs --required')
    expect(commands.some((command) => command.includes('--verify'))).toBe(true)
  })

  it('is made for each system and processor, and gives each what signs for it, if that is set', () => {
    const { installers } = jobs
    expect(installers?.strategy?.matrix.os).toEqual(['ubuntu-24.04', 'windows-2025', 'macos-15', 'macos-15-intel'])
    const environment = installers?.steps.find(({ run }) => run === 'npm run dist')?.env ?? {}
    const secrets = Object.entries(environment).filter(([, value]) => value.includes('secrets.'))
    expect(
      secrets.map(([name, value]) => [name, /runner\.os == '(\w+)' && secrets\.\w+ \|\| ''/.exec(value)?.[1]]),
    ).toEqual([
      ['CSC_LINK', 'macOS'],
      ['CSC_KEY_PASSWORD', 'macOS'],
      ['APPLE_API_KEY', 'macOS'],
      ['APPLE_API_KEY_ID', 'macOS'],
      ['APPLE_API_ISSUER', 'macOS'],
      ['WIN_CSC_LINK', 'Windows'],
      ['WIN_CSC_KEY_PASSWORD', 'Windows'],
    ])
    expect(installers === undefined ? [] : commandsOf(installers)).toContain(
      'node scripts/packages/bill-of-materials.mjs',
    )
  })

  it('has all of Linux’s packages, for which everything is installed that they are made with', () => {
    const [install = ''] = commandsOf(jobs['installers'] as Job).filter((command) =>
      command.includes('apt-get install'),
    )
    const needed = Object.values(LINUX_PACKAGES).flatMap(({ needs }) => Object.values(needs))
    expect(install.split(' ')).toEqual(expect.arrayContaining(needed.filter((name) => name !== 'dpkg')))
    const kinds = Object.keys(LINUX_PACKAGES).map((kind) => `*.${kind}`)
    const [listed = ''] = commandsOf(jobs['publish'] as Job).filter((command) => command.startsWith('cd dist && ls'))
    expect(listed.split(' ')).toEqual(expect.arrayContaining([...kinds, '*.exe', '*-arm64.dmg', '*-x64.dmg']))
  })

  it('has checksums, an attestation of where it comes from, and no old Electron, and a person publishes it', () => {
    const { publish } = jobs
    const commands = publish === undefined ? [] : commandsOf(publish).join('\n')
    expect(commands).toContain('sha256sum')
    expect(commands).toContain('! ls dist | grep -e -electron')
    expect(commands).toContain('--draft')
    expect(commands).toMatch(/update-lists\.mjs[^]*sha256sum/)
    expect(publish?.steps.some(({ uses }) => uses?.startsWith('actions/attest-build-provenance@') === true)).toBe(true)
    expect(publish?.permissions).toEqual({ contents: 'write', 'id-token': 'write', attestations: 'write' })
  })
})

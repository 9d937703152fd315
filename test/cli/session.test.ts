import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { EXIT } from '../../electron/cli/exit-status.ts'
import { withSession, type SessionParts } from '../../electron/cli/session/session.ts'
import { uploadRecord } from '../support/fakes/records.ts'
import { NOBODY_LISTENS } from '../support/servers/nobody-listens.ts'
import { runText } from '../support/tools/run-cli.ts'
import { tempDir } from '../support/tools/temp-dir.ts'

/** A command that transfers nothing. */
function partsOf(stateDir: string): SessionParts {
  const options = { stateDir, connections: null, partSizeBytes: null, limitBytesPerSecond: null }
  const { signal } = new AbortController()
  return {
    options: options as SessionParts['options'],
    connection: { giveUpAfter: () => 0, dropConnections: () => undefined } as unknown as SessionParts['connection'],
    output: { note: () => undefined } as unknown as SessionParts['output'],
    stop: { first: signal, second: signal },
  }
}

it.skipIf(process.platform === 'win32')(
  'leaves alone what the same command keeps that begins while it ends',
  async () => {
    const stateDir = await tempDir()
    let path = ''
    let isEnded = false
    const ending = withSession(['put', 'a.bin'], partsOf(stateDir), () => {
      const [folder = ''] = readdirSync(stateDir).filter((name) => /^[\da-f]{16}$/.test(name))
      path = join(stateDir, folder, 'transfers.db')
      return Promise.resolve()
    }).finally(() => (isEnded = true))
    // The other one comes as soon as the database of the first is gone.
    while (path === '' || (existsSync(path) && !isEnded)) await setImmediate()
    expect(isEnded).toBe(false)
    writeFileSync(path, 'of another')
    await ending
    expect(await readFile(path, 'utf8')).toBe('of another')
  },
)

it('keeps what it could not read, to go on from it when that is possible again', async () => {
  const stateDir = await tempDir()
  const identity = ['put', 'a.bin']
  const insert: Parameters<typeof withSession>[2] = async ({ deps, engine }) => {
    await deps.checkpoints.insert([uploadRecord()])
    await engine.load()
    throw new Error('stopped')
  }
  await expect(withSession(identity, partsOf(stateDir), insert)).rejects.toThrow('stopped')
  const failing: SessionParts = {
    ...partsOf(stateDir),
    revise: () => {
      throw new Error('the disk failed')
    },
  }
  await expect(withSession(identity, failing, () => Promise.resolve())).rejects.toThrow('the disk failed')
  let found: readonly string[] = []
  await withSession(identity, partsOf(stateDir), ({ earlier }) => {
    found = earlier.map(({ id }) => id)
    return Promise.resolve()
  })
  expect(found).toEqual(['upload-1'])
})

it('a user without a home folder is told to name a folder', async () => {
  // As os.homedir() and os.userInfo() do for a user whom only a container's settings name.
  const none = "() => { throw Object.assign(new Error('uv_os_homedir returned ENOENT'), { code: 'ERR_SYSTEM_ERROR' }) }"
  const preload = `import os from 'node:os'; import { syncBuiltinESMExports as sync } from 'node:module'; os.homedir = os.userInfo = ${none}; sync()`
  const environment = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}` }
  const folder = await tempDir()
  const get = ['get', `http://${NOBODY_LISTENS}/a`, join(folder, 'a'), '--give-up-after', '1']
  const homeless = await runText(get, { ...environment, LOCALAPPDATA: '', XDG_STATE_HOME: '' })
  expect([homeless.status, homeless.stderr]).toEqual([1, expect.stringMatching(/no home folder.*--state-dir\.\n$/)])
  const kept = await runText([...get, '--state-dir', join(folder, 'state')], environment)
  expect(kept.status).toBe(EXIT.canContinue)
})

it('is over as it should be when somebody has deleted what it keeps', async () => {
  const stateDir = await tempDir()
  await withSession(['get', 'a.bin'], partsOf(stateDir), () => rm(stateDir, { recursive: true }))
  expect(existsSync(stateDir)).toBe(false)
})

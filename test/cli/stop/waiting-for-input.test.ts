import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { open, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { startCli } from '../../support/tools/run-cli.ts'
import { createCliWorld } from '../../support/worlds/cli-world.ts'

/** More than a pipe holds: what writes it has been read from. */
const COMMENTS = '# not a source\n'.repeat(MIB / 8)

it.each([
  ['a list', ['get', '-i', '-']],
  ['a secret key', ['ls', '--access-key', 'AK', '--secret-key-file', '-']],
])('stops while somebody still types %s', async (_what, argv) => {
  const world = await createCliWorld()
  const command = world.start(...argv)
  const { stdin } = command.process
  if (stdin?.write(COMMENTS) === false) await once(stdin, 'drain')
  command.process.kill('SIGINT')
  const ended = await command.ended
  expect(ended).toMatchObject({ status: 3, stderr: 'sluice: Stopped. Run the same command again to go on.\n' })
})

it.skipIf(process.platform === 'win32')('stops while another program still writes the parts', async () => {
  const world = await createCliWorld()
  execFileSync('mkfifo', [world.path('parts')])
  const command = world.start('complete', 'key', '--parts', world.path('parts'))
  // It can be opened once the command reads.
  const writer = await open(world.path('parts'), 'w')
  command.process.kill('SIGINT')
  const ended = await command.ended
  expect(ended.stderr).toBe('sluice: Stopped. Run the same command again to go on.\n')
  // Node can't give up a read: if one has begun, the signal ends the process as if nobody had listened for it.
  expect([ended.signal, ended.status]).toEqual(ended.signal === null ? [null, 3] : ['SIGINT', null])
  await writer.close()
})

it.skipIf(process.platform === 'win32')('stops while a program has not given the keys of a profile', async () => {
  const world = await createCliWorld()
  execFileSync('mkfifo', [world.path('keys')])
  await writeFile(world.path('config'), `[profile slow]\ncredential_process = cat ${world.path('keys')}\n`)
  const connection = { SLUICE_ENDPOINT: world.proxy.endpoint, SLUICE_BUCKET: 'demo' }
  const files = { AWS_CONFIG_FILE: world.path('config'), AWS_SHARED_CREDENTIALS_FILE: world.path('missing') }
  const command = startCli(['ls', '--dialect', 's3', '--profile', 'slow'], { ...connection, ...files })
  // It can be opened once the program reads.
  const writer = await open(world.path('keys'), 'w')
  command.process.kill('SIGINT')
  const ended = await command.ended
  expect(ended.stderr).toBe('sluice: Stopped. Run the same command again to go on.\n')
  await writer.close()
})

it.each([
  ['get', '-i'],
  ['ls', '--secret-key-file'],
  ['complete', 'key', '--parts'],
])('says in plain words which file it can’t read: %s', async (...argv) => {
  const world = await createCliWorld()
  const { stderr } = await world.run(...argv, world.path('missing'))
  expect(stderr).toMatch(/^sluice: Can’t read .*missing[:,] no such file or directory\.\n$/)
  const folder = await world.run(...argv, world.path('.'))
  expect(folder.stderr).toMatch(/^sluice: Can’t read .*: illegal operation on a directory\.\n$/)
})

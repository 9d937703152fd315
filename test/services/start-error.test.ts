import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { CheckpointError, openCheckpointStore, StateUnwritable } from '../../electron/engine/index.ts'
import { MIGRATIONS } from '../../electron/engine/checkpoint/migrations.ts'
import { NO_SEALER } from '../../electron/engine/checkpoint/tables/link-secrets.ts'
import { startError } from '../../electron/services/start-error.ts'
import { createFakeClock } from '../support/fakes/fake-clock.ts'
import { systemError } from '../support/fakes/simulated-disk.ts'
import { tempDir } from '../support/tools/temp-dir.ts'

const clock = createFakeClock()
const wordsOf = (failure: unknown): string => String(startError(failure, '/state')).replace('WordedError: ', '')

it.each([
  ['ENOSPC', 'The disk that holds /state, where Sluice keeps its list of transfers, is full or read-only.'],
  ['EDQUOT', 'The disk that holds /state, where Sluice keeps its list of transfers, is full or read-only.'],
  ['EROFS', 'The disk that holds /state, where Sluice keeps its list of transfers, is full or read-only.'],
  ['EACCES', 'Sluice has no permission to write to /state, or to files in it.'],
])('says why it can’t start after %s, and what to do', (code, words) => {
  const refusal = systemError(code)
  const opening = new CheckpointError(
    'unusable',
    'The list can’t be opened',
    StateUnwritable.of(refusal, '/') ?? refusal,
  )
  for (const failure of [refusal, opening]) {
    expect(wordsOf(failure)).toContain(words)
    expect(wordsOf(failure)).toMatch(/ start Sluice again\.$/)
  }
})

it('says so where another Sluice has the list, or a newer one wrote it', async () => {
  const path = join(await tempDir(), 'transfers.db')
  const newer = [...MIGRATIONS, 'CREATE TABLE more (x TEXT) STRICT;']
  const store = await openCheckpointStore(path, clock, NO_SEALER, newer)
  onTestFinished(() => store.close())
  const failureOf = () => openCheckpointStore(path, clock).catch((failure: unknown) => failure)
  expect(wordsOf(await failureOf())).toBe('Another Sluice is using /state. Quit it and start Sluice again.')
  await store.close()
  expect(wordsOf(await failureOf())).toContain('is from a newer Sluice. Update Sluice and start it again.')
})

import { expect, it } from 'vitest'
import { createWorkQueue } from '../../../../electron/engine/async/work-queue.ts'
import type { FolderRun } from '../../../../electron/engine/folders/download/folder-run.ts'
import { fetchLarge } from '../../../../electron/engine/folders/download/large-objects.ts'
import type { WantedItem } from '../../../../electron/engine/folders/download/wanted-item.ts'
import { createRetryPolicy } from '../../../../electron/engine/retry/create-retry-policy.ts'
import { createFakeClock } from '../../../support/fakes/fake-clock.ts'
import { downloadRecord } from '../../../support/fakes/records.ts'
import { networkError } from '../../../support/worlds/engine-world.ts'

it('lets what fails beside a large object give up, though bytes of that come again and again', async () => {
  const clock = createFakeClock()
  const { signal } = new AbortController()
  const retryPolicy = createRetryPolicy({
    deps: { clock: { ...clock, sleep: (ms) => clock.advance(ms) }, random: () => 1 },
    giveUpAfterMs: 60_000,
    signal,
    report: { waiting: () => undefined },
  })
  const run = {
    context: { deps: { checkpoints: {} }, signal, report: { moved: () => undefined } },
    retryPolicy,
    space: { moved: () => undefined },
    tally: { began: () => undefined },
    finishing: () => () => undefined,
    givesUp: (_: WantedItem, failure: Error) => Promise.reject(failure),
  } as unknown as FolderRun
  const wanted = createWorkQueue<WantedItem>(signal)
  wanted.push({ number: 0, object: { key: 'data/film', sizeBytes: 100, etag: null } } as unknown as WantedItem)
  wanted.end()
  const begun = new Map([['data/film', downloadRecord({ id: 'child', folderId: 'folder', key: 'data/film' })]])
  let tries = 0
  const fetching = fetchLarge(run, wanted, begun, async ({ report }) => {
    for (;;) {
      tries += 1
      if (tries > 5) return { kind: 'stopped' }
      report.moved(100)
      await clock.advance(50_000)
      report.moved(-100)
      // As a small object does.
      await retryPolicy.waitAfter(networkError())
    }
  })
  await expect(fetching).rejects.toMatchObject({ info: { code: 'gave-up-waiting' } })
})

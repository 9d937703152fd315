import { openCheckpointStore } from '../../../electron/engine/checkpoint/sqlite-checkpoint-store.ts'
import { createFakeClock } from '../../support/fakes/fake-clock.ts'
import { uploadRecord } from '../../support/fakes/records.ts'

// Commits parts until it is killed, telling the number of each one that is on disk.
const store = await openCheckpointStore(process.argv[2] ?? '', createFakeClock())
await store.insert([uploadRecord({ id: 'u' })])
for (let partNumber = 1; ; partNumber += 1) {
  await store.putParts('u', [{ partNumber, sizeBytes: 1, etag: String(partNumber), md5: '0'.repeat(32) }])
  await store.update('u', { uploadId: `after part ${String(partNumber)}` })
  process.stdout.write(`${String(partNumber)}\n`)
}

import { expect, it } from 'vitest'
import { continueWhenSaved, stopWhenRemoved } from '../../../electron/services/places/resume-held-up.ts'
import type { Places } from '../../../electron/services/places/places.ts'
import type { NewPlace, Place } from '../../../shared/place/place.ts'
import type { TransferErrorCode } from '../../../shared/transfer/transfer-error.ts'
import type { ItemFailure, TransferRow, WaitReason } from '../../../shared/transfer/transfer.ts'
import { transferRow, transferSnapshot } from '../../support/fakes/transfer-rows.ts'

const STUDIO = { placeId: 'studio', bucket: 'medai' }
const failed = (id: string, code: TransferErrorCode, changes: Partial<TransferRow> = {}) => {
  const error = { code, detail: '', serviceCode: null, httpStatus: null, requestId: null }
  return transferRow({ id, ...STUDIO, status: 'failed', error, ...changes })
}
const waiting = (id: string, reason: WaitReason) =>
  transferRow({ id, ...STUDIO, status: 'waiting', wait: { reason, retryAtMs: null, attempt: 1 } })

const DENIED: ItemFailure = {
  key: 'a',
  error: { code: 'access-denied', detail: '', serviceCode: null, httpStatus: 403, requestId: null },
}

/** Saves the place with another bucket, and tells what the engine was asked for. */
async function save(rows: readonly TransferRow[], bucket: string) {
  const asked: unknown[] = []
  const known = { id: 'studio', bucket: 'medai' } as Place
  const places = {
    list: () => [known],
    edit: (_id: string, place: NewPlace) => Promise.resolve({ ...known, ...place }),
  }
  const saved = continueWhenSaved(places as unknown as Places, {
    snapshot: () => transferSnapshot(rows),
    failuresOf: (id) => (id === 'folder' ? [DENIED] : []),
    retry: async (ids, cause) => void asked.push(['retry', ids, cause]),
    rebucket: async (ids, to) => void asked.push(['rebucket', ids, to]),
  })
  await saved.edit('studio', { bucket } as NewPlace)
  return asked
}

it('lets go on what the settings of the place may have held up, and nothing else', async () => {
  const held = [
    failed('key', 'key-not-accepted'),
    failed('old', 'keys-expired'),
    waiting('host', 'network'),
    failed('folder', 'items-failed'),
  ]
  const others = [
    failed('gone', 'no-such-key'),
    failed('disk', 'disk-full'),
    failed('some', 'items-failed'),
    failed('elsewhere', 'key-not-accepted', { placeId: 'other' }),
    waiting('file', 'source-missing'),
    waiting('asked', 'server-busy'),
    transferRow({ id: 'paused', ...STUDIO, status: 'paused' }),
  ]
  expect(await save([...held, ...others], 'medai')).toEqual([
    ['rebucket', [], 'medai'],
    ['retry', ['key', 'old', 'host', 'folder'], 'place-edited'],
  ])
})

it('sends to the bucket that is named now what found none under the name before, if nothing is transferred', async () => {
  const rows = [
    failed('typo', 'no-such-bucket'),
    failed('begun', 'no-such-bucket', { confirmedBytes: 5 }),
    failed('other', 'no-such-bucket', { bucket: 'archive' }),
  ]
  expect(await save(rows, 'media')).toEqual([
    ['rebucket', ['typo'], 'media'],
    ['retry', ['begun', 'other'], 'place-edited'],
  ])
  expect(await save(rows, '')).toEqual([
    ['rebucket', [], ''],
    ['retry', ['typo', 'begun', 'other'], 'place-edited'],
  ])
})

it('says in the history of transfers that the app stopped them because their place was removed, or stays', async () => {
  const remove = async (outcome: Promise<void>) => {
    const asked: unknown[] = []
    const engine = {
      snapshot: () => transferSnapshot([transferRow({ id: 'moving', ...STUDIO, status: 'transferring' })]),
      pause: async (ids: unknown, cause?: string) => void asked.push(['pause', ids, cause]),
      resume: async (ids: unknown, cause?: string) => void asked.push(['resume', ids, cause]),
    }
    const { remove: removePlace } = stopWhenRemoved({ remove: () => outcome }, engine)
    const failure = await removePlace('studio').catch((error: Error) => error.message)
    return { failure, last: asked.at(-1), first: asked[0] }
  }
  const first = ['pause', ['moving'], 'place-removed']
  expect(await remove(Promise.resolve())).toEqual({ first, last: ['resume', ['moving'], 'place-removed'] })
  const failing = await remove(Promise.reject(new Error('disk full')))
  expect(failing).toEqual({ failure: 'disk full', first, last: ['resume', ['moving'], 'place-stays'] })
})

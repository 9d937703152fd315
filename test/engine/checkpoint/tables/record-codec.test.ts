import { expect, test } from 'vitest'
import { decodeTransfer } from '../../../../electron/engine/checkpoint/tables/record-codec.ts'
import { downloadRecord, folderRecord, uploadRecord } from '../../../support/fakes/records.ts'

function decoded(stored: object): unknown {
  const found = decodeTransfer(JSON.stringify(stored))
  return 'value' in found ? found.value : found.reason
}

test.each([
  ['canceled', { isCanceling: true, startsOver: false }, 'cancel'],
  ['had start over', { startsOver: true }, 'start-over'],
  ['canceled, and then had start over', { isCanceling: true, startsOver: true }, 'start-over'],
  ['had start over, as it is written now', { isCanceling: true, givenUp: 'start-over' }, 'start-over'],
])('a record of a transfer that a person %s says so, whichever version wrote it', (_, marks, givenUp) => {
  for (const record of [uploadRecord(), downloadRecord(), folderRecord()]) {
    expect(decoded({ ...record, ...marks })).toEqual({ ...record, givenUp })
  }
})

test.each([
  ['has ended', { isCanceling: false, startsOver: false }, {}],
  ['has ended since a newer version reads it', { isCanceling: true, givenUp: null }, { givenUp: null }],
])('a record in which what was given up %s is one that goes on', (_, marks, members) => {
  const record = uploadRecord()
  expect(decoded({ ...record, ...marks })).toEqual({ ...record, ...members })
})

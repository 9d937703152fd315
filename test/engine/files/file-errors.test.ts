import { describe, expect, test } from 'vitest'
import { classify } from '../../../electron/engine/retry/classify.ts'
import { errnoFacts } from '../../support/fakes/simulated-disk.ts'
import { guardOf, targetFailure } from '../../../electron/engine/files/file-errors.ts'
import { describeError } from '../../../shared/transfer/words/error-words.ts'
import type { TransferErrorInfo } from '../../../shared/transfer/transfer-error.ts'

const context = { name: 'film.mov', placeName: 'Studio', bucket: 'b', localPath: '/Users/a/Desktop/film.mov' }

function words(code: 'source-unreadable' | 'target-unwritable', facts: Pick<TransferErrorInfo, 'guard'>): string {
  const error = { code, detail: '', serviceCode: null, httpStatus: null, requestId: null, ...facts }
  return describeError(error, context).sentence
}

describe('a folder that the system keeps apps out of', () => {
  test('is named with the setting of macOS, for reading and writing', () => {
    const guard = guardOf('EPERM', 'darwin')
    expect(words('target-unwritable', guard)).toBe(
      'macOS doesn’t let Sluice write to the folder of film.mov. ' +
        'Allow it in System Settings > Privacy & Security > Files and Folders.',
    )
    expect(words('source-unreadable', guard)).toContain('read film.mov. Allow it in System Settings')
  })

  test.each(['EPERM', 'EACCES'])('is named with the one of Windows for %s', (code) => {
    expect(words('target-unwritable', guardOf(code, 'win32'))).toContain('Controlled folder access')
  })

  test.each([
    ['EACCES', 'darwin'],
    ['EPERM', 'linux'],
    ['EBUSY', 'win32'],
  ] as const)('is not what %s means on %s', (code, platform) => {
    expect(words('target-unwritable', guardOf(code, platform))).toBe('Can’t write to the folder of film.mov.')
  })
})

test.each(['ENOSPC', 'EDQUOT'])('a full disk is waited out, not told as a refusal (%s)', (code) => {
  const full = Object.assign(new Error('full'), errnoFacts(code))
  expect(targetFailure(full, '/a')).toBe(full)
  expect(classify(full)).toMatchObject({ kind: 'wait', reason: 'disk-full' })
})

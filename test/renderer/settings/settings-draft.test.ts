import { expect, test } from 'vitest'
import { draftOf, parseDraft } from '../../../renderer/settings/settings-draft.ts'
import { DEFAULT_SETTINGS } from '../../../shared/settings.ts'

test('settings survive being shown and saved', () => {
  const settings = {
    ...DEFAULT_SETTINGS,
    limitBytesPerSecond: 2_500_000,
    uploadLimitBytesPerSecond: 500_000,
    downloadsFolder: '/data',
  }
  const parsed = parseDraft(draftOf(settings))
  expect({ ...DEFAULT_SETTINGS, ...parsed.settings }).toEqual(settings)
  expect(parsed.errors).toEqual({})
  expect(DEFAULT_SETTINGS).toMatchObject(parseDraft(draftOf(DEFAULT_SETTINGS)).settings ?? { none: true })
})

test('what can’t be used is named at its field', () => {
  const draft = { ...draftOf(DEFAULT_SETTINGS), activeTransfers: '17', limit: 'fast', downloadLimit: '-1' }
  expect(parseDraft(draft)).toEqual({
    settings: null,
    errors: {
      activeTransfers: 'A whole number from 1 to 16',
      limit: 'A number such as 0.5 or 20',
      downloadLimit: 'A number such as 0.5 or 20',
    },
  })
  expect(parseDraft({ ...draftOf(DEFAULT_SETTINGS), limit: '0' }).settings).toBeNull()
  expect(parseDraft({ ...draftOf(DEFAULT_SETTINGS), connectionsPerTransfer: '65' }).settings).toBeNull()
})

test('connections are automatic until a number is given', () => {
  expect(DEFAULT_SETTINGS.connectionsPerTransfer).toBeNull()
  const given = { ...draftOf(DEFAULT_SETTINGS), connectionsPerTransfer: ' 12 ' }
  expect(parseDraft(given).settings?.connectionsPerTransfer).toBe(12)
  expect(parseDraft({ ...given, connectionsPerTransfer: ' ' }).settings?.connectionsPerTransfer).toBeNull()
})

import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { request } from '../../../renderer/bridge.ts'
import { dismissWhenOver } from '../../../renderer/state/notice-condition.ts'
import { isInSheet, run, showNotice, showRefusals } from '../../../renderer/state/ui/messages.ts'
import { closeDialog, openDialog } from '../../../renderer/state/ui/open-dialogs.ts'
import { uiStore } from '../../../renderer/state/ui/ui-store.ts'
import { languageOf } from '../../../shared/language/languages.ts'
import { message } from '../../../shared/language/message.ts'
import { setLanguage } from '../../../shared/language/translate.ts'
import type { Refusal } from '../../../shared/transfer/words/error-words.ts'
import { beginWithFreshUi } from '../fresh-ui.ts'

beginWithFreshUi()
afterEach(() => {
  setLanguage(languageOf('en'))
  vi.unstubAllGlobals()
})

const GONE = {
  code: 'no-such-bucket',
  detail: '',
  serviceCode: 'NoSuchBucket',
  httpStatus: 404,
  requestId: null,
} as const
const CONTEXT = { name: '', placeName: 'Studio', bucket: 'media', localPath: '' }

it.each<[Refusal, string, string]>([
  [message('services.place.removed'), 'This place was removed.', '此位置已移除。'],
  [{ error: GONE, context: CONTEXT }, 'There is no bucket named media.', '没有名为“media”的存储桶。'],
])('a notice that is there is said in the language that is chosen meanwhile', async (why, english, chinese) => {
  const reply = { ok: false, error: { code: 'failed', message: why } }
  vi.stubGlobal('window', { sluice: { invoke: () => Promise.resolve(reply) } })
  run(request('app:info', null))
  await expect.poll(() => uiStore.getState().notice?.()).toBe(english)
  setLanguage(languageOf('zh-CN'))
  expect(uiStore.getState().notice?.()).toBe(chinese)
})

it('a notice is shown by the sheet that was open when it came, and by the window after that', () => {
  const isShownBySheet = () => isInSheet(uiStore.getState())
  openDialog({ kind: 'shortcuts' })
  showNotice(() => 'Not saved.')
  expect(isShownBySheet()).toBe(true)
  closeDialog()
  expect(isShownBySheet()).toBe(false)
  openDialog({ kind: 'shortcuts' })
  expect(isShownBySheet()).toBe(false)
})

it('looks at a full disk again while its notice is shown, and only then', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let canSave = false
  const invoke = vi.fn((_name: string) => Promise.resolve({ ok: true, value: canSave }))
  vi.stubGlobal('window', { sluice: { invoke } })
  dismissWhenOver()
  await vi.advanceTimersByTimeAsync(60_000)
  showNotice(() => 'Something else.')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(invoke).not.toHaveBeenCalled()
  showRefusals([message('services.request.not-saved')])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(invoke).toHaveBeenCalledWith('app:can-save', null)
  expect(uiStore.getState().notice?.()).toContain('is full or read-only')
  canSave = true
  await vi.advanceTimersByTimeAsync(60_000)
  expect(uiStore.getState().notice).toBe(null)
  invoke.mockClear()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(invoke).not.toHaveBeenCalled()
})

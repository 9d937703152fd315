import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { perform } from '../../../../renderer/actions/transfer-actions.ts'
import { resetQueue } from '../../../../renderer/state/queue/queue-store.ts'
import { uiStore } from '../../../../renderer/state/ui/ui-store.ts'
import { beginWithFreshUi } from '../../fresh-ui.ts'
import { makeRow, noTotals } from '../../rows.ts'

let asked: string[] = []
let missing: ReadonlySet<string> = new Set()

beginWithFreshUi()
beforeEach(() => {
  asked = []
  missing = new Set()
  const invoke = (name: string, { id }: { readonly id: string }) => {
    asked.push(`${name} ${id}`)
    const error = { code: 'failed', message: `${id} is gone.` }
    return Promise.resolve(missing.has(id) ? { ok: false, error } : { ok: true, value: null })
  }
  vi.stubGlobal('window', { sluice: { invoke } })
})
afterEach(() => {
  resetQueue({ seq: 0, rows: [], totals: noTotals })
  vi.unstubAllGlobals()
})

function list(paths: readonly string[]): readonly string[] {
  const rows = paths.map((localPath, index) => makeRow({ id: `${index}`, localPath, status: 'completed' }))
  resetQueue({ seq: 0, rows, totals: noTotals })
  return rows.map(({ id }) => id)
}

const many = (count: number) => Array.from({ length: count }, (_, index) => `/files/${index}/a.mov`)
const notice = () => uiStore.getState().notice?.()

it('shows each folder once, however many of its files are selected', async () => {
  perform('reveal', list(['/a/1', '/a/2', '/b/3', 'C:\\c\\4', 'C:\\c\\5']))
  await expect.poll(() => asked).toEqual(['shell:reveal 0', 'shell:reveal 2', 'shell:reveal 3'])
})

it('shows a folder by another file where one is missing', async () => {
  missing = new Set(['0'])
  perform('reveal', list(['/a/1', '/a/2']))
  await expect.poll(() => asked).toEqual(['shell:reveal 0', 'shell:reveal 1'])
  expect(notice()).toBeUndefined()
})

it.each([
  ['open', 'Open 11 files?'],
  ['reveal', 'Show 11 folders?'],
] as const)('%s asks before very many windows open', async (action, title) => {
  perform(action, list(many(11)))
  expect([asked, uiStore.getState().question?.title]).toEqual([[], title])
  uiStore.getState().question?.onConfirm()
  await expect.poll(() => asked).toHaveLength(11)
})

it('opens the others where some are missing, and says how many could not be', async () => {
  missing = new Set(['0', '2'])
  perform('open', list(many(4)))
  await expect.poll(notice).toBe('2 of 4 files couldn’t be opened. 0 is gone.')
  expect(asked).toHaveLength(4)
})

it('says of a single file why it can’t be opened', async () => {
  missing = new Set(['0'])
  perform('open', list(many(1)))
  await expect.poll(notice).toBe('0 is gone.')
})

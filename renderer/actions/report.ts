// Shared by several actions: queueing downloads, copying text, saying what was skipped.

import { assertNever } from '../../shared/assert.ts'
import type { EnqueueDownloads, EnqueueResult } from '../../shared/ipc/ipc-contract.ts'
import { worded } from '../../shared/language/message.ts'
import { ended, sentences } from '../../shared/language/sentences.ts'
import { t } from '../../shared/language/translate.ts'
import { request } from '../bridge.ts'
import { addTogether } from '../state/queue/adding.ts'
import { revealRows } from '../state/ui/row-selection.ts'
import { run, showToast } from '../state/ui/messages.ts'
import { uiStore, type ToastAction } from '../state/ui/ui-store.ts'

/** @returns how many downloads were added. Throws RequestError, so that the sheet can stay open and say why. */
export async function download(downloads: EnqueueDownloads): Promise<number> {
  const result = await request('downloads:enqueue', downloads)
  reportSkipped(result)
  return result.added
}

/** Queues downloads of several sources, one after another, as one batch. Throws RequestError if one is refused. */
export function downloadTogether(all: readonly EnqueueDownloads[]): Promise<void> {
  return addTogether(async () => {
    for (const downloads of all) await download(downloads)
  })
}

export function copyText(text: string, said: () => string): void {
  run(
    request('clipboard:write', { text }).then(() => {
      showToast(said)
    }),
  )
}

/** Copies a value that a list shows beside its name. */
export function copyFact(label: () => string, value: string): void {
  copyText(value, () => t('window.fact-copied', { label: label() }))
}

export function reportSkipped(result: EnqueueResult): void {
  const [first, ...others] = result.skipped
  if (first !== undefined) tellOf(result, () => withOthers(worded(first), others.length))
}

/** Says what became of a request. Offers to show its rows; if nothing was added and the list is open, shows them. */
export function tellOf({ added, ids = [], copies }: EnqueueResult, sentence: () => string): void {
  if (ids.length === 0) return showToast(sentence)
  if (added === 0 && uiStore.getState().view === 'queue') revealRows(ids)
  const show = { label: () => t('commands.show'), onPress: () => revealRows(ids) }
  showToast(sentence, copies === undefined ? [show] : [show, copyAction(copies)])
}

function copyAction(copies: EnqueueDownloads): ToastAction {
  const count = countOf(copies.source)
  return {
    label: () => t('commands.download-copies', { count }),
    onPress: () => run(download(copies).then(tellOfAdded)),
  }
}

/** Says how many downloads were added, unless the list of transfers is open, where they can be seen. */
export function tellOfAdded(count: number): void {
  if (count > 0 && uiStore.getState().view === 'browse') sayAdded(() => t('commands.downloads-added', { count }))
}

/** The message about what was added last: there is one, because its rows are those that are selected. */
const ADDED = 'added'

/** Says that rows were added out of sight, and offers to show them. They are selected as they arrive. */
export function sayAdded(sentence: () => string): void {
  const show = { label: () => t('commands.show'), onPress: () => revealRows([...uiStore.getState().selection]) }
  showToast(sentence, [show], ADDED)
}

function countOf(source: EnqueueDownloads['source']): number {
  switch (source.kind) {
    case 'objects':
      return source.keys.length
    case 'folders':
      return source.prefixes.length
    case 'links':
      return source.urls.length
    default:
      return assertNever(source)
  }
}

export function withOthers(sentence: string, others: number): string {
  return sentences([ended(sentence), others === 0 ? '' : t('commands.say.more', { count: others })])
}

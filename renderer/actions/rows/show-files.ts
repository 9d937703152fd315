// Shows local files in their folders, or has the system open them.

import { t } from '../../../shared/language/translate.ts'
import type { TransferId } from '../../../shared/transfer/transfer.ts'
import { request } from '../../bridge.ts'
import { liveRow } from '../../state/queue/queue-store.ts'
import { ask } from '../../state/ui/open-dialogs.ts'
import { run, showNotice } from '../../state/ui/messages.ts'
import { formatCount } from '../../words/format.ts'
import { splitPath } from './local-path.ts'

/** How many windows of other apps may be opened without asking. */
const MOST_UNASKED = 10

/** Shows files in their folders, each folder once, by the first of its files that exists. */
export function showInFolders(ids: readonly TransferId[]): void {
  const byFolder = new Map<string, TransferId[]>()
  for (const id of ids) {
    const { folder } = splitPath(liveRow(id)?.localPath ?? '')
    const inOne = byFolder.get(folder)
    if (inOne === undefined) byFolder.set(folder, [id])
    else inOne.push(id)
  }
  openOrAsk('reveal', [...byFolder.values()], (inOne) => firstOf(inOne, (id) => request('shell:reveal', { id })))
}

export function openFiles(ids: readonly TransferId[]): void {
  openOrAsk('open', ids, (id) => request('shell:open', { id }))
}

function openOrAsk<T>(action: 'open' | 'reveal', targets: readonly T[], open: (target: T) => Promise<unknown>): void {
  const { length: count } = targets
  const openAll = (): void => run(openEach(action, targets, open))
  if (count <= MOST_UNASKED) return openAll()
  ask({
    title: t(`commands.${action}.title`, { count }),
    body: t(`commands.${action}.consequence`),
    safeLabel: t('common.cancel'),
    confirmLabel: t(`commands.${action}.confirm`),
    onConfirm: openAll,
  })
}

/** Opens as many as possible, one after another. Says why the first failed, and for several how many did. */
async function openEach<T>(
  action: 'open' | 'reveal',
  targets: readonly T[],
  open: (target: T) => Promise<unknown>,
): Promise<void> {
  const failures: Error[] = []
  for (const target of targets) await open(target).catch((failure: Error) => failures.push(failure))
  const [first] = failures
  if (first === undefined) return
  if (targets.length === 1) throw first
  const failed = formatCount(failures.length)
  showNotice(() => t(`commands.${action}.failed`, { failed, count: targets.length, reason: first.message }))
}

/** Shows the first that can be shown. Throws the first failure if none can. */
async function firstOf(ids: readonly TransferId[], show: (id: TransferId) => Promise<unknown>): Promise<void> {
  let first: Error | null = null
  for (const id of ids) {
    const failure = await show(id).then(
      () => null,
      (reason: Error) => reason,
    )
    if (failure === null) return
    first ??= failure
  }
  if (first !== null) throw first
}

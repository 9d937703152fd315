// What the app's icon and the Dock beside it show of the queue: a progress bar, a badge, finished downloads.

import type { BaseWindow } from 'electron'
import type { QueueTotals, TransferDelta } from '../../shared/transfer/transfer-delta.ts'
import { isFinishedFile, type TransferId, type TransferRow } from '../../shared/transfer/transfer.ts'

/** A value for the taskbar: a share from 0 to 1, or null for none. */
export interface TaskbarProgress {
  readonly share: number | null
  readonly mode: 'normal' | 'paused' | 'error'
}

/** Turns totals into progress since the queue last ran dry: the bytes left, relative to the most there have been. */
export function createProgressKeeper(): (totals: QueueTotals) => TaskbarProgress {
  let mostBytes = 0
  return ({ counts, remainingBytes }) => {
    mostBytes = remainingBytes === 0 ? 0 : Math.max(mostBytes, remainingBytes)
    const share = mostBytes === 0 ? null : 1 - remainingBytes / mostBytes
    if (counts.active > 0) return { share, mode: 'normal' }
    if (counts.waiting + counts.paused > 0) return { share, mode: 'paused' }
    return counts.attention > 0 ? { share: 1, mode: 'error' } : { share: null, mode: 'normal' }
  }
}

/** What the app's icon shows besides the bar. */
export interface IconSigns {
  /** Shows how many transfers need a person, where the desktop has a badge (macOS, some Linux desktops). */
  readonly showCount: (count: number) => void
  /** One more transfer needs a person: the icon bounces once where it can (macOS). */
  readonly callAttention: () => void
}

const NO_BAR = 'none'

const NO_SIGNS: IconSigns = { showCount: () => undefined, callAttention: () => undefined }

function createBadge({ showCount, callAttention }: IconSigns): (totals: QueueTotals) => void {
  let shown = 0
  let isFirst = true
  return ({ counts: { attention } }) => {
    // Transfers left from the last run are not news.
    if (attention > shown && !isFirst) callAttention()
    isFirst = false
    if (attention === shown) return
    shown = attention
    showCount(attention)
  }
}

/** Whatever has a progress bar on the app's icon: any window, shown or not. */
export type IconBar = Pick<BaseWindow, 'setProgressBar'>

/**
 * Returns the window, or a stand-in when there is none: macOS draws the bar of any window on the one icon in the Dock,
 * and leaves a closed window's last bar there. `createHidden` creates a window that is never shown.
 */
export function barOn(
  platform: NodeJS.Platform,
  window: () => IconBar | null,
  createHidden: () => IconBar,
): () => IconBar | null {
  let hidden: IconBar | null = null
  return () => window() ?? (platform === 'darwin' ? (hidden ??= createHidden()) : null)
}

/** Shows the queue's progress on the app's icon in the taskbar or Dock, and its badge, where the desktop has them. */
export function createTaskbar(bar: () => IconBar | null, signs: IconSigns = NO_SIGNS): (totals: QueueTotals) => void {
  const progressOf = createProgressKeeper()
  const showBadge = createBadge(signs)
  let shown = NO_BAR
  /** A newly opened window has no bar yet. */
  let shownOn: IconBar | null = null
  return (totals) => {
    showBadge(totals)
    const { share, mode } = progressOf(totals)
    // -1 removes the bar. Whole percents: the taskbar can't show more, and each change costs a call.
    const value = share === null ? -1 : Math.round(share * 100) / 100
    const wanted = share === null ? NO_BAR : `${value} ${mode}`
    if (wanted === NO_BAR && shown === NO_BAR) return
    const current = bar()
    if (current === null || (current === shownOn && shown === wanted)) return
    shown = wanted
    shownOn = current
    current.setProgressBar(value, { mode })
  }
}

/** Tells the Dock of each finished download: if its folder is in the Dock, the folder bounces once (macOS). */
export function createFolderSign(
  rowOf: (id: TransferId) => TransferRow | null,
  show: (path: string) => void,
): (delta: Pick<TransferDelta, 'patched'>) => void {
  return ({ patched }) => {
    for (const { id, status } of patched) {
      const row = status === 'completed' ? rowOf(id) : null
      if (row !== null && isFinishedFile(row) && row.direction === 'download') show(row.localPath)
    }
  }
}

// What several actions have in common: queueing downloads, copying text, saying what was skipped.

import type { EnqueueDownloads, EnqueueResult } from '../../shared/ipc/ipc-contract.ts'
import { request } from '../bridge.ts'
import { run, showToast } from '../state/ui-store.ts'

/** @returns how many were added. Throws RequestError, so that the sheet can stay open and say why. */
export async function download(downloads: EnqueueDownloads): Promise<number> {
  const result = await request('downloads:enqueue', downloads)
  reportSkipped(result)
  return result.added
}

export function copyText(text: string, said: string): void {
  run(
    request('clipboard:write', { text }).then(() => {
      showToast(said)
    }),
  )
}

export function reportSkipped({ skipped }: EnqueueResult): void {
  const [first] = skipped
  if (first !== undefined) showToast(withOthers(first, skipped.length - 1))
}

export function withOthers(sentence: string, others: number): string {
  const ended = /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`
  return others === 0 ? ended : `${ended} And ${String(others)} more like it.`
}

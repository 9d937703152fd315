import { showNotice } from './ui-store.ts'

/** Lets a request go its way and says when it was refused, so that callers have nothing to await. */
export function run(pending: Promise<unknown>): void {
  pending.catch((error: unknown) => {
    showNotice(error instanceof Error ? error.message : 'Something went wrong in the app.')
  })
}

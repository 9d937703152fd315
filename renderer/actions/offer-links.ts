import { listen, request } from '../bridge.ts'
import { openDialog, run, uiStore } from '../state/ui-store.ts'
import { linksIn } from './resolve-links.ts'

/** Links that wait for the sheet that is open to be closed. */
let waiting: readonly string[] = []

/** Opens the sheet for links that came from outside; one that is open is not taken from a person's hands. */
export function offerLinks(links: readonly string[]): void {
  const isAwaited = waiting.length > 0
  waiting = [...new Set([...waiting, ...links])]
  if (waiting.length === 0 || isAwaited || showLinks()) return
  const stop = uiStore.subscribe(() => {
    if (showLinks()) stop()
  })
}

/** @returns false while another sheet is open. */
function showLinks(): boolean {
  if (uiStore.getState().dialog.kind !== 'none') return false
  const links = waiting
  waiting = []
  openDialog({ kind: 'links', links })
  return true
}

/** Takes links that the system opens the app with, and those that are dropped. */
export function connectLinks(): void {
  const take = (): void => run(request('links:take', null).then(offerLinks))
  listen('links:arrived', take)
  take()
  window.addEventListener('dragover', (event) => {
    if (!carriesLinks(event) || event.dataTransfer === null) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
  })
  window.addEventListener('drop', (event) => {
    if (!carriesLinks(event)) return
    event.preventDefault()
    offerLinks(linksIn(event.dataTransfer?.getData('text/uri-list') ?? ''))
  })
}

/** A link out of a browser; a file manager gives files, which are uploaded. */
function carriesLinks({ dataTransfer }: DragEvent): boolean {
  const types = dataTransfer?.types ?? []
  return types.includes('text/uri-list') && !types.includes('Files')
}

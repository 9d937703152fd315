import { listen, request } from '../bridge.ts'
import { run } from '../state/run.ts'
import { openDialog, uiStore } from '../state/ui-store.ts'
import { linksIn } from './find-places.ts'

/** Opens the sheet for links that came from outside; one that is open is not taken from a person's hands. */
export function offerLinks(links: readonly string[]): void {
  if (links.length === 0) return
  if (uiStore.getState().dialog.kind === 'none') return openDialog({ kind: 'links', links })
  const stop = uiStore.subscribe(({ dialog }) => {
    if (dialog.kind !== 'none') return
    stop()
    openDialog({ kind: 'links', links })
  })
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

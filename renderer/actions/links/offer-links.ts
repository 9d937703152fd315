import type { IpcResponse } from '../../../shared/ipc/ipc-contract.ts'
import { t } from '../../../shared/language/translate.ts'
import { sourceLines } from '../../../shared/place/links.ts'
import { listen, request } from '../../bridge.ts'
import { hasSheet, openDialog } from '../../state/ui/open-dialogs.ts'
import { run, showNotice } from '../../state/ui/messages.ts'
import { uiStore } from '../../state/ui/ui-store.ts'
import type { LinksLeftOut } from '../../state/ui/dialog.ts'
import { withOthers } from '../report.ts'
import { askToUpload } from '../upload-actions.ts'
import { linksIn } from './resolve-links.ts'

/** What waits until the open sheet is closed. */
let waiting: Offered = { links: [], files: [], noLinks: 0, tooMany: 0 }

interface Offered extends Required<LinksLeftOut> {
  readonly links: readonly string[]
  readonly files: readonly string[]
}

/** Opens the sheet for links from outside, once no other sheet is open. */
export function offerLinks({ links, leftOut }: IpcResponse<'links:take'>): void {
  offer({ links, tooMany: leftOut })
}

/** Opens it for the links in a pasted or dropped text, and says how many lines are none. Ignores text without links. */
export function offerLinksIn(text: string): void {
  const links = linksIn(text)
  if (links.length === 0) return
  offer({ links, noLinks: sourceLines(text).length - links.length })
}

/** Opens the sheet to upload files that the app was opened with, and says which of them don't exist. */
export function offerFiles({ paths, missing }: IpcResponse<'files:take'>): void {
  const [first] = missing
  if (first !== undefined) {
    showNotice(() => withOthers(t('commands.opened-with.missing', { path: first }), missing.length - 1))
  }
  offer({ files: paths })
}

function offer({ links = [], files = [], noLinks = 0, tooMany = 0 }: Partial<Offered>): void {
  const isAwaited = isAnyWaiting()
  waiting = {
    links: [...new Set([...waiting.links, ...links])],
    files: [...new Set([...waiting.files, ...files])],
    noLinks: waiting.noLinks + noLinks,
    tooMany: waiting.tooMany + tooMany,
  }
  if (!isAnyWaiting() || isAwaited || showNext()) return
  const stop = uiStore.subscribe(() => {
    if (showNext()) stop()
  })
}

const isAnyWaiting = (): boolean => waiting.links.length + waiting.files.length > 0

/** Shows one sheet at a time. @returns false while there is more to show than may be shown now. */
function showNext(): boolean {
  if (hasSheet(uiStore.getState())) return false
  const { links, files, noLinks, tooMany } = waiting
  waiting = { links: [], files: links.length > 0 ? files : [], noLinks: 0, tooMany: 0 }
  if (links.length > 0) openDialog({ kind: 'links', links, leftOut: { noLinks, tooMany } })
  else askToUpload(files)
  return !isAnyWaiting()
}

/** Takes links and files that the system opens the app with, and links that are dropped. */
export function connectLinks(): void {
  const take = (): void => {
    run(request('links:take', null).then(offerLinks))
    run(request('files:take', null).then(offerFiles))
  }
  listen('links:arrived', take)
  take()
  for (const type of ['dragenter', 'dragover'] as const) {
    window.addEventListener(type, (event) => {
      if (!carriesLinks(event) || event.dataTransfer === null) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
    })
  }
  window.addEventListener('drop', (event) => {
    if (!carriesLinks(event)) return
    event.preventDefault()
    offerLinksIn(event.dataTransfer?.getData('text/uri-list') ?? '')
  })
}

/** Whether a drag carries links from a browser. A file manager's drag carries files, which are uploaded. */
function carriesLinks({ dataTransfer }: DragEvent): boolean {
  const types = dataTransfer?.types ?? []
  return types.includes('text/uri-list') && !types.includes('Files')
}

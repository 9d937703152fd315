// Takes away from pages what they don't need: navigation, new windows, permissions, requests to elsewhere.

import type { Session, WebContents } from 'electron'

/** Our page and what it loads; the developer tools' own pages only where they can be opened. */
export function lockDownSession(session: Session, options: { readonly allowDevTools: boolean }): void {
  session.setPermissionRequestHandler((_contents, _permission, decide) => decide(false))
  session.setPermissionCheckHandler(() => false)
  session.setDevicePermissionHandler(() => false)
  session.on('will-download', (event) => event.preventDefault())
  const allowed = options.allowDevTools ? ['app:', 'devtools:'] : ['app:']
  session.webRequest.onBeforeRequest((details, decide) => decide({ cancel: !hasScheme(details.url, allowed) }))
}

/** A page stays where it is and opens nothing; it may only load itself anew. */
export function lockDownContents(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame || event.url !== contents.getURL()) event.preventDefault()
  })
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
}

function hasScheme(url: string, schemes: readonly string[]): boolean {
  return URL.canParse(url) && schemes.includes(new URL(url).protocol)
}

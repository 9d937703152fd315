// Takes away from pages what they don't need: navigation, new windows, permissions, requests to other places.

import type { Session, WebContents } from 'electron'

/** Allows our page and what it loads; also the developer tools' own pages where these can be opened. */
export function lockDownSession(session: Session, options: { readonly allowDevTools: boolean }): void {
  session.setPermissionRequestHandler((_contents, _permission, decide) => decide(false))
  session.setPermissionCheckHandler(() => false)
  session.setDevicePermissionHandler(() => false)
  session.on('will-download', (event) => event.preventDefault())
  const allowed = options.allowDevTools ? ['app:', 'devtools:'] : ['app:']
  session.webRequest.onBeforeRequest((details, decide) => decide({ cancel: !hasScheme(details.url, allowed) }))
}

/** Keeps a page where it is; it opens nothing and may only reload itself. */
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

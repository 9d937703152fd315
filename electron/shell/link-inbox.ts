import { app } from 'electron'
import { MAX_LINK_CHARS } from '../../shared/place/links.ts'

/** More at a time is not meant by a person. */
const MAX_LINKS = 20

/** Links that the system opened the app with, until the window takes them. */
export interface LinkInbox {
  readonly add: (given: readonly string[]) => void
  readonly take: () => readonly string[]
  /** Called when there are new ones. */
  readonly follow: (onArrived: () => void) => void
}

/** `argv` is of this launch. Must be there before the app is ready: macOS tells the first address early. */
export function createLinkInbox(argv: readonly string[]): LinkInbox {
  let waiting = linksAmong(argv)
  let tell = (): void => undefined

  function add(given: readonly string[]): void {
    const links = linksAmong(given)
    if (links.length === 0) return
    waiting = [...new Set([...waiting, ...links])].slice(0, MAX_LINKS)
    tell()
  }

  // Elsewhere the package itself says so.
  if (app.isPackaged && process.platform === 'win32') app.setAsDefaultProtocolClient('sluice')
  app.on('open-url', (event, url) => {
    event.preventDefault()
    add([url])
  })
  return {
    add,
    take: () => {
      const taken = waiting
      waiting = []
      return taken
    },
    follow: (onArrived) => (tell = onArrived),
  }
}

/** The system gives the app one kind of link; whatever else a launch is given is left alone. */
export function linksAmong(given: readonly string[]): readonly string[] {
  return given.filter((text) => /^sluice:\/\//i.test(text) && text.length <= MAX_LINK_CHARS).slice(0, MAX_LINKS)
}

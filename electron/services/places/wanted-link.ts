import { safeFileName, type NameRules, type StoreLocation } from '../../engine/index.ts'
import { percentDecoded } from '../../../shared/place/percent-decoded.ts'
import { shownLink, type LinkLocation } from './link-sign-ins.ts'

/** An object to download, and the name that its file would have in the folder. */
export interface WantedFile {
  readonly location: StoreLocation
  readonly key: string
  readonly name: string
}

/** The file behind a link. Its key is what rows show. */
export function wantedLink(location: LinkLocation, rules?: NameRules): WantedFile {
  const { pathname } = new URL(location.url)
  const lastSegment = pathname.slice(pathname.lastIndexOf('/') + 1)
  return {
    location,
    key: shownLink(location.url),
    name: lastSegment === '' ? 'download' : safeFileName(percentDecoded(lastSegment) ?? lastSegment, rules),
  }
}

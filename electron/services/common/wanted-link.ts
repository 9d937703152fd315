import { safeFileName, type StoreLocation } from '../../engine/index.ts'

/** What to download, and the name it would have in the folder. */
export interface WantedFile {
  readonly location: StoreLocation
  readonly key: string
  readonly name: string
}

/** The key of a link leaves its query out: that is often a signature, and the key is shown. */
export function wantedLink(url: string): WantedFile {
  const { origin, pathname } = new URL(url)
  const lastSegment = pathname.slice(pathname.lastIndexOf('/') + 1)
  return {
    location: { kind: 'link', url },
    key: origin + pathname,
    name: lastSegment === '' ? 'download' : safeFileName(decoded(lastSegment)),
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

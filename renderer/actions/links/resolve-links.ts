// Finds the place that a pasted link belongs to.

import type { LinkTarget } from '../../../shared/ipc/link-requests.ts'
import type { MessageKey } from '../../../shared/language/english.ts'
import { message, type Message } from '../../../shared/language/message.ts'
import { parseLink, sourceLines } from '../../../shared/place/links.ts'
import type { Place } from '../../../shared/place/place.ts'

/** What a link turned out to be. */
export type Resolved =
  | { readonly kind: 'target'; readonly target: LinkTarget; readonly places: readonly Place[] }
  /** Everything under a prefix. */
  | { readonly kind: 'folder'; readonly bucket: string; readonly prefix: string; readonly places: readonly Place[] }
  | { readonly kind: 'no-place'; readonly bucket: string; readonly key: string }
  | { readonly kind: 'refused'; readonly reason: Message }

/**
 * Finds the places that have a link's bucket; a place that spans all buckets of its key may have it. `placeId` is the
 * person's choice if there are several. A text that isn't a link names a file in `home`, or a folder if it ends in `/`.
 * Pure.
 */
export function resolveLink(
  text: string,
  places: readonly Place[],
  placeId: string | null,
  home: Place | null = null,
): Resolved {
  const link = parseLink(text)
  if (link === null) return home === null ? refused('commands.link.no-link') : resolveName(text, home)
  if (link.kind === 'refused')
    return { kind: 'refused', reason: message(`commands.link.${link.fault}`, { what: link.what }) }
  if (link.kind === 'link') return { kind: 'target', target: link, places: [] }
  const { bucket, key } = link
  if (key === '') return refused('commands.link.no-file')
  const named = places.filter((place) => place.bucket === bucket)
  const fitting = named.length > 0 ? named : places.filter((place) => place.bucket === '')
  const place = fitting.find(({ id }) => id === placeId) ?? fitting[0]
  if (place === undefined) return { kind: 'no-place', bucket, key }
  const ordered = [place, ...fitting.filter((each) => each !== place)]
  if (key.endsWith('/')) return { kind: 'folder', bucket, prefix: key, places: ordered }
  return { kind: 'target', target: { kind: 'object', placeId: place.id, bucket, key }, places: ordered }
}

function refused(reason: MessageKey): Resolved {
  return { kind: 'refused', reason: message(reason) }
}

function resolveName(key: string, home: Place): Resolved {
  const { id: placeId, bucket } = home
  if (key.endsWith('/')) return { kind: 'folder', bucket, prefix: key, places: [home] }
  return { kind: 'target', target: { kind: 'object', placeId, bucket, key }, places: [home] }
}

/** The lines of a text that are links. Pure. */
export function linksIn(text: string): readonly string[] {
  return sourceLines(text).filter((line) => parseLink(line) !== null)
}

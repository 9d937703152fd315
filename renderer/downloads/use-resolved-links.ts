import { useMemo } from 'react'
import type { LinkFacts } from '../../shared/ipc/link-requests.ts'
import type { Place, PlaceId } from '../../shared/place/place.ts'
import { resolveLink, type Resolved } from '../actions/links/resolve-links.ts'
import { useApp } from '../state/app-store.ts'
import { targetName, useLinkFacts } from './use-link-facts.ts'

/** Resolves each line, with what its server says, and finds those that can be downloaded. */
export function useResolvedLinks(links: readonly string[], placeId: PlaceId | null, home: Place | null) {
  const places = useApp((state) => state.places)
  const resolved = useMemo(
    () => links.map((link) => resolveLink(link, places, placeId, home)),
    [links, places, placeId, home],
  )
  const targets = useMemo(() => resolved.flatMap((each) => (each.kind === 'target' ? [each.target] : [])), [resolved])
  const { facts, askAgain } = useLinkFacts(targets)
  const factsOf = (each: Resolved | undefined): LinkFacts | undefined =>
    each?.kind === 'target' ? facts.get(targetName(each.target)) : undefined
  const wanted = resolved.filter((each) => factsOf(each)?.mayPass === true || each.kind === 'folder')
  const isLeftOut = (each: Resolved | undefined): boolean =>
    each?.kind === 'target' ? factsOf(each)?.mayPass === false : each !== undefined && each.kind !== 'folder'
  return {
    resolved,
    wanted,
    isLeftOut,
    factsOf,
    askAgain,
    isAsking: targets.some((target) => !facts.has(targetName(target))),
    sizeBytes: wanted.reduce((sum, each) => sum + (factsOf(each)?.sizeBytes ?? 0), 0),
  }
}

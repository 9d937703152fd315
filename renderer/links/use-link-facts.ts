import { useEffect, useRef, useState } from 'react'
import type { LinkFacts, LinkTarget } from '../../shared/link-requests.ts'
import { request } from '../bridge.ts'

/** What servers say of what links lead to, by `targetName`; those not there yet are being asked. */
export function useLinkFacts(targets: readonly LinkTarget[]): ReadonlyMap<string, LinkFacts> {
  const [facts, setFacts] = useState<ReadonlyMap<string, LinkFacts>>(new Map())
  const asked = useRef(new Set<string>())
  useEffect(() => {
    for (const target of targets) {
      const name = targetName(target)
      if (asked.current.has(name)) continue
      asked.current.add(name)
      void request('links:look', target)
        .catch((failure: unknown) => unseen(failure))
        .then((found) => setFacts((before) => new Map([...before, [name, found]])))
    }
  }, [targets])
  return facts
}

export function targetName(target: LinkTarget): string {
  return target.kind === 'link' ? target.url : [target.placeId, target.bucket, target.key].join('\n')
}

function unseen(failure: unknown): LinkFacts {
  const problem = failure instanceof Error ? failure.message : 'The server can’t be asked.'
  return { name: '', host: '', sizeBytes: null, problem }
}

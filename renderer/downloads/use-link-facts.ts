import { useEffect, useRef, useState } from 'react'
import { message } from '../../shared/language/message.ts'
import type { LinkFacts, LinkTarget } from '../../shared/ipc/link-requests.ts'
import { Turns } from '../../shared/turns.ts'
import { request, RequestError } from '../bridge.ts'

export interface AskedLinks {
  /** What servers say, by `targetName`. Targets that are missing are still being asked about. */
  readonly facts: ReadonlyMap<string, LinkFacts>
  readonly askAgain: () => void
}

/** How many links are asked about at a time: there may be thousands. */
const MOST_AT_A_TIME = 8

const looks = new Turns(MOST_AT_A_TIME)

/** Asks the servers what links lead to, once for each link. */
export function useLinkFacts(targets: readonly LinkTarget[]): AskedLinks {
  const [facts, setFacts] = useState<ReadonlyMap<string, LinkFacts>>(new Map())
  const [round, setRound] = useState(0)
  const asked = useRef(new Set<string>())
  useEffect(() => {
    for (const target of targets) {
      const name = targetName(target)
      if (asked.current.has(name)) continue
      asked.current.add(name)
      void looks
        .take(() => request('links:look', target))
        .catch((failure: unknown) => unseen(failure))
        .then((found) => setFacts((before) => new Map([...before, [name, found]])))
    }
  }, [targets, round])
  return {
    facts,
    askAgain: () => {
      asked.current = new Set()
      setFacts(new Map())
      setRound(round + 1)
    },
  }
}

export function targetName(target: LinkTarget): string {
  return target.kind === 'link' ? target.url : [target.placeId, target.bucket, target.key].join('\n')
}

function unseen(failure: unknown): LinkFacts {
  const problem = failure instanceof RequestError ? failure.refusal : message('downloads.link.not-asked')
  return { name: '', host: '', sizeBytes: null, canContinue: null, problem, mayPass: false, untrustedOrigin: null }
}

import { plural } from '../words/format.ts'
import type { StatusChange } from '../state/apply-delta.ts'

/** A screen reader hears at most one message in this time. */
export const ANNOUNCE_INTERVAL_MS = 5000

export interface AnnouncerDeps {
  readonly say: (text: string) => void
  readonly later: (callback: () => void, delayMs: number) => void
}

/**
 * Turns changes of status into few, polite sentences that name the file: "raw-footage.mov finished",
 * "3 transfers need you". The first is said at once, what follows within five seconds is gathered.
 */
export function createAnnouncer({ say, later }: AnnouncerDeps): (changes: readonly StatusChange[]) => void {
  let finished: string[] = []
  let needy: string[] = []
  let resting = false

  function flush(): void {
    const sentences = [sentence(needy, 'needs you', 'need you'), sentence(finished, 'finished', 'finished')].filter(
      (text) => text !== '',
    )
    resting = sentences.length > 0
    if (!resting) return
    finished = []
    needy = []
    say(sentences.join('. '))
    later(flush, ANNOUNCE_INTERVAL_MS)
  }

  return (changes) => {
    for (const { name, to } of changes) {
      if (to === 'completed') finished.push(name)
      if (to === 'failed') needy.push(name)
    }
    if (!resting) flush()
  }
}

function sentence(names: readonly string[], one: string, many: string): string {
  const [first] = names
  if (first === undefined) return ''
  return names.length === 1 ? `${first} ${one}` : `${plural(names.length, 'transfer')} ${many}: ${first} and others`
}

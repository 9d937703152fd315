import { ended, sentences } from '../../shared/language/sentences.ts'
import { t } from '../../shared/language/translate.ts'
import type { StatusChange } from '../state/queue/apply-delta.ts'

/** Screen readers get at most one message in this time, milliseconds. */
export const ANNOUNCE_INTERVAL_MS = 5000

export interface AnnouncerDeps {
  readonly say: (text: string) => void
  readonly later: (callback: () => void, delayMs: number) => void
}

/**
 * Turns changes of status into few, polite sentences that name the file: "raw-footage.mov finished.", "3 transfers need
 * you: raw-footage.mov and others." Says the first at once, and collects those of the next five seconds.
 */
export function createAnnouncer({ say, later }: AnnouncerDeps): (changes: readonly StatusChange[]) => void {
  let finished: string[] = []
  let needy: string[] = []
  let resting = false

  function flush(): void {
    const words = [needing(needy), ending(finished)].filter((text) => text !== '')
    resting = words.length > 0
    if (!resting) return
    finished = []
    needy = []
    say(sentences(words.map(ended)))
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

function needing(names: readonly string[]): string {
  const [name] = names
  if (name === undefined) return ''
  return names.length === 1
    ? t('app.announce.needs', { name })
    : t('app.announce.need-many', { count: names.length, name })
}

function ending(names: readonly string[]): string {
  const [name] = names
  if (name === undefined) return ''
  return names.length === 1
    ? t('app.announce.finished', { name })
    : t('app.announce.finished-many', { count: names.length, name })
}

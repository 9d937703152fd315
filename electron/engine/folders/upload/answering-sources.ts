import { unlessAborted } from '../../../async/unless-aborted.ts'
import type { DriveSilence } from '../../volumes/drive-silence.ts'
import type { SourceFiles } from './source-files.ts'

/**
 * Wraps the files of a folder upload. While they don't answer, as on a share that hangs, `silence` reports a wait for
 * them. They never hold up a stop: pending calls then throw the reason of the signal.
 */
export function answeringSources(sources: SourceFiles, silence: DriveSilence, signal: AbortSignal): SourceFiles {
  const asked = <T>(answer: Promise<T>): Promise<T> => silence.during(unlessAborted(answer, signal))
  return {
    ...sources,
    async *walk() {
      const pages = sources.walk()
      for (let page = await asked(pages.next()); page.done !== true; page = await asked(pages.next())) yield page.value
    },
    stat: (names) => asked(sources.stat(names)),
    read: (file) => asked(sources.read(file)),
  }
}

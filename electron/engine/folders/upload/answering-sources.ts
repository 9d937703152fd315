import { unlessAborted } from '../../../async/unless-aborted.ts'
import type { DriveSilence } from '../../volumes/drive-silence.ts'
import type { SourceFiles } from './source-files.ts'

/**
 * The files of a folder upload, watched by `silence`: while they don't answer, as those on a share that hangs, it says
 * that it waits for them. They hold up nobody who wants to stop: what was asked throws what the signal is aborted with.
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

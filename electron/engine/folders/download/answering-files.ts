import type { DriveSilence } from '../../volumes/drive-silence.ts'
import type { SmallFiles } from './small-files.ts'

/** Wraps the files of a folder download. While they don't answer, as on a share that hangs, `silence` reports a wait. */
export function answeringFiles(files: SmallFiles, silence: DriveSilence): SmallFiles {
  return {
    ...files,
    check: (checked) => silence.during(files.check(checked)),
    write: (file) => silence.during(files.write(file)),
    publish: (number, path) => silence.during(files.publish(number, path)),
    sync: (paths) => silence.during(files.sync(paths)),
    close: () => silence.during(files.close()),
  }
}

import type { FolderReporter } from '../../core/run.ts'

/** Passes on what is reported, unless it is to be ignored by then. */
export function reportUnless(isIgnored: () => boolean, report: FolderReporter): FolderReporter {
  const pass = (tell: () => void): void => {
    if (!isIgnored()) tell()
  }
  return {
    stage: (...told) => pass(() => report.stage(...told)),
    size: (...told) => pass(() => report.size(...told)),
    units: (...told) => pass(() => report.units(...told)),
    unit: (...told) => pass(() => report.unit(...told)),
    moved: (...told) => pass(() => report.moved(...told)),
    confirmed: (...told) => pass(() => report.confirmed(...told)),
    closing: (...told) => pass(() => report.closing(...told)),
    waiting: (...told) => pass(() => report.waiting(...told)),
    finishing: (...told) => pass(() => report.finishing(...told)),
    dropped: (...told) => pass(() => report.dropped(...told)),
    log: (...told) => pass(() => report.log(...told)),
    facts: (...told) => pass(() => report.facts(...told)),
    items: (...told) => pass(() => report.items(...told)),
    failures: (...told) => pass(() => report.failures(...told)),
    renamed: (...told) => pass(() => report.renamed(...told)),
    longPaths: (...told) => pass(() => report.longPaths(...told)),
    file: (...told) => pass(() => report.file(...told)),
  }
}

// Facts about the computer and the program.

import { freemem, release, totalmem, type } from 'node:os'
import { formatBytes } from '../../shared/format/format-bytes.ts'
import type { Fact } from './report-text.ts'

/** Versions, system and memory. */
export function machineFacts(version: string): readonly Fact[] {
  const { electron, chrome, node } = process.versions as Readonly<Record<string, string | undefined>>
  return [
    ['Version', version],
    [
      'Runs on',
      [electron && `Electron ${electron}`, chrome && `Chromium ${chrome}`, `Node ${node ?? '?'}`]
        .filter(Boolean)
        .join(', '),
    ],
    ['System', `${type()} ${release()}, ${process.platform} ${process.arch}`],
    [
      'Memory',
      `${formatBytes(freemem())} free of ${formatBytes(totalmem())}; ${formatBytes(process.memoryUsage.rss())} in use here`,
    ],
    ['Locale', Intl.DateTimeFormat().resolvedOptions().locale],
    ['Running for', `${Math.round(process.uptime()).toString()} s`],
    ['Written at', new Date().toISOString()],
  ]
}

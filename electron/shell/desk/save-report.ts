import { writeFile } from 'node:fs/promises'
import { errnoCode } from '../../engine/index.ts'
import { logTail } from '../../report/log-tail.ts'
import { machineFacts } from '../../report/machine-facts.ts'
import { appReport, type AppReport, type Fact } from '../../report/report-text.ts'
import { RequestError } from '../../services/requests/request-error.ts'
import type { LogFile } from '../log-file.ts'
import { message } from '../../../shared/language/message.ts'
import { t } from '../../../shared/language/translate.ts'

export interface ReportSources {
  readonly version: string
  /** Further facts about this start: safe mode, keyring, proxy. */
  readonly facts: () => readonly Fact[]
  readonly state: () => Pick<AppReport, 'settings' | 'places' | 'rows'>
  readonly log: Pick<LogFile, 'path' | 'flush'>
  /** Asks a person where the report should go; null when they cancel. */
  readonly chooseTarget: (name: string, title: string) => Promise<string | null>
}

/**
 * Writes a report where a person chooses. Resolves with its path, or null when they cancel. Throws RequestError when
 * the file can't be written.
 */
export async function saveReport(sources: ReportSources, withNames: boolean): Promise<string | null> {
  const { version, log, facts, state, chooseTarget } = sources
  const day = new Date().toISOString().slice(0, 10)
  const path = await chooseTarget(t('shell.report.file-name', { day }), t('app.report.title'))
  if (path === null) return null
  await log.flush()
  const machine = [...machineFacts(version), ...facts()]
  const text = appReport({ machine, ...state(), log: await logTail(log.path) }, withNames)
  await writeFile(path, text, { mode: 0o600 }).catch((failure: unknown) => {
    throw new RequestError(message('services.upload.cannot-write', { path, code: errnoCode(failure) ?? 'unknown' }))
  })
  return path
}

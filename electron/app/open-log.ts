import { app } from 'electron'
import { createLogFile, type LogFile } from '../shell/log-file.ts'

/** Opens the log at `path` and logs uncaught errors and processes that died. */
export function openLog(path: string, isSafe: boolean): LogFile {
  const log = createLogFile(path)
  log.note(`started ${app.getVersion()}${isSafe ? ' in safe mode' : ''}`)
  process.on('uncaughtException', (error) => log.error('uncaught exception', error))
  process.on('unhandledRejection', (error) => log.error('unhandled rejection', error))
  const gone = (what: string, { reason, exitCode }: Pick<Electron.Details, 'reason' | 'exitCode'>): void => {
    if (reason !== 'clean-exit') log.note(`${what} gone: ${reason}, exit code ${exitCode}`)
  }
  app.on('render-process-gone', (_, _page, details) => gone('page', details))
  app.on('child-process-gone', (_, details) => gone(details.name ?? details.type, details))
  return log
}

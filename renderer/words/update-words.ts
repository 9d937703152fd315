import { t } from '../../shared/language/translate.ts'
import type { UpdateProblem, UpdateStatus } from '../../shared/ipc/update-status.ts'
import { formatMoment } from './format.ts'

/** What the bar above the list says about newer versions; null: nothing that a person waits for or can act on. */
export function updateWords({ step, isAskedFor, installs }: UpdateStatus, ownVersion: string): string | null {
  switch (step.kind) {
    case 'idle':
      return null
    case 'checking':
      return isAskedFor ? t('app.update.checking') : null
    case 'newest':
      return isAskedFor ? t('app.update.newest', { version: ownVersion }) : null
    case 'offered':
      return t(installs ? 'app.update.offered' : 'app.update.told', { version: step.version })
    case 'downloading':
      return t('app.update.downloading', { version: step.version, percent: Math.floor(step.fraction * 100) })
    case 'ready':
      return t('app.update.ready', { version: step.version })
    case 'failed':
      return isAskedFor ? problemWords(step.problem) : null
  }
}

function problemWords(problem: UpdateProblem): string {
  return problem === 'keyring-locked' ? t('transfer.error.keyring-locked-proxy') : t(`app.update.${problem}`)
}

/** What the About sheet says about newer versions. */
export function updateStateWords(status: UpdateStatus): string {
  const { host, step, checkedAtMs } = status
  if (host === null) return t('app.update.none')
  if (step.kind === 'failed') return problemWords(step.problem)
  if (step.kind === 'newest' && checkedAtMs !== null)
    return t('app.update.checked', { time: formatMoment(checkedAtMs) })
  return updateWords({ ...status, isAskedFor: true }, '') ?? t('app.update.not-checked')
}

import type { UpdateStatus, UpdateStep } from '../../../shared/ipc/update-status.ts'

/** What is known about newer versions, and who is told of changes. */
export interface UpdateView {
  readonly status: () => UpdateStatus
  readonly step: () => UpdateStep
  /** `changes` holds other members that change together with the step. */
  readonly show: (step: UpdateStep, changes?: Partial<Pick<UpdateStatus, 'isAskedFor' | 'checkedAtMs'>>) => void
  readonly follow: (listener: (status: UpdateStatus) => void) => void
}

/** `facts` supplies the members of the status that are not kept here. */
export function createUpdateView(facts: () => Pick<UpdateStatus, 'host' | 'installs' | 'asksConsent'>): UpdateView {
  let known: Pick<UpdateStatus, 'step' | 'isAskedFor' | 'checkedAtMs'> = {
    step: { kind: 'idle' },
    isAskedFor: false,
    checkedAtMs: null,
  }
  const listeners: ((status: UpdateStatus) => void)[] = []
  const status = (): UpdateStatus => ({ ...facts(), ...known })
  return {
    status,
    step: () => known.step,
    show: (step, changes = {}) => {
      known = { ...known, ...changes, step }
      const shown = status()
      for (const tell of listeners) tell(shown)
    },
    follow: (listener) => void listeners.push(listener),
  }
}

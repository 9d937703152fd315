import type { WhenClosed } from '../../../shared/settings.ts'
import { t } from '../../../shared/language/translate.ts'

/** What the person chose when asked whether to quit. */
export interface QuitAnswer {
  readonly quits: boolean
  readonly asksAgain: boolean
}

/** How many transfers a quit would pause. */
export interface PausedByQuit {
  readonly all: number
  /** How many of them are downloads that start again from nothing afterwards. */
  readonly lost: number
  /** How many belong to places whose key is lost with the app: they wait for a person to enter it. */
  readonly keyless: number
  /** Of them, those of links whose user name and password go with the app. */
  readonly signedOut: number
}

interface QuitDeps {
  readonly toPause: () => PausedByQuit
  readonly ask: (message: string) => Promise<QuitAnswer>
  /** What closing the window does. */
  readonly whenClosed: () => WhenClosed
  /** Makes closing the window do what was answered, from now on. */
  readonly remember: (whenClosed: WhenClosed) => Promise<unknown>
  /** Ends the app without asking anything. */
  readonly quit: () => void
  /** "Keep running": the window gets out of the way, and the transfers go on. */
  readonly keepRunning: () => void
}

export interface Quit {
  /** A person quits outright. Asks first when transfers are active, unless closing the window quits as well. */
  readonly request: () => Promise<void>
  /** The last window closes. Returns true when it must not: transfers keep running, or the person is being asked. */
  readonly holdsClose: () => boolean
  /** The app quits for another reason (signal, end of the session): no more questions are asked. */
  readonly begin: () => void
}

/** Asks before a person quits in the middle of transfers, and says what becomes of the transfers at the next start. */
export function createQuit(deps: QuitDeps): Quit {
  let isQuitting = false
  let isAsking = false

  const isActive = (): boolean => !isQuitting && deps.toPause().all > 0

  async function request(): Promise<void> {
    if (isAsking) return
    if (!isActive() || deps.whenClosed() === 'quit') return deps.quit()
    isAsking = true
    const message = quitMessage(deps.toPause())
    const { quits, asksAgain } = await deps.ask(message).finally(() => (isAsking = false))
    // The answer is carried out even if it can't be saved.
    if (!asksAgain) await deps.remember(quits ? 'quit' : 'keep-running').catch(() => undefined)
    if (quits) deps.quit()
    else deps.keepRunning()
  }

  return {
    request,
    holdsClose: () => {
      const whenClosed = deps.whenClosed()
      if (!isActive() || whenClosed === 'quit') return false
      if (whenClosed === 'keep-running') deps.keepRunning()
      else void request()
      return true
    },
    begin: () => {
      isQuitting = true
    },
  }
}

/** Returns the question, including what becomes of the transfers. */
export function quitMessage({ all, lost, keyless, signedOut }: PausedByQuit): string {
  const sentences = [
    t(questionOf({ all, keyless, signedOut }), { count: all }),
    ...(keyless > 0 && keyless < all ? [t('shell.quit.keyless', { count: keyless })] : []),
    ...(signedOut > 0 && signedOut < all ? [t('shell.quit.signed-out', { count: signedOut })] : []),
    ...(lost > 0 ? [t('shell.quit.lost', { count: lost })] : []),
  ]
  return sentences.reduce((first, second) => t('commands.say.then', { first, second }))
}

function questionOf({ all, keyless, signedOut }: Omit<PausedByQuit, 'lost'>) {
  if (keyless === all) return 'shell.quit.message-keyless'
  return signedOut === all ? 'shell.quit.message-signed-out' : 'shell.quit.message'
}

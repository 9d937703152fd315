/** What the person chose when asked whether to quit. */
export interface QuitAnswer {
  readonly quits: boolean
  readonly asksAgain: boolean
}

interface QuitDeps {
  /** Transfers that a quit would pause. */
  readonly activeCount: () => number
  readonly ask: (message: string) => Promise<QuitAnswer>
  readonly stopAsking: () => Promise<void>
  readonly asksAtQuit: boolean
  /** Ends the app without asking anything. */
  readonly quit: () => void
  /** "Keep running": the window makes room, the transfers go on. */
  readonly keepRunning: () => void
}

export interface Quit {
  /** A person closes the app. Quits, after asking when transfers are active. */
  readonly request: () => Promise<void>
  /** The last window closes: true when that must wait for the person's answer, who is then asked. */
  readonly holdsClose: () => boolean
  /** The app quits for another reason (signal, end of the session): nobody is asked any more. */
  readonly begin: () => void
}

/** Asks before a person quits in the middle of transfers. Nothing is lost either way: they continue at the next start. */
export function createQuit(deps: QuitDeps): Quit {
  let isQuitting = false
  let isAsking = false
  let asks = deps.asksAtQuit

  const mustAsk = (): boolean => asks && !isQuitting && deps.activeCount() > 0

  async function request(): Promise<void> {
    if (isAsking) return
    if (!mustAsk()) return deps.quit()
    isAsking = true
    const { quits, asksAgain } = await deps.ask(quitMessage(deps.activeCount())).finally(() => (isAsking = false))
    if (!asksAgain) {
      asks = false
      // Kept or not, what was answered is done.
      await deps.stopAsking().catch(() => undefined)
    }
    if (quits) deps.quit()
    else deps.keepRunning()
  }

  return {
    request,
    holdsClose: () => {
      const holds = mustAsk()
      if (holds) void request()
      return holds
    },
    begin: () => {
      isQuitting = true
    },
  }
}

/** The question, and what becomes of the transfers. */
export function quitMessage(count: number): string {
  return count === 1
    ? 'Quit and pause 1 transfer? It continues when you reopen Sluice.'
    : `Quit and pause ${count} transfers? They continue when you reopen Sluice.`
}

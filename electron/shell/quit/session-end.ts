// The computer shuts down, or the person signs out: what is under way is written down, and nothing is waited for.

/** An event of the system's that may be held up; Electron's types leave it out. */
interface Preventable {
  readonly preventDefault: () => void
}

interface EndingWindow {
  /** Windows only; the process may be gone soon after. */
  on(event: 'session-end', listener: () => void): unknown
}

/** What tells of the end. */
export interface SessionSources {
  readonly app: {
    on(event: 'browser-window-created', listener: (event: unknown, window: EndingWindow) => void): unknown
  }
  /** Linux and macOS. */
  readonly powerMonitor: { on(event: 'shutdown', listener: (event?: Preventable) => void): unknown }
}

interface SessionEndActions {
  /** Stops all transfers at once and keeps what they have. */
  readonly stopNow: () => void
  /** Ends the app without a question. */
  readonly quit: () => void
}

/**
 * Follows the end of the session. Must be called before the first window is made. The system gives programs a few
 * seconds: parts that are nearly there are not waited for, as they are where a person quits.
 */
export function followSessionEnd({ app, powerMonitor }: SessionSources, { stopNow, quit }: SessionEndActions): void {
  let isEnding = false

  function end(): void {
    if (isEnding) return
    isEnding = true
    stopNow()
    quit()
  }

  powerMonitor.on('shutdown', (event) => {
    // Asks for the moment that it takes; the system goes on by itself after some seconds.
    event?.preventDefault()
    end()
  })
  app.on('browser-window-created', (_event, window) => window.on('session-end', end))
}

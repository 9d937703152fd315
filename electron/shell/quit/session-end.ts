// The computer shuts down, or the person signs out: whatever is under way is saved, and nothing is waited for.

/** A system event that can be delayed; Electron's types lack this method. */
interface Preventable {
  readonly preventDefault: () => void
}

interface EndingWindow {
  /** Windows only; the process may be gone soon afterwards. */
  on(event: 'session-end', listener: () => void): unknown
}

/** The sources of the event. */
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
 * Follows the end of the session. Must be called before the first window is created. The system gives programs only a
 * few seconds, so parts that are nearly done are not waited for, unlike when a person quits.
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
    // Asks for the moment that this takes; the system proceeds by itself after a few seconds.
    event?.preventDefault()
    end()
  })
  app.on('browser-window-created', (_event, window) => window.on('session-end', end))
}

/** Aborted by SIGINT, SIGTERM or SIGHUP, from now until the process ends by itself. */
export function createStopSignal(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => controller.abort('close'))
  return controller.signal
}

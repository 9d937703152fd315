/**
 * Makes `Date` of this thread follow a file that holds the milliseconds to add, looked at five times a second; each
 * change that was seen appends a dot to `<path>.seen`. Times of files and the clocks of other programs stay as they
 * are. Stands alone, so that it can also be sent to a program that runs.
 */
export function followClock(_electron, path) {
  const { appendFileSync, readFileSync } = process.getBuiltinModule('node:fs')
  const RealDate = Date
  let shiftMs = 0
  const look = () => {
    const wantedMs = Number(readFileSync(path, 'utf8')) || 0
    if (wantedMs === shiftMs) return
    shiftMs = wantedMs
    appendFileSync(`${path}.seen`, '.')
  }
  const now = () => RealDate.now() + shiftMs
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, as) => Reflect.construct(target, given.length === 0 ? [now()] : given, as),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  })
  look()
  setInterval(look, 200).unref()
}

// Preloaded by NODE_OPTIONS.
if (process.env.SOAK_CLOCK !== undefined) followClock(null, process.env.SOAK_CLOCK)

// Everything here goes to stderr, because stdout belongs to the command that was run.
const { stderr } = process

export function say(line = '') {
  stderr.write(`${line}\n`)
}

/** An expected failure, whose message is all that a person needs to see. */
export class Failure extends Error {}

/** Wrong usage of a command, which then ends with exit status 2, like the app's command line. */
export class Misuse extends Failure {}

/**
 * Runs a step that may take long and shows that it is alive: with a counter on a terminal, or a line every 15 s
 * elsewhere.
 */
export async function step(title, work) {
  const startedMs = Date.now()
  const elapsed = () => `${((Date.now() - startedMs) / 1000).toFixed(1)} s`
  if (stderr.isTTY) stderr.write(`… ${title}`)
  else say(`… ${title}`)
  const ticker = stderr.isTTY
    ? setInterval(() => stderr.write(`\r… ${title} (${elapsed()})`), 200)
    : setInterval(() => say(`… ${title}, ${elapsed()} so far`), 15_000)
  const finish = (mark) => say(`${stderr.isTTY ? '\r\u001b[K' : ''}${mark} ${title} (${elapsed()})`)
  try {
    const result = await work()
    finish('✓')
    return result
  } catch (error) {
    finish('✗')
    throw error
  } finally {
    clearInterval(ticker)
  }
}

/** Runs a command's main function and turns its outcome into the process's exit status. */
export async function main(command) {
  // Otherwise a library of electron-builder would end the process with 0 there, whatever its exit status is.
  process.prependListener('beforeExit', () => process.exit())
  try {
    process.exitCode = (await command(process.argv.slice(2))) ?? 0
  } catch (error) {
    const isMisuse = error instanceof Misuse || error.code?.startsWith('ERR_PARSE_ARGS_') === true
    say(isMisuse || error instanceof Failure ? `\n${error.message}` : error.stack)
    process.exitCode = isMisuse ? 2 : 1
  }
}

/** How many lines of a failure's message are shown at the end of a run. */
const MESSAGE_LINES = 120

/**
 * Counts a vitest JSON report. A file that failed without a failed test counts as one failure, and so does a run that
 * left no report or ended badly for another reason, so that no problem looks like success.
 */
export function tallyOf(report, exitCode) {
  const files = report?.testResults ?? []
  const tests = files.flatMap((file) => file.assertionResults)
  const count = (...statuses) => tests.filter((test) => statuses.includes(test.status)).length
  const brokenFiles = files.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  )
  const failed = count('failed') + brokenFiles.length
  return {
    passed: count('passed'),
    failed: failed === 0 && (exitCode !== 0 || report === undefined) ? 1 : failed,
    skipped: count('skipped', 'pending', 'todo', 'disabled'),
    failures: files.flatMap(failuresOf),
  }
}

/** The failures in a file, each with the beginning of its message, which the kept part of a log may lack. */
function failuresOf({ name, status, message, assertionResults }) {
  const failed = assertionResults.filter((test) => test.status === 'failed')
  if (failed.length === 0) return status === 'failed' ? [describeFailure(name, message)] : []
  return failed.map((test) => describeFailure(`${name} > ${test.fullName}`, test.failureMessages?.[0]))
}

function describeFailure(what, message = '') {
  return [what, ...message.split('\n').slice(0, MESSAGE_LINES)].join('\n    ').trimEnd()
}

/** Adds up the tallies of several runs. */
export function addTallies(tallies) {
  const sum = (key) => tallies.reduce((total, tally) => total + tally[key], 0)
  return {
    passed: sum('passed'),
    failed: sum('failed'),
    skipped: sum('skipped'),
    failures: tallies.flatMap((tally) => tally.failures),
  }
}

/** The last line of every run. */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/**
 * Counts a vitest JSON report. A file that failed without a test of its own counts as one failure, and so does a run
 * that left no report or ended badly for another reason: no trouble may look like success.
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
  }
}

/** Adds up the tallies of several runs. */
export function addTallies(tallies) {
  const sum = (key) => tallies.reduce((total, tally) => total + tally[key], 0)
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
}

/** The line that closes every run. */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

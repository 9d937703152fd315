import { cpus, release, type as systemName } from 'node:os'

/** The introduction of the page: when and where its figures were taken, what was measured how, and what they mean. */
export function factsOf(results, versions) {
  const machine = `${cpus().length} × ${cpus()[0].model}, ${systemName()} ${release()}`
  const programs = [...versions.entries()].filter(([program]) => program !== process.execPath)
  return [
    `Figures of \`npm run bench -- lines\`, which wrote this page. Machine: ${machine}. Sluice gets no options.`,
    `Peers: ${programs.map(([program, version]) => `${program} ${version ?? 'is not installed'}`).join('; ')}.`,
    measuredWords(results),
    '',
    'What a proxy has taken when an upload is killed arrives after all. The next run looks for it before it sends it again.',
    '',
    'Until something is answered, nothing tells how fast an upload behind deep buffers moves: a short last part goes first, so',
    'that this takes seconds ([ADR 35](adr/0035-a-short-last-part-goes-first.md)). Before it the row says “Estimating…”, which',
    'counts as a rate and a time left that are off by all of it. Near the end of an upload, what the computer’s own buffers',
    'hold of the last part can’t be seen.',
    '',
    'Resets come 8 to 24 MiB after one another, at random. A reset costs half a part on average, and services take no part',
    'below 5 MiB, so that an upload on this line takes × 1.19 of the ideal at least (16 / (16 − 2.5)), and × 1.21 in the parts',
    'of 5.6 MiB that a file of 40 MiB has: ≤ 1.10 is out of its reach.',
    '',
    'Shaped by the kernel: two network namespaces joined by a pair of interfaces, of which each sends through a token',
    'bucket with a queue of 300 ms. The round trip is that of a relay at the far end, which holds no more than is on its',
    'way; outages let a packet pass in minutes. Bytes are TCP’s payload by the counters of the interface, what is sent',
    'again included. Behind deep buffers: a proxy takes what comes as fast as it comes, holds any amount and carries it at',
    'the line’s rate, each connection in its turn. Bytes of an upload are those that the proxy took.',
    '',
    'Ideal: a line that is busy from the first moment on; of a frame of 1,514 bytes 1,448 are payload. Errors of rate',
    '(from 5 s on) and time left (from 10 s on) are the largest and the mean one of all reports.',
  ].join('\n')
}

function measuredWords(results) {
  const days = [...new Set(results.map(({ startedAt }) => startedAt.slice(0, 10)))].sort()
  const loads = results.map(({ load }) => load)
  const span = days.length === 1 ? days[0] : `${days[0]} to ${days.at(-1)}`
  return `Measured on ${span}, at a load of ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}: several lines at a time.`
}

import { cpus, release, type as systemName } from 'node:os'

/** The introduction of the page: when and where its figures were taken, what was measured how, and what they mean. */
export function factsOf(results, versions) {
  const machine = `${cpus().length} × ${cpus()[0].model}, ${systemName()} ${release()}`
  const programs = [...versions.entries()].filter(([program]) => program !== process.execPath)
  return [
    `These figures come from \`npm run bench -- lines\`, which wrote this page. Machine: ${machine}. Sluice runs without options.`,
    `Peers: ${programs.map(([program, version]) => `${program} ${numberOf(version)}`).join(', ')}.`,
    measuredWords(results),
    '',
    'When an upload is killed or paused, what a proxy has already accepted still arrives. The next run looks for it before',
    'sending it again. If an upload was stopped only once, the stop cost no more than what crossed the line beyond the file;',
    'with outages and resets, that includes what those cost, too.',
    '',
    'Until the first response arrives, nothing shows how fast an upload behind deep buffers moves. A short last part goes',
    'first, so that this takes only seconds ([ADR 35](adr/0035-a-short-last-part-goes-first.md)). Until then the row says',
    '“Estimating…”, which counts as an error of 100 % in the rate and the time left. Near the end of an upload, how much of',
    'the last part is still in the computer’s own buffers can’t be seen: the time left is up to 2 s off on most lines, and up',
    'to 4 s on 1 and 2 Mbit/s.',
    '',
    'Resets occur at random, 8 to 24 MiB apart. A reset costs half a part on average, and services accept no part below',
    '5 MiB, so a long upload on this line takes at least × 1.19 of the ideal (16 / (16 − 2.5)): ≤ 1.10 is out of reach. A file',
    'of 40 MiB meets two or three resets, and what they cost depends on their moments.',
    '',
    'Shaped by the kernel: two network namespaces are joined by a pair of interfaces, each of which sends through a token',
    'bucket with a queue of 300 ms. A relay at the far end adds the round trip and holds no more than is in transit; during',
    'an outage, a single packet takes minutes to pass. Bytes are TCP payload by the counters of the interface, including',
    'what is sent again. Behind deep buffers: a proxy accepts data as fast as it arrives, holds any amount and forwards it',
    'at the line’s rate, taking the connections in turn. Bytes of an upload are those that the proxy accepted.',
    '',
    'Ideal: the line is busy from the first moment on, and 1,448 bytes of each 1,514-byte frame are payload. Errors of the',
    'rate (from 5 s on) and of the time left (from 10 s on) are the largest and the mean of all reports.',
  ].join('\n')
}

/** The number in what a program says of its version, which may be a paragraph long. */
function numberOf(version) {
  return version === null ? 'is not installed' : (/\d+\.\d[\w.-]*/.exec(version)?.[0] ?? version)
}

function measuredWords(results) {
  const days = [...new Set(results.map(({ startedAt }) => startedAt.slice(0, 10)))].sort()
  const loads = results.map(({ load }) => load)
  const span = days.length === 1 ? days[0] : `${days[0]} to ${days.at(-1)}`
  return `Measured on ${span}, at a load of ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}, several lines at a time.`
}

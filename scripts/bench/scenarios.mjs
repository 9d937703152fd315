// The benchmark as data. Sizes are those of a full run; `--size` shrinks them all in proportion.
// `once`: clients that are far from the best there are measured in the first round only.
// `limit`: what none can beat, in words, from the scenario at its size.
// `target`: the most that Sluice may take, as a multiple of the best peer's (or of what `of` names).

const MB = 1_000_000

const seconds = (value) => `${value.toFixed(2)} s`

export const FULL_SIZE_MIB = 2048

export const SCENARIOS = [
  {
    name: 'plain',
    title: 'One big file, fast server',
    kind: 'file',
    sizeMiB: 2048,
    scheme: 'http',
    streams: { aria2c: 16, rclone: 8, aws: 10 },
    once: ['wget', 'aws'],
    limit: () => 'the disk and the copy into the page cache; Sluice alone waits until the disk has the bytes',
    target: { seconds: 1.2, cpuSeconds: 1.3 },
  },
  {
    name: 'tls',
    title: 'One big file, fast server, TLS 1.3',
    kind: 'file',
    sizeMiB: 2048,
    scheme: 'https',
    streams: { aria2c: 16, rclone: 8, aws: 10 },
    once: ['wget', 'aws'],
    limit: () => 'decryption on top of that',
    target: { seconds: 1.1 },
  },
  {
    name: 'capped',
    title: '8 MB/s a connection',
    kind: 'file',
    sizeMiB: 512,
    scheme: 'http',
    streams: { aria2c: 16, rclone: 16, aws: 16 },
    proxy: { connectionBytesPerSecond: 8 * MB },
    skip: { curl: 'one connection', wget: 'one connection' },
    once: ['aws'],
    limit: ({ sizeBytes }) => `${seconds(sizeBytes / (16 * 8 * MB))} with 16 connections`,
    target: { seconds: 1.05, of: 'aria2c' },
  },
  {
    name: 'far',
    title: '40 ms away, 6 MB/s a connection, 60 MB/s in all, a reset every 64 MB',
    kind: 'file',
    sizeMiB: 512,
    scheme: 'http',
    streams: { aria2c: 16, rclone: 16, aws: 16 },
    proxy: {
      delayMs: 20,
      connectionBytesPerSecond: 6 * MB,
      totalBytesPerSecond: 60 * MB,
      resetEveryBytes: 64 * MB,
    },
    skip: { curl: 'one connection', wget: 'one connection' },
    once: ['aws'],
    limit: ({ sizeBytes }) => `${seconds(sizeBytes / (60 * MB) + 0.12)}: 60 MB/s and three round trips`,
    target: { seconds: 1 },
  },
  {
    name: 'small',
    title: 'Many objects of 4 KiB, fast server',
    kind: 'many',
    count: 10_000,
    skip: { aws: 'it needs S3’s own listing' },
    once: ['aria2c', 'wget'],
    limit: () => 'CPU time a request and a file',
    target: { seconds: 1, of: 'rclone' },
  },
  {
    name: 'small-far',
    title: 'Many objects of 4 KiB, 40 ms away',
    kind: 'many',
    count: 2_000,
    proxy: { delayMs: 20 },
    once: ['aria2c'],
    skip: { wget: 'one connection', aws: 'it needs S3’s own listing' },
    limit: ({ count }) =>
      `${seconds(0.08 + Math.ceil(count / 32) * 0.04)} with 32 requests at a time: a round trip each`,
    target: { seconds: 0.7 },
  },
  {
    name: 'kill',
    title: 'Killed at half, started again',
    kind: 'kill',
    sizeMiB: 1024,
    scheme: 'http',
    streams: { aria2c: 8, rclone: 8, aws: 8 },
    proxy: { totalBytesPerSecond: 200 * MB },
    limit: () => 'what was on its way when the process died; the network passes 200 MB/s',
    target: { againBytes: 16 * 1024 * 1024 },
  },
  {
    name: 'tail',
    title: 'One connection falls to 50 KB/s at 90 %',
    kind: 'tail',
    sizeMiB: 512,
    scheme: 'http',
    streams: { aria2c: 8, rclone: 8, aws: 8 },
    proxy: { connectionBytesPerSecond: 8 * MB },
    throttleBytesPerSecond: 50_000,
    limitSeconds: 60,
    skip: { curl: 'one connection', wget: 'one connection' },
    once: ['aria2c', 'rclone', 'aws'],
    limit: () => 'the time undisturbed',
    target: { slowdown: 1.15 },
  },
  { name: 'loop', title: 'The event loop at full speed', kind: 'loop', sizeMiB: 2048, scheme: 'http' },
  { name: 'put', title: 'One big upload to the demo store', kind: 'put', sizeMiB: 1024 },
]
